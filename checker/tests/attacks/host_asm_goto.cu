/* Attack: Assembly that may jump.
 * Says: inline assembly */
#ifndef HONEST
__attribute__((used)) static int jumps(void) {
    __asm__ goto("jmp %l0" : : : : away);
    return 0;
away:
    return 1;
}
#else
__attribute__((used)) static int stays(int n) {
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(n));
    return n;
}
#endif
