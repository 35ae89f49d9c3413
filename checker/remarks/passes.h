/* The passes: each looks at the tokens of a file and makes its remarks. */
#ifndef REMARKS_PASSES_H
#define REMARKS_PASSES_H

#include "buffer.h"
#include "remarks.h"
#include "tokens.h"

struct reading {
    struct source source;
    struct remarks *remarks;
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

void warn_about_streams(struct reading *reading);
void warn_about_grid_barriers(struct reading *reading);
void warn_about_masks(struct reading *reading);
void warn_about_local_arrays(struct reading *reading);

void report_remark(struct reading *reading, size_t offset, const char *id, const char *text);

#endif
