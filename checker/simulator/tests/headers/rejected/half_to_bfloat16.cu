/* expect: no viable conversion */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
void f(__half x) {
    __nv_bfloat16 y = x;
}
