/* The passes of the translator. Each looks at the tokens of a file and notes changes or remarks. */
#ifndef TRANSLATE_PASSES_H
#define TRANSLATE_PASSES_H

#include "edits.h"
#include "tokens.h"
#include "translate.h"

struct translation {
    struct source source;
    struct edits edits;
    struct diagnostics *diagnostics;
    bool failed; /* an error was reported */
};

/* One launch in a stream of tokens, by the indices of its parts. */
struct launch_syntax {
    size_t kernel;                   /* first token of the expression before `<<<` */
    size_t open;                     /* `<<<` */
    size_t close;                    /* first `>` of `>>>` */
    size_t arguments, arguments_end; /* `(` and `)` */
};

/* Reads the launch whose `<<<` is token open. NULL: done; else what is wrong with it, as the rest of a
 * sentence that begins with "this launch". */
const char *launch_read(const struct token_stream *stream, size_t open, struct launch_syntax *launch);

void translate_launches(struct translation *translation, const struct token_stream *stream);
void translate_kernel_pointers(struct translation *translation, const struct token_stream *stream);
void translate_variables(struct translation *translation, const struct token_stream *stream);

void warn_about_streams(struct translation *translation);
void warn_about_grid_barriers(struct translation *translation);
void warn_about_masks(struct translation *translation);

void report_error(struct translation *translation, size_t offset, const char *text);
void report_warning(struct translation *translation, size_t offset, const char *id, const char *text);

#endif
