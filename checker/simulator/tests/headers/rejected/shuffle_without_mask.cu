/* expect: use __shfl_down_sync, with a mask of lanes */
#include <cuda_runtime.h>
__global__ void kernel(float *x) {
    x[0] = __shfl_down(x[0], 1);
}
