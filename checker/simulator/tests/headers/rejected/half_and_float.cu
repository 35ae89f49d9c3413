/* expect: is ambiguous */
#include <cuda_fp16.h>
__global__ void kernel(__half *x) {
    x[0] = x[1] + 1.0f;
}
