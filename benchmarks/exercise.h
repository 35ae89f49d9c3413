/* What the benchmark knows of an exercise: its shapes, and the parameter that is swept. */
#ifndef BENCH_EXERCISE_H
#define BENCH_EXERCISE_H

#include "numbers/element.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_SHAPES = 32, MOST_PARAMETERS = 4 };

struct shape {
    int64_t rows, cols, pitch; /* pitch: elements from row to row */
};

struct bench_exercise {
    const char *name;      /* "split_softmax" */
    const char *parameter; /* "chunk": what is swept */
    const char *symbol;    /* "C": what stands before its value in tables and plots */
    int parameters[MOST_PARAMETERS];
    size_t parameter_count;
    int64_t max_cols;
    bool padded;               /* the pitch is the next multiple of 4, as fused_softmax has it */
    const struct shape *usual; /* shapes by default, then those that SHAPES=all adds */
    size_t usual_count, all_count;
};

/* Null for an exercise that cannot be measured. */
const struct bench_exercise *bench_exercise_find(const char *name);

/* Reads SHAPES: "" or null for the usual ones, "all", or "4x32769,64x131072". Returns how many, or 0 with
 * *trouble a sentence (from malloc). */
size_t shapes_read(const struct bench_exercise *exercise, const char *text, struct shape shapes[MOST_SHAPES],
                   char **trouble);

/* Bytes of a matrix of this shape, rows only, without their padding. */
uint64_t shape_bytes(const struct shape *shape, enum element_type type);

/* T = ceil(cols / chunk) for split_softmax; 1 for fused_softmax, which cuts no row. */
int64_t shape_chunks(const struct bench_exercise *exercise, const struct shape *shape, int parameter);

#endif
