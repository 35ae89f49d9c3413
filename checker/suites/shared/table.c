/* Input matrices (see table.h). */
#include "table.h"

#include <string.h>

struct table table_new(struct context *context, enum element_type type, int64_t rows, int64_t cols,
                       int64_t pitch) {
    size_t count = (size_t)(rows * cols);
    return (struct table){type, rows, cols, pitch, check_memory(context, count * sizeof(double))};
}

void table_set(struct table *table, int64_t row, int64_t col, double value) {
    table->values[row * table->cols + col] = element_round(table->type, value);
}

double table_get(const struct table *table, int64_t row, int64_t col) {
    return table->values[row * table->cols + col];
}

const double *table_row(const struct table *table, int64_t row) {
    return table->values + row * table->cols;
}

void table_fill_normal(struct context *context, struct table *table, double mean, double deviation) {
    for (int64_t row = 0; row < table->rows; row++)
        for (int64_t col = 0; col < table->cols; col++)
            table_set(table, row, col, mean + deviation * check_normal(context));
}

void table_fill_row(struct table *table, int64_t row, double value) {
    for (int64_t col = 0; col < table->cols; col++)
        table_set(table, row, col, value);
}

void table_fill(struct table *table, double value) {
    for (int64_t row = 0; row < table->rows; row++)
        table_fill_row(table, row, value);
}

size_t table_bytes(const struct table *table) {
    if (table->rows == 0)
        return 0;
    return (size_t)((table->rows - 1) * table->pitch + table->cols) * element_bytes(table->type);
}

void *table_layout(struct context *context, const struct table *table) {
    size_t bytes = table_bytes(table);
    void *layout = check_memory(context, bytes);
    memset(layout, 0xFF, bytes);
    for (int64_t row = 0; row < table->rows; row++)
        for (int64_t col = 0; col < table->cols; col++)
            element_put(layout, (size_t)(row * table->pitch + col), table->type, table_get(table, row, col));
    return layout;
}

int table_add(struct context *context, struct test_case *test_case, const char *name,
              const struct table *table) {
    size_t bytes = table_bytes(table);
    return case_buffer(test_case, name, PLACE_DEVICE, BUFFER_READ_ONLY | BUFFER_RETURN, bytes,
                       table_layout(context, table), bytes);
}

void table_check_unchanged(struct context *context, const struct outcome *outcome, const struct table *table,
                           int buffer, const char *function) {
    const char *before = table_layout(context, table), *after = outcome_buffer(context, outcome, buffer);
    size_t bytes = element_bytes(table->type);
    for (int64_t row = 0; row < table->rows; row++)
        for (int64_t col = 0; col < table->cols; col++) {
            size_t place = (size_t)(row * table->pitch + col) * bytes;
            if (memcmp(before + place, after + place, bytes) == 0)
                continue;
            locate(context, "Row %lld, column %lld of x.", (long long)row, (long long)col);
            explain(context,
                    "x is an input: the caller may still need it. Scratch memory is there for everything "
                    "that lies between x and y.");
            check_fail(context, "%s changed its input x: it held %g and holds %g now.", function,
                       table_get(table, row, col), element_get(after, place / bytes, table->type));
        }
}

struct operand table_operand(const struct table *table, int buffer, int64_t offset) {
    struct operand operand = matrix_in(buffer, table->type, table->rows, table->cols, table->pitch);
    operand.offset = offset;
    return operand;
}
