/* Attack: A function in a section that runs when the program ends.
 * Says: a function in the section .fini */
#ifndef HONEST
__attribute__((section(".fini"), used)) static void last(void) {}
#endif
