/* expect: cudaLaunchKernel with a kernel in a void * */
#include <cuda_runtime.h>
__global__ void kernel() {}
void f() {
    const void *hidden = (const void *)kernel;
    cudaLaunchKernel(hidden, dim3(1), dim3(1), nullptr, 0, 0);
}
