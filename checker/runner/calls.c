/* Calling the functions of a submission: for each, its type (from the exercise's header) and how the operands
 * and numbers of a step become its arguments (protocol.h lists them). */
#include "runner.h"
#include <dlfcn.h>

#define EXERCISE_HEADERS
#define EXERCISE(name, runner, lesson, parameter, usual)
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)
#include "exercises/table.def"
#undef EXERCISE_HEADERS
#undef FUNCTION

static void *addresses[FUNCTIONS];

void calls_open(void *submission) {
    for (int i = 0; i < FUNCTIONS; i++)
        addresses[i] = dlsym(submission, function_name((uint32_t)i));
}

static matrix matrix_of(const struct step *step, void *const pointers[4], int i) {
    const struct operand *operand = &step->operand[i];
    return (matrix){pointers[i], (cudaDataType_t)operand->type, operand->rows, operand->cols, operand->pitch};
}

/* How the table writes an argument and a result. */
#define OPERAND_MATRIX(i) matrix_of(step, pointers, i)
#define POINTER(i) pointers[i]
#define NUMBER(i) step->number[i]
#define INT(i) (int)step->number[i]
#define SIZE(i) (size_t) step->number[i]
#define FLOAT(i) (float)step->real[i]
#define REALS(i) ((softmax_state){step->real[i], step->real[i + 1]})
#define STREAM stream
#define VALUE returned->value = (int64_t)
#define STATE state =

bool call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                   struct returned *returned) {
    void *address = step->function < FUNCTIONS ? addresses[step->function] : NULL;
    softmax_state state = {0, 0};
    if (address == NULL)
        return false;
    switch ((enum function)step->function) {
/* The address, as a pointer to the type that the function has in its exercise's header. */
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)                             \
    case FUNCTION_##id:                                                                                      \
        result(__extension__(__typeof__(&name)) address) arguments;                                          \
        break;
#include "exercises/table.def"
    }
    returned->max = state.max;
    returned->sum = state.sum;
    return true;
}
