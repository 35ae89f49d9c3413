/* expect: does not offer cooperative launches: check on a GPU with RUNTIME=cuda */
#include <cuda_runtime.h>
__global__ void kernel() {}
void f() {
    cudaLaunchCooperativeKernel((void *)kernel, 1, 32, 0);
}
