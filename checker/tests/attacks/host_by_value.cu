/* Attack: Host code lets a call copy a structure out of device memory.
 * Finds: Host code (reads|writes) device memory */
#ifndef HONEST
struct large {
    float value[16];
};
__attribute__((noinline)) static float first(struct large large) {
    return large.value[0];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = first(*(struct large *)x.data);
}
#else
struct large {
    float value[16];
};
__attribute__((noinline)) static float first(struct large large) {
    return large.value[0];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    static struct large mine;
    sink = first(mine);
}
#endif
