#ifndef CHECK_HPP
#define CHECK_HPP
#include "fused_softmax.h"
inline size_t size_of(cudaDataType_t type) {
    switch (type) {
#define TYPE(code, T) \
    case code: \
        return sizeof(T);
#include "types.def"
    default:
        return 0;
    }
}
inline bool is_valid(const matrix &x, const matrix &y, int k) {
    return (k == 1 || k == 2 || k == 4 || k == 8) && size_of(x.type) && x.type == y.type && x.rows == y.rows && x.cols == y.cols &&
           x.pitch == y.pitch && x.rows >= 0 && x.cols >= 1 && x.cols <= FUSED_SOFTMAX_MAX_COLS && x.rows <= INT32_MAX / x.cols &&
           x.pitch >= x.cols && x.pitch % 4 == 0;
}
inline bool is_reachable(const void *p) {
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}
inline bool meet(const matrix &x, const matrix &y) {
    const size_t bytes = ((x.rows - 1) * x.pitch + x.cols) * size_of(x.type);
    return (uintptr_t)x.data < (uintptr_t)y.data + bytes && (uintptr_t)y.data < (uintptr_t)x.data + bytes;
}
#endif
