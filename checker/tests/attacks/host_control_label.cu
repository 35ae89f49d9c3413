/* Attack: A sim_write of its own, by a label that begins with a byte that the compiler drops.
 * Says: a label that is no name */
#ifndef HONEST
extern "C" void mine(const void *, size_t, size_t) __asm__("\1sim_write");
extern "C" __attribute__((used)) void mine(const void *, size_t, size_t) {}
#endif
