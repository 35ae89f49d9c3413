/* The table of exercises (table.def) as C has it. */
#ifndef EXERCISES_H
#define EXERCISES_H

#include <stdbool.h>
#include <stdint.h>

/* What a submission runs on: the simulator, a GPU, or the CPU, for an exercise without CUDA. */
enum runtime { RUNTIME_SIMULATOR, RUNTIME_CUDA, RUNTIME_HOST };

/* "simulator", "cuda" or "host", as options and programs name them; anything else is the simulator. */
enum runtime runtime_named(const char *name);

/* The number of each function in a case: FUNCTION_SPLIT_MERGE ... */
enum function {
#define EXERCISE(name, runner, lesson, parameter, usual)
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told) FUNCTION_##id,
#include "table.def"
#undef EXERCISE
#undef FUNCTION
};

enum {
    FUNCTIONS = 0
#define EXERCISE(name, runner, lesson, parameter, usual)
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told) +1
#include "table.def"
#undef EXERCISE
#undef FUNCTION
};

/* When a function has work, so that its kernels read their inputs. */
enum work {
    WORK_NONE,   /* it launches no kernel */
    WORK_MATRIX, /* operand 0 has rows and columns */
    WORK_COUNTED /* numbers 0 and 1 are positive */
};

struct function_entry {
    const char *exercise, *name, *file;
    bool is_operator; /* may call every other function of its exercise */
    enum work work;
    int inputs;       /* operands that its kernels read at least one of, from the first */
    const char *told; /* what follows the name in "In split_softmax, 3 x 1025, FP32, chunk size 256." */
};

/* Null: there is none of this number. */
const struct function_entry *function_entry(uint32_t function);

/* "split_softmax_merge"; "?": there is none of this number. */
const char *function_name(uint32_t function);

struct exercise_entry {
    const char *name, *runner, *lesson;
    const char *parameter; /* what the caller chooses beside the data, "chunk"; "none": nothing */
    int usual;             /* its usual value */
};

/* Null: there is none of this name. */
const struct exercise_entry *exercise_entry(const char *name);

#endif
