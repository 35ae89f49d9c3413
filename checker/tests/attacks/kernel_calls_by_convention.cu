/* Attack: A function is called as another system's compiler would, with its arguments elsewhere.
 * Says: calls a function in another way */
__attribute__((noinline)) static __device__ long sum(long a, long b) {
    return a + b;
}
#ifndef HONEST
static __global__ void kernel(matrix y) {
    typedef __attribute__((ms_abi)) long other(long, long);
    other *volatile chosen = reinterpret_cast<other *>(reinterpret_cast<void *>(sum));
    static_cast<float *>(y.data)[0] = (float)chosen(1, 2);
}
#else
static __global__ void kernel(matrix y) {
    long (*volatile chosen)(long, long) = sum;
    static_cast<float *>(y.data)[0] = (float)chosen(1, 2);
}
#endif
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y);
}
