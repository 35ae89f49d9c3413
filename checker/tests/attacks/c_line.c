/* Attack: #line says that the assembly is a file of the system.
 * Says: inline assembly */
#ifndef HONEST
__attribute__((used)) static void asks(void) {
#line 1 "/usr/include/stdio.h"
    __asm__ volatile("nop");
}
#endif
