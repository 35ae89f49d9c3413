/* Calling the functions of a submission: for each, its type (from the exercise's header) and how the operands
 * and numbers of a step become its arguments (protocol.h lists them). */
#include "../../exercises/fused_softmax/fused_softmax.h"
#include "../../exercises/online_softmax/online_softmax.h"
#include "../../exercises/row_reduction/row_reduction.h"
#include "../../exercises/split_softmax/split_softmax.h"
#include "runner.h"
#include <dlfcn.h>

enum { FUNCTIONS = FUNCTION_ROW_SUM + 1 };

static void *addresses[FUNCTIONS];

void calls_open(void *submission) {
    for (int i = 0; i < FUNCTIONS; i++)
        addresses[i] = dlsym(submission, function_name((uint32_t)i));
}

static matrix matrix_of(const struct step *step, void *const pointers[4], int i) {
    const struct operand *operand = &step->operand[i];
    return (matrix){pointers[i], (cudaDataType_t)operand->type, operand->rows, operand->cols, operand->pitch};
}

/* The function at this index, as a pointer to the type of a function in the headers. */
#define FUNCTION(name) (__extension__(__typeof__(&name)) address)

bool call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                   struct returned *returned) {
    void *address = step->function < FUNCTIONS ? addresses[step->function] : NULL;
    const int64_t *number = step->number;
    softmax_state state = {0, 0};
    if (address == NULL)
        return false;
    switch ((enum function)step->function) {
    case FUNCTION_SPLIT_CHUNKS:
        returned->value = FUNCTION(split_softmax_chunks)(number[0], (int)number[1]);
        break;
    case FUNCTION_SPLIT_SCRATCH:
        returned->value =
            (int64_t)FUNCTION(split_softmax_scratch_bytes)(number[0], number[1], (int)number[2]);
        break;
    case FUNCTION_SPLIT_PARTIALS:
        returned->value = FUNCTION(split_softmax_partials)(matrix_of(step, pointers, 0), (int)number[0],
                                                           pointers[1], pointers[2], stream);
        break;
    case FUNCTION_SPLIT_MERGE:
        returned->value = FUNCTION(split_softmax_merge)(pointers[0], pointers[1], number[0], number[1],
                                                        pointers[2], pointers[3], stream);
        break;
    case FUNCTION_SPLIT_NORMALIZE:
        returned->value =
            FUNCTION(split_softmax_normalize)(matrix_of(step, pointers, 0), (int)number[0], pointers[1],
                                              pointers[2], matrix_of(step, pointers, 3), stream);
        break;
    case FUNCTION_SPLIT_SOFTMAX:
        returned->value = FUNCTION(split_softmax)(matrix_of(step, pointers, 0), matrix_of(step, pointers, 1),
                                                  (int)number[0], stream);
        break;
    case FUNCTION_FUSED_SOFTMAX:
        returned->value = FUNCTION(fused_softmax)(matrix_of(step, pointers, 0), matrix_of(step, pointers, 1),
                                                  (int)number[0], stream);
        break;
    case FUNCTION_ONLINE_SUMMARIZE:
        state = FUNCTION(softmax_summarize)(pointers[0], (size_t)number[0]);
        break;
    case FUNCTION_ONLINE_MERGE:
        state = FUNCTION(softmax_merge)((softmax_state){step->real[0], step->real[1]},
                                        (softmax_state){step->real[2], step->real[3]});
        break;
    case FUNCTION_ONLINE_STREAMING:
        returned->value =
            FUNCTION(softmax_streaming)(pointers[0], (size_t)number[0], (size_t)number[1], pointers[1]);
        break;
    case FUNCTION_ROW_SCALE:
        returned->value = FUNCTION(row_scale)(matrix_of(step, pointers, 0), (float)step->real[0],
                                              matrix_of(step, pointers, 1), stream);
        break;
    case FUNCTION_ROW_MAX:
        returned->value = FUNCTION(row_max)(matrix_of(step, pointers, 0), pointers[1], stream);
        break;
    case FUNCTION_ROW_SUM:
        returned->value = FUNCTION(row_sum)(matrix_of(step, pointers, 0), pointers[1], stream);
        break;
    }
    returned->max = state.max;
    returned->sum = state.sum;
    return true;
}
