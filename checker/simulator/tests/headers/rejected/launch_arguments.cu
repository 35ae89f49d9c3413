/* expect: too few arguments to function call, expected 2, have 1 */
#include <cuda_runtime.h>
__global__ void kernel(float *x, int n) {
    x[0] = n;
}
void f(float *x) {
    kernel<<<1, 1>>>(x);
}
