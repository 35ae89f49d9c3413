/* expect: does not offer graphs: check on a GPU with RUNTIME=cuda */
#include <cuda_runtime.h>
void f(cudaStream_t stream) {
    cudaStreamBeginCapture(stream, 0);
}
