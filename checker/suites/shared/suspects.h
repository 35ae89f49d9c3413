/* Recognising a mistake by its numbers.
 *
 * A suspect states what each element of an array would be by one mistake. It is told only where it accounts for all that is
 * looked at: for elements that came out wrong, and for those that came out right. One number alone fits many a mistake by
 * chance. NaN says nothing of its own: it is near no suspect's value, so a suspect that fits the numbers is declined where
 * there are NaN beside them that it does not expect. */
#ifndef SUSPECTS_H
#define SUSPECTS_H

#include "check/check.h"

enum { MOST_SUSPECTS = 128 };

struct suspect {
    double value;        /* what this mistake would give here; NaN: it says nothing of this element */
    double rtol;         /* how near is near; 0: 1e-4 */
    const char *means;   /* what the student probably did; %lld in it is the number */
    const char *section; /* of the lesson */
    int kin;             /* of those alike only the first is told that fits; 0: it is alone */
    long long number;
};

/* Writes the suspects of the element at [row, col], at most MOST_SUSPECTS: for each element the same ones, in the same order,
 * the likelier first. Returns how many. */
typedef size_t suspects_of(struct context *context, const void *data, int64_t row, int64_t col,
                           struct suspect *suspects);

struct comparison;

/* Explains the wrong element at [row, col] by the suspects that account for all of the array; two that do are both named.
 * Returns false where none does. */
bool suspects_explain(struct context *context, const struct comparison *comparison, int64_t row, int64_t col);

#endif
