/* expect: does not offer __managed__ variables (cudaMallocManaged is there) */
#include <cuda_runtime.h>
__managed__ int counter;
void f() {
    counter = 1;
}
