/* Attack: Memory behind a segment register.
 * Says: another address space */
#ifndef HONEST
__attribute__((used)) static int behind(long address) {
    return *(__attribute__((address_space(256))) int *)address;
}
#endif
