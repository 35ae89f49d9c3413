/* The table of exercises, laid out (see exercises.h). */
#include "exercises/exercises.h"
#include <stddef.h>
#include <string.h>

#define STAGE false
#define OPERATOR true
#define NOTHING WORK_NONE, 0
#define MATRIX(count) WORK_MATRIX, count
#define COUNTED(count) WORK_COUNTED, count

static const struct function_entry functions[] = {
#define EXERCISE(name, runner, lesson, parameter, usual)
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)                             \
    [FUNCTION_##id] = {#exercise, #name, file, role, reads, told},
#include "table.def"
#undef EXERCISE
#undef FUNCTION
};

static const struct exercise_entry exercises[] = {
#define EXERCISE(name, runner, lesson, parameter, usual) {#name, #runner, lesson, #parameter, usual},
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)
#include "table.def"
#undef EXERCISE
#undef FUNCTION
};

enum runtime runtime_named(const char *name) {
    return strcmp(name, "cuda") == 0   ? RUNTIME_CUDA
           : strcmp(name, "host") == 0 ? RUNTIME_HOST
                                       : RUNTIME_SIMULATOR;
}

const struct function_entry *function_entry(uint32_t function) {
    return function < FUNCTIONS ? &functions[function] : NULL;
}

const char *function_name(uint32_t function) {
    return function < FUNCTIONS ? functions[function].name : "?";
}

const struct exercise_entry *exercise_entry(const char *name) {
    for (size_t i = 0; i < sizeof exercises / sizeof *exercises; i++)
        if (strcmp(exercises[i].name, name) == 0)
            return &exercises[i];
    return NULL;
}
