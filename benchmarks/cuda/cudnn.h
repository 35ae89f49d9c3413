/* cuDNN's softmax, where its library is found when the benchmark runs. Nothing of it is needed to build. */
#ifndef BENCH_CUDNN_H
#define BENCH_CUDNN_H

#include "variant.h"

/* Loads the library. Returns null, or a sentence (from malloc). Once is enough. */
char *cudnn_open(void);

/* CUDNN_SOFTMAX_ACCURATE over each row. */
cudaError_t cudnn_softmax(const struct variant *variant, const struct slot *slot, cudaStream_t stream);

/* "9.13.0", or "" where it was not found. */
const char *cudnn_version(void);

#endif
