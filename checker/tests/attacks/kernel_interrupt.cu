/* Attack: A function that returns in another way.
 * Says: (called in another way|interrupt) */
#ifndef HONEST
__attribute__((interrupt, used)) static __device__ void strange(void *) {}
#endif
