/* What was timed, as a table on the terminal. */
#ifndef BENCH_TIME_TABLE_H
#define BENCH_TIME_TABLE_H

#include <jansson.h>
#include <stdio.h>

void time_table_print(FILE *out, const json_t *document);

#endif
