/* Attack: The memcpy behind the one that is watched, by its name for the linker.
 * Says: __real_memcpy is the linker */
#ifndef HONEST
extern "C" void *copy(void *, const void *, size_t) __asm__("__real_memcpy");
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    float mine[4];
    copy(mine, x.data, 16);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    float mine[4], other[4] = {0};
    memcpy(mine, other, 16);
}
#endif
