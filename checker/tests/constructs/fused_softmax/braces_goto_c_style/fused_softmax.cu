/* Shows: C written into a .cu file: typedef struct passed to the kernel as {braces}, goto to one exit, comma operators, a
 * switch that falls through, do-while loops, Duff-like unrolling, K&R layout, NULL, casts, unsigned wrap-around. */
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape { int64_t rows, cols, pitch; } shape;
typedef struct job {
	void const *from;
	void *to;
	shape size;
	enum { JOB_FLOAT, JOB_HALF, JOB_BFLOAT } kind;
} job;

__device__ float get(struct job const *j, int64_t at)
{
	switch (j->kind) {
	case job::JOB_FLOAT:
		return ((float const *)j->from)[at];
	case job::JOB_HALF:
		return __half2float(((__half const *)j->from)[at]);
	default:
		return __bfloat162float(((__nv_bfloat16 const *)j->from)[at]);
	}
}

__device__ void put(struct job const *j, int64_t at, float v)
{
	if (j->kind == job::JOB_FLOAT)
		((float *)j->to)[at] = v;
	else if (j->kind == job::JOB_HALF)
		((__half *)j->to)[at] = __float2half(v);
	else
		((__nv_bfloat16 *)j->to)[at] = __float2bfloat16(v);
}

__global__ void work(job j, dim3 shape_of_block)
{
	float v[32], m, s;
	int i, n;
	int64_t row, c;

	row = (int64_t)blockIdx.x * shape_of_block.y + threadIdx.y;
	if (row >= j.size.rows)
		goto out;
	n = (int)((j.size.cols + 31) / 32);
	m = -INFINITY, s = 0;
	for (i = 0, c = threadIdx.x; i < n; i++, c += 32)
		v[i] = c < j.size.cols ? get(&j, row * j.size.pitch + c) : -INFINITY;
	i = n;
	do {
		i--;
		m = v[i] > m ? v[i] : m;
	} while (i > 0);
	i = 16;
	while (i) {
		float other = __shfl_xor_sync(0xffffffff, m, i);
		m = other > m ? other : m, i >>= 1;
	}
	i = 0;
	switch (n & 3) {
	case 3:
		s += v[i] = expf(v[i] - m), i++; /* fall through */
	case 2:
		s += v[i] = expf(v[i] - m), i++; /* fall through */
	case 1:
		s += v[i] = expf(v[i] - m), i++; /* fall through */
	case 0:
		break;
	}
	for (; i < n; i += 4) {
		s += v[i] = expf(v[i] - m);
		s += v[i + 1] = expf(v[i + 1] - m);
		s += v[i + 2] = expf(v[i + 2] - m);
		s += v[i + 3] = expf(v[i + 3] - m);
	}
	for (i = 16; i; i /= 2)
		s += __shfl_xor_sync(0xffffffff, s, i);
	for (i = 0, c = threadIdx.x; c < j.size.cols; i++, c += 32)
		put(&j, row * j.size.pitch + c, v[i] / s);
out:
	return;
}

static int is_device(const void *p)
{
	struct cudaPointerAttributes a;

	memset(&a, 0, sizeof a);
	if (cudaPointerGetAttributes(&a, p) != cudaSuccess)
		return (void)cudaGetLastError(), 0;
	return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream)
{
	cudaError_t status = cudaErrorInvalidValue;
	struct job j;
	size_t bytes = 0;
	uintptr_t apart;
	unsigned blocks;

	switch (rows_per_block) {
	default:
		goto done;
	case 1:
	case 2:
	case 4:
	case 8:;
	}
	if (x.type != y.type || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch)
		goto done;
	if (x.type == CUDA_R_32F)
		j.kind = job::JOB_FLOAT, bytes = sizeof(float);
	else if (x.type == CUDA_R_16F)
		j.kind = job::JOB_HALF, bytes = sizeof(__half);
	else if (x.type == CUDA_R_16BF)
		j.kind = job::JOB_BFLOAT, bytes = sizeof(__nv_bfloat16);
	else
		goto done;
	if (x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows < 0 || x.rows > INT32_MAX / x.cols)
		goto done;
	if (x.pitch < x.cols || (x.pitch & 3))
		goto done;
	status = cudaSuccess;
	if (!x.rows)
		goto done;
	status = cudaErrorInvalidValue;
	if (!is_device(x.data) || !is_device(y.data))
		goto done;
	bytes *= (size_t)(x.rows - 1) * x.pitch + x.cols;
	apart = (uintptr_t)x.data - (uintptr_t)y.data;
	if (apart < bytes || -apart < bytes)
		goto done;
	blocks = (unsigned)((x.rows - 1) / rows_per_block) + 1;
	work<<<blocks, dim3(32, rows_per_block), 0, stream>>>({x.data, y.data, {x.rows, x.cols, x.pitch}, j.kind}, {32, (unsigned)rows_per_block});
	status = cudaGetLastError();
done:
	return status;
}
