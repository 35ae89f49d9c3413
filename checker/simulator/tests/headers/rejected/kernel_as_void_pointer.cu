/* expect: cudaLaunchKernel with a kernel cast to void * */
#include <cuda_runtime.h>
__global__ void kernel() {}
void f() {
    cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), nullptr, 0, 0);
}
