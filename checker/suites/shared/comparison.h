/* Comparing an array that came back with what is expected, and saying where they differ. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "check/check.h"
#include "numbers/element.h"

/* Says what the wrong value at [row, col] usually means: explain() and read_next(), or nothing. */
typedef void diagnosis(struct context *context, const void *data, int64_t row, int64_t col, double got);

struct comparison {
    const char *array;    /* "partial_sum" */
    const char *col_name; /* what an element of a row is: "column", "chunk"; null where a row has only one */
    enum element_type type;
    int64_t rows, cols, pitch;
    const double *expected; /* [rows, cols], dense */
    const void *got;        /* [rows, cols], pitch elements from row to row */
    double rtol, atol;      /* right is: at most atol + rtol * |expected| away, */
    double spacings;        /* and so many times the distance between neighbours of the type */
    bool nan_is_free;       /* where NaN is expected, anything will do; else only NaN does */
    diagnosis *locate_more; /* adds to the place: the columns of a chunk, say; may be null */
    diagnosis *diagnose;    /* may be null */
    const void *data;       /* for the two */
};

/* Fails the check at the first element that is wrong, naming its place, both values and how many more. */
void compare(struct context *context, struct comparison comparison);

/* A value as a student reads it: "0.25", "NaN", "-inf". */
const char *value_text(struct context *context, double value);

/* ---- recognising a mistake by its numbers ---- */

struct suspect {
    double value;        /* what this mistake would give */
    double rtol;         /* how near is near; 0: 1e-4 */
    const char *means;   /* what the student probably did */
    const char *section; /* of the lesson */
};

/* Explains by the first suspect whose value was got. Returns false where none matches. Suspects that would
 * give the right value too are passed over, since they explain nothing. */
bool recognise(struct context *context, const char *lesson, double got, double right,
               const struct suspect *suspects, size_t count);

#endif
