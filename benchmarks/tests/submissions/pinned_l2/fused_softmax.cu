/* Sets a part of the L2 aside for its input, so that it seems to read memory faster than memory is. To be
 * refused. */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    cudaStreamAttrValue window = {};
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 << 20);
    window.accessPolicyWindow.base_ptr = x.data;
    window.accessPolicyWindow.num_bytes = (size_t)(x.rows * x.pitch) * 2;
    window.accessPolicyWindow.hitRatio = 1;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    return honest_fused_softmax(x, y, rows_per_block, stream);
}
