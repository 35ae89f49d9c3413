/* Attack: A kernel calls into the middle of a function.
 * Finds: Calls a function by an address */
#ifndef HONEST
typedef void (*function)(float *);
static __device__ void twice(float *y) {
    *y = 2;
}
static __global__ void kernel(matrix x, matrix y) {
    ((function)((const char *)&twice + 1))((float *)y.data);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
typedef void (*function)(float *);
static __device__ void twice(float *y) {
    *y = 2;
}
static __global__ void kernel(matrix x, matrix y) {
    const function mine = x.cols > 0 ? &twice : &twice;
    mine((float *)y.data);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
