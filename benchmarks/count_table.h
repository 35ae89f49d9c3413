/* What was counted, as a table on the terminal. */
#ifndef BENCH_COUNT_TABLE_H
#define BENCH_COUNT_TABLE_H

#include <jansson.h>
#include <stdio.h>

void count_table_print(FILE *out, const json_t *document);

#endif
