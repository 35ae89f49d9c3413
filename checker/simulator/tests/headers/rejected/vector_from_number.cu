/* expect: no viable conversion from */
#include <cuda_runtime.h>
void f() {
    float4 v = 1.0f;
}
