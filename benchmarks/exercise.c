/* The exercises that can be measured, and SHAPES (see exercise.h). */
#include "exercise.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* The first two are the lesson's own (A2): rows that are few and odd, and many and wide. */
static const struct shape split_shapes[] = {
    {4, 32769, 32769}, {64, 131072, 131072}, {1, 131072, 131072}, {512, 131072, 131072}, {4096, 8192, 8192}};

/* The first is tutorial 02's own case; the others sweep the width. */
static const struct shape fused_shapes[] = {{1823, 781, 784},   {1823, 128, 128},   {1823, 256, 256},
                                            {1823, 512, 512},   {1823, 1024, 1024}, {16384, 781, 784},
                                            {65536, 1024, 1024}};

static const struct bench_exercise exercises[] = {
    {.name = "split_softmax",
     .parameter = "chunk",
     .symbol = "C",
     .parameters = {256, 1024, 4096},
     .parameter_count = 3,
     .max_cols = 131072,
     .usual = split_shapes,
     .usual_count = 2,
     .all_count = sizeof split_shapes / sizeof *split_shapes},
    {.name = "fused_softmax",
     .parameter = "rows_per_block",
     .symbol = "R",
     .parameters = {1, 2, 4, 8},
     .parameter_count = 4,
     .max_cols = 1024,
     .padded = true,
     .usual = fused_shapes,
     .usual_count = 5,
     .all_count = sizeof fused_shapes / sizeof *fused_shapes},
};

const struct bench_exercise *bench_exercise_find(const char *name) {
    for (size_t i = 0; i < sizeof exercises / sizeof *exercises; i++)
        if (strcmp(exercises[i].name, name) == 0)
            return &exercises[i];
    return NULL;
}

/* One "ROWSxCOLS" at *text, which is moved past it and a comma. */
static bool read_shape(const struct bench_exercise *exercise, const char **text, struct shape *shape) {
    char *end;
    shape->rows = strtoll(*text, &end, 10);
    if (end == *text || (*end != 'x' && *end != 'X'))
        return false;
    const char *second = end + 1;
    shape->cols = strtoll(second, &end, 10);
    if (end == second || (*end != '\0' && *end != ','))
        return false;
    *text = *end == ',' ? end + 1 : end;
    shape->pitch = exercise->padded ? (shape->cols + 3) / 4 * 4 : shape->cols;
    return shape->rows >= 1 && shape->cols >= 1 && shape->cols <= exercise->max_cols &&
           shape->rows <= INT32_MAX / shape->cols;
}

size_t shapes_read(const struct bench_exercise *exercise, const char *text, struct shape shapes[MOST_SHAPES],
                   char **trouble) {
    size_t count = 0;
    if (text == NULL || text[0] == '\0' || strcmp(text, "all") == 0) {
        count = text && text[0] ? exercise->all_count : exercise->usual_count;
        memcpy(shapes, exercise->usual, count * sizeof *shapes);
        return count;
    }
    for (const char *at = text; *at != '\0'; count++) {
        if (count == MOST_SHAPES || !read_shape(exercise, &at, &shapes[count])) {
            *trouble =
                format_text("SHAPES is 'all' or ROWSxCOLS,ROWSxCOLS ... (%d at most) with at most %lld "
                            "columns and less than 2^31 elements, not '%s'.",
                            MOST_SHAPES, (long long)exercise->max_cols, text);
            return 0;
        }
    }
    return count;
}

uint64_t shape_bytes(const struct shape *shape, enum element_type type) {
    return (uint64_t)shape->rows * (uint64_t)shape->cols * element_bytes(type);
}

int64_t shape_chunks(const struct bench_exercise *exercise, const struct shape *shape, int parameter) {
    return exercise->padded ? 1 : (shape->cols + parameter - 1) / parameter;
}
