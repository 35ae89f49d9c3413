/* expect: does not offer thread block clusters: check on a GPU with RUNTIME=cuda */
#include <cuda_runtime.h>
void f(cudaLaunchAttribute *attribute) {
    attribute->id = cudaLaunchAttributeClusterDimension;
}
