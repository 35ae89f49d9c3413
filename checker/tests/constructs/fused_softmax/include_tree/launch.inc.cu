cudaError_t fused_softmax(matrix x, matrix y, int k, cudaStream_t stream) {
    if (!is_valid(x, y, k))
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    if (!is_reachable(x.data) || !is_reachable(y.data) || meet(x, y))
        return cudaErrorInvalidValue;
    switch (x.type) {
#define TYPE(code, T) \
    case code: \
        rows<<<dim3((x.rows + k - 1) / k), dim3(32, k), 0, stream>>>((const T *)x.data, (T *)y.data, x.rows, (int)x.cols, x.pitch); \
        break;
#include "host/types.def"
    default:
        break;
    }
    return cudaGetLastError();
}
