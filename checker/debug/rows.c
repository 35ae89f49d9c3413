/* What the buffers of a call hold: each matrix of each call in one table, from which gdb reads. */
#include "debug.h"
#include "exercises/exercises.h"
#include "numbers/element.h"
#include <stdio.h>
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

static struct buffer_spec buffers[CASE_MAX_BUFFERS];
static int buffer_count;

void rows_case_begins(void) {
    memset(debug_calls, 0, sizeof debug_calls);
    buffer_count = 0;
}

void rows_buffer(const struct buffer_spec *spec) {
    if (buffer_count < CASE_MAX_BUFFERS)
        buffers[buffer_count++] = *spec;
}

/* Whether the function takes operand i: the table of exercises has its arguments as text. */
static bool is_taken(uint32_t function, int i) {
    static const char *const arguments[] = {
#define EXERCISE(name, runner, lesson, parameter, usual)
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told) #arguments,
#include "exercises/table.def"
#undef EXERCISE
#undef FUNCTION
    };
    char pointer[16], matrix[24];
    snprintf(pointer, sizeof pointer, "POINTER(%d)", i);
    snprintf(matrix, sizeof matrix, "OPERAND_MATRIX(%d)", i);
    return function < FUNCTIONS &&
           (strstr(arguments[function], pointer) || strstr(arguments[function], matrix));
}

/* A vector with so many elements for each row of the call is shown as a matrix. */
static struct debug_matrix matrix_of(const struct step *step, int i, uintptr_t start) {
    const struct operand *operand = &step->operand[i];
    const struct buffer_spec *buffer = &buffers[operand->buffer];
    const bool has_type = operand->rows > 0 || operand->cols > 0;
    const enum element_type type = has_type            ? (enum element_type)operand->type
                                   : debug_has_threads ? TYPE_FP32
                                                       : TYPE_FP64;
    const int64_t bytes = (int64_t)element_bytes(type);
    struct debug_matrix matrix = {buffer->name,  start,         threads_written(start),
                                  operand->rows, operand->cols, operand->pitch,
                                  bytes,         (int)type};
    if (operand->rows > 0 || bytes == 0)
        return matrix;
    const int64_t count =
        operand->cols > 0 ? operand->cols : ((int64_t)buffer->bytes - operand->offset) / bytes;
    const int64_t rows = step->operand[0].rows > 0 ? step->operand[0].rows
                         : debug_has_threads       ? step->number[0]
                                                   : 1;
    matrix.rows = rows > 0 && count % rows == 0 ? rows : 1;
    matrix.cols = matrix.pitch = count / matrix.rows;
    return matrix;
}

void rows_call(int index, const struct step *step, void *const pointers[4]) {
    debug_last_call = index;
    debug_calls[index].function = function_name(step->function);
    for (int i = 0; i < 4; i++)
        if (step->operand[i].buffer >= 0 && step->operand[i].buffer < buffer_count &&
            is_taken(step->function, i))
            debug_calls[index].matrix[i] = matrix_of(step, i, (uintptr_t)pointers[i]);
}

bool rows_hold(int index, uintptr_t address) {
    for (int i = 0; i < 4; i++) {
        const struct debug_matrix *matrix = &debug_calls[index].matrix[i];
        if (matrix->name != NULL &&
            address - matrix->start < (uint64_t)(matrix->rows * matrix->pitch * matrix->bytes))
            return true;
    }
    return false;
}
