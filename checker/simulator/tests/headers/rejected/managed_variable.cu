/* expect: does not offer __managed__ variables (cudaMallocManaged is there): check on a GPU with RUNTIME=cuda */
#include <cuda_runtime.h>
__managed__ int counter;
void f() { counter = 1; }
