#ifndef WARP_CUH
#define WARP_CUH
#include "operators.cuh"
namespace reduce {
template <class Operator, class Element> __device__ float all(Element element) {
    float r = Operator::identity();
    for (int i = 0; i < 32; i++)
        r = Operator::apply(r, element(i));
    for (int d = 16; d; d /= 2)
        r = Operator::apply(r, __shfl_xor_sync(0xffffffffu, r, d));
    return r;
}
} // namespace reduce
#endif
