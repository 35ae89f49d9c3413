/* A matrix of input values on the checker's side, as FP64 and as the bytes a case is given. */
#ifndef TABLE_H
#define TABLE_H

#include "check/check.h"
#include "numbers/element.h"

/* values: [rows, cols], dense, each one rounded to the type, so that they are exactly what a kernel reads. */
struct table {
    enum element_type type;
    int64_t rows, cols, pitch;
    double *values;
};

/* All zeros; pitch in elements. */
struct table table_new(struct context *context, enum element_type type, int64_t rows, int64_t cols,
                       int64_t pitch);

void table_set(struct table *table, int64_t row, int64_t col, double value);
double table_get(const struct table *table, int64_t row, int64_t col);
const double *table_row(const struct table *table, int64_t row);

/* Fills. Normal values with this mean and deviation; one value everywhere; one row with one value. */
void table_fill_normal(struct context *context, struct table *table, double mean, double deviation);
void table_fill(struct table *table, double value);
void table_fill_row(struct table *table, int64_t row, double value);

/* Bytes from the first element to the last, which is where the padding after the last row is not. */
size_t table_bytes(const struct table *table);

/* The elements as they lie in memory, table_bytes() of them; padding inside the pitch is 0xFF. */
void *table_layout(struct context *context, const struct table *table);

/* Adds the table to a case as a read-only buffer that ends with the last element, and comes back. */
int table_add(struct context *context, struct test_case *test_case, const char *name,
              const struct table *table);

/* Fails the check when the buffer does not hold the table's bytes any more: an operator changed its input. */
void table_check_unchanged(struct context *context, const struct outcome *outcome, const struct table *table,
                           int buffer, const char *function);

/* The operand that hands the table in this buffer, at this offset in bytes, to an operator. */
struct operand table_operand(const struct table *table, int buffer, int64_t offset);

#endif
