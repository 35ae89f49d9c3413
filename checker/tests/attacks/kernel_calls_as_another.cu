/* Attack: A function that takes a structure is called as if it took none: what it writes there is its caller's.
 * Finds: as if it were of another type */
struct large {
    long word[64];
};
__attribute__((noinline)) static __device__ long takes(large given, int count) {
    for (int i = 0; i < count; i++)
        given.word[i] = count;
    return given.word[0];
}
__attribute__((noinline)) static __device__ long twice(int count) {
    return 2 * count;
}
#ifndef HONEST
static __global__ void kernel(matrix y, int count) {
    typedef long other(int);
    other *volatile chosen = count > 1000 ? twice : reinterpret_cast<other *>(takes);
    static_cast<float *>(y.data)[0] = (float)chosen(count);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 64);
}
#else
static __global__ void kernel(matrix y, int count) {
    long (*volatile chosen)(large, int) = takes;
    long (*volatile plain)(int) = twice;
    large mine = {};
    static_cast<float *>(y.data)[0] = (float)(chosen(mine, count) + plain(count));
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 64);
}
#endif
