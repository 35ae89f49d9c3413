/* Looks through a source file of a submission for what would go past the checker's instrumentation: names of
 * the runner's own, attributes that switch the instrumentation off, names given to the linker. Changes
 * nothing. */
#ifndef TRANSLATE_INSPECT_H
#define TRANSLATE_INSPECT_H

#include "translate.h"

/* Notes an error for each thing found. expanded: the text has gone through the preprocessor, so attributes
 * that place a variable may be those of the simulator's own macros. */
void inspect_source(const char *text, size_t length, bool expanded, struct diagnostics *diagnostics);

#endif
