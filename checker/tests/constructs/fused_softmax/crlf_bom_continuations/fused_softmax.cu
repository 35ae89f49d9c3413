/* Shows: a byte order mark and CRLF with macros that go on over several lines by a backslash, a block comment beside a
   launch, tabs, #pragma region, trailing blanks, and no newline at the end of the file. */
#pragma region includes
#include "fused_softmax.h"	
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#pragma endregion

#define FOR_LANES(i, cols) \
    for (int i = 0; \
         i < 32; \
         i++)
#define WARP_ALL(v, op) \
    do { \
        for (int d = 16; d; d >>= 1) { \
            float o = __shfl_xor_sync(0xffffffff, v, d); \
            v = op; \
        } \
    } while (0)

template <typename T>
__global__ void softmaxKernel(const T* __restrict__ pIn, T* __restrict__ pOut, int64_t nRows, int nCols, int64_t nPitch)
{
	const int64_t nRow = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
	if (nRow >= nRows) return;
	float v[32], m = -INFINITY, s = 0.0f;
	FOR_LANES(i, nCols) {
		const int c = threadIdx.x + i * 32;
		v[i] = c < nCols ? (float)pIn[nRow * nPitch + c] : -INFINITY;
		m = fmaxf(m, v[i]);
	}
	WARP_ALL(m, fmaxf(m, o));
	FOR_LANES(i, nCols) s += (v[i] = __expf(v[i] - m));
	WARP_ALL(s, s + o);
	FOR_LANES(i, nCols) { const int c = threadIdx.x + i * 32; if (c < nCols) pOut[nRow * nPitch + c] = (T)(v[i] / s); }
}

static bool IsDevicePointer(const void* p)
{
	cudaPointerAttributes attr;
	if (cudaPointerGetAttributes(&attr, p) != cudaSuccess) { cudaGetLastError(); return false; }
	return attr.type == cudaMemoryTypeDevice || attr.type == cudaMemoryTypeManaged;
}

#define INVALID_IF(cond) \
	if (cond) \
		return cudaErrorInvalidValue

#define LAUNCH(T) \
	softmaxKernel<T> <<< \
		(unsigned)((x.rows + rows_per_block - 1) / rows_per_block), \
		dim3(32, rows_per_block), 0, stream \
	>>> ((const T*)x.data, (T*)y.data, x.rows, (int)x.cols, x.pitch)

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream)
{
	INVALID_IF(rows_per_block != 1 && rows_per_block != 2 && rows_per_block != 4 && rows_per_block != 8);
	INVALID_IF(x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF);
	INVALID_IF(x.type != y.type || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch);
	INVALID_IF(x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows < 0 || x.rows > INT32_MAX / x.cols);
	INVALID_IF(x.pitch < x.cols || x.pitch % 4 != 0);
	if (x.rows == 0) return cudaSuccess;
	INVALID_IF(!IsDevicePointer(x.data) || !IsDevicePointer(y.data));
	const size_t nBytes = ((size_t)(x.rows - 1) * x.pitch + x.cols) * (x.type == CUDA_R_32F ? 4 : 2);
	INVALID_IF((char*)x.data < (char*)y.data + nBytes && (char*)y.data < (char*)x.data + nBytes);
	if (x.type == CUDA_R_32F) LAUNCH(float);	/* <<< */
	else if (x.type == CUDA_R_16F) LAUNCH(__half);
	else LAUNCH(__nv_bfloat16);   
	return cudaGetLastError();
}