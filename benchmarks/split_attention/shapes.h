/* What is measured of split_attention: heads x keys, each with dim 64 and 128. */
#ifndef ATTENTION_SHAPES_H
#define ATTENTION_SHAPES_H

#include "numbers/element.h"
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ATTENTION_SHAPES = 16, ATTENTION_CHUNKS = 3 };

struct attention_shape {
    int64_t heads, keys;
    int dim;
};

extern const int attention_bench_chunks[ATTENTION_CHUNKS]; /* 64, 256, 1024 */

/* The command line of both programs. */
struct attention_settings {
    const char *implementation, *submission, *runner, *output, *torch, *command;
    uint64_t seed;
    int samples;
    struct attention_shape shapes[MOST_ATTENTION_SHAPES];
    size_t shape_count;
};

/* usual: SHAPES where none are given. Ends the program with status 3 and a sentence where something makes no sense. */
struct attention_settings attention_settings_read(int count, char **arguments, const char *usual);

/* Bytes of k and v together: what has to be read. */
uint64_t attention_floor_bytes(const struct attention_shape *shape, enum element_type type);

/* A new record, and a case in it with no variants yet (borrowed). measures: "times" or "counts". */
json_t *attention_record(const struct attention_settings *settings, const char *measures);
json_t *attention_case(json_t *record, const struct attention_shape *shape, enum element_type type);

/* Writes the record whole, a variant a line. */
void attention_record_write(const json_t *record, const char *path);

/* Ends the program with a sentence and status 3. */
_Noreturn void attention_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
