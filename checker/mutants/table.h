/* Records (record.h) as tables in Markdown. */
#ifndef MUTANTS_TABLE_H
#define MUTANTS_TABLE_H

#include <stddef.h>

/* Prints a section for each record: counts by operator, counts by check, survivors with their reasons.
 * Returns 0, or 2 when a record cannot be read. */
int table_print(char **paths, size_t count);

#endif
