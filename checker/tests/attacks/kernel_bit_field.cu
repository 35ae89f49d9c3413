/* Attack: A kernel reads 24 bits of which the last were never written.
 * Finds: Reads 3 bytes of x, some of which */
#ifndef HONEST
struct __attribute__((packed)) odd {
    unsigned low : 24;
};
static __global__ void kernel(matrix x, matrix y) {
    static_cast<float *>(y.data)[0] = ((const volatile struct odd *)((const char *)x.data + x.rows * x.pitch * 4 - 2))->low;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
struct __attribute__((packed)) odd {
    unsigned low : 24;
};
static __global__ void kernel(matrix x, matrix y) {
    static_cast<float *>(y.data)[0] = ((const volatile struct odd *)x.data)->low;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
