/* expect: the arguments of this launch do not fit the kernel */
#include <cuda_runtime.h>
__global__ void kernel(float *x, int n) {
    x[0] = n;
}
void f(float *x) {
    kernel<<<1, 1>>>(x);
}
