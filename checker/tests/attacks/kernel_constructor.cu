/* Attack: Device code that runs while it is loaded.
 * Says: (runs while the program is loaded|constructor) */
#ifndef HONEST
__attribute__((constructor)) static __device__ void early() {}
#endif
