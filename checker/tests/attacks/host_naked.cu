/* Attack: A function without a frame.
 * Says: naked is assembly */
#ifndef HONEST
__attribute__((naked, used)) static void bare(void) {
    __asm__ volatile("ret");
}
#endif
