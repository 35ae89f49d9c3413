/* Which form is quicker, as measured on an H200: docs/optimizing.md has the rule, its errors, and what they cost. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cluster a row moves each element once, and is quicker but for three kinds of matrix:
 * - one or two rows in FP32 that are wider than 16 SMs hold at a time: two kernels spread them over all SMs;
 * - very many rows of one small chunk: what a cluster costs to start is then more than what it saves;
 * - more than 8 and up to 512 rows of 2-byte elements that do not start at a multiple of 16 bytes: the cluster guards each
 *   of its loads there.
 * With chunks of 256 two kernels were never ahead by more than noise. */
static inline bool clusters_are_quicker(int64_t rows, int64_t cols, size_t element_bytes, int chunk) {
    enum {
        FULL_CLUSTER = 65536,
        SMALL_CHUNK = 1024,
        VERY_MANY = 2048,
        FEW = 8,
        MANY = 512,
        GROUP_BYTES = 16
    };
    if (chunk < SMALL_CHUNK)
        return true;
    if (rows <= 2 && element_bytes == 4 && cols > FULL_CLUSTER)
        return false;
    if (rows >= VERY_MANY && cols <= SMALL_CHUNK && chunk == SMALL_CHUNK)
        return false;
    const bool guarded = (size_t)cols * element_bytes % GROUP_BYTES != 0;
    return !(element_bytes == 2 && guarded && rows > FEW && rows <= MANY);
}
