/* What the buffers of a call hold: each matrix of each call in one table, from which gdb reads. */
#include "debug.h"
#include "numbers/element.h"
#include <string.h>

/* gdb has no 16-bit floats: their values by their bits. */
float debug_half[1 << 16], debug_bfloat16[1 << 16];

struct debug_matrix {
    const char *name; /* null: none */
    uintptr_t start;
    const unsigned char *written; /* of each byte, whether it has been; null: unknown */
    int64_t rows, cols, pitch, bytes;
    int type; /* enum element_type */
};

struct debug_call {
    const char *function;
    struct debug_matrix matrix[4];
} debug_calls[CASE_MAX_STEPS];
int debug_last_call;

void rows_open(void) {
    for (unsigned i = 0; i < 1 << 16; i++) {
        const uint16_t bits = (uint16_t)i;
        debug_half[i] = (float)element_get(&bits, 0, TYPE_FP16);
        debug_bfloat16[i] = (float)element_get(&bits, 0, TYPE_BF16);
    }
}

void rows_case_begins(void) {
    memset(debug_calls, 0, sizeof debug_calls);
}

uint64_t rows_written_by_host(const struct step *call) {
    return call->function == FUNCTION_ONLINE_STREAMING ? (uint64_t)call->number[0] * sizeof(double) : 0;
}

struct shape {
    const char *name;
    int64_t rows, cols, pitch;
    enum element_type type;
};

static struct shape dense(const char *name, int64_t rows, int64_t cols, enum element_type type) {
    return (struct shape){name, rows, cols, cols, type};
}

static struct shape matrix_shape(const char *name, const struct operand *operand) {
    return (struct shape){name, operand->rows, operand->cols, operand->pitch, (enum element_type)operand->type};
}

static int64_t chunks_of(const struct step *step) {
    return step->number[0] > 0 ? (step->operand[0].cols + step->number[0] - 1) / step->number[0] : 0;
}

/* protocol.h lists the operands of each function. name is null where there is none. */
static struct shape shape_of(const struct step *step, int i) {
    static const char *const partials[] = {"x", "partial_max", "partial_sum"},
                            *const merge[] = {"partial_max", "partial_sum", "row_max", "row_sum"},
                            *const normalize[] = {"x", "row_max", "row_sum", "y"}, *const both[] = {"x", "y"};
    const struct operand *operand = &step->operand[i];
    switch ((enum function)step->function) {
    case FUNCTION_SPLIT_PARTIALS:
        if (i == 0)
            return matrix_shape(partials[0], operand);
        if (i < 3)
            return dense(partials[i], step->operand[0].rows, chunks_of(step), TYPE_FP32);
        break;
    case FUNCTION_SPLIT_MERGE:
        return dense(merge[i], step->number[0], i < 2 ? step->number[1] : 1, TYPE_FP32);
    case FUNCTION_SPLIT_NORMALIZE:
        return i % 3 == 0 ? matrix_shape(normalize[i], operand)
                          : dense(normalize[i], step->operand[0].rows, 1, TYPE_FP32);
    case FUNCTION_SPLIT_SOFTMAX:
    case FUNCTION_FUSED_SOFTMAX:
        if (i < 2)
            return matrix_shape(both[i], operand);
        break;
    case FUNCTION_ONLINE_SUMMARIZE:
    case FUNCTION_ONLINE_STREAMING:
        if (i < (step->function == FUNCTION_ONLINE_SUMMARIZE ? 1 : 2))
            return dense(i == 0 ? "values" : "out", 1, step->number[0], TYPE_FP64);
        break;
    default:
        break;
    }
    return (struct shape){0};
}

void rows_call(int index, const struct step *step, void *const pointers[4]) {
    debug_last_call = index;
    debug_calls[index].function = function_name(step->function);
    for (int i = 0; i < 4; i++) {
        const struct shape shape = shape_of(step, i);
        const uintptr_t start = (uintptr_t)pointers[i];
        if (shape.name != NULL && start != 0)
            debug_calls[index].matrix[i] =
                (struct debug_matrix){shape.name, start, threads_written(start), shape.rows, shape.cols, shape.pitch,
                                      (int64_t)element_bytes(shape.type), (int)shape.type};
    }
}
