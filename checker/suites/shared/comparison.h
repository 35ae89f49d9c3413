/* Comparing an array that came back with what is expected, and saying where they differ. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "check/check.h"
#include "numbers/element.h"
#include "suspects.h"

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
    const double *allowed;  /* [rows]: so far besides, in each row its own; may be null */
    bool nan_is_free;       /* where NaN is expected, anything will do; else only NaN does */
    diagnosis *locate_more; /* adds to the place: the columns of a chunk, say; may be null */
    suspects_of *suspects;  /* mistakes that state what each element would be; may be null */
    diagnosis *diagnose;    /* where none of them is it; may be null */
    const void *data;       /* for the three */
    const char *lesson;     /* of the suspects' sections */
};

/* Fails the check at the first element that is wrong, naming its place, both values and how many more. */
void compare(struct context *context, struct comparison comparison);

/* Whether the element is what is expected, as nearly as is asked for. */
bool comparison_is_right(const struct comparison *comparison, int64_t row, int64_t col);

/* A value as a student reads it: "0.25", "NaN", "-inf". */
const char *value_text(struct context *context, double value);

#endif
