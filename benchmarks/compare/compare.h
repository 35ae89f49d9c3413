/* make compare: two submissions of one exercise, observed in the simulator. Data flows one way:
 *
 *   observe.c      a submission at a few shapes -> counts, each call by itself (JSON)
 *   least.c        the least that the contract allows, in the same form
 *   metrics.c      one count of one call, from that form
 *   differences.c  two observations -> what differs, the weightiest first
 *   words.c        one difference -> a sentence
 *   times.c        times of both, measured on a GPU or recorded -> lines, and a sentence
 *   tables.c       what is printed
 *   bars.c         compare.png and .svg
 *   functions.c    DIFF: sources side by side
 *
 * compare.json holds what observe.c and least.c give, and the differences; docs/compare.md tells its fields. */
#ifndef COMPARE_H
#define COMPARE_H

#include "calls.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { COMPARE_VERSION = 1, MULTIPROCESSORS = 132 /* of an H200 */, MOST_DIFFERENCES = 5 };
#define COMPARE_FORMAT "softmax-workshop compare"

/* One of the two that are compared. */
struct side {
    const char *name;           /* "yours", "the solution", "wide_loads", a folder */
    const char *implementation; /* as records have it */
    const char *submission;     /* the shared object */
    const char *source;         /* the folder of its sources */
    const char *checks;         /* check.json */
};

/* What an exercise is observed at: the telling shapes in each type. Null where nothing can be observed. */
const struct setting *settings_of(const char *exercise, size_t *count);

/* ---- observe.c ---- */

/* Calls each function of the exercise once at each setting. Returns an array of cases: "rows", "cols", "pitch",
 * "type", "parameter", "parts": an object by function ("partials", ..., "operator"), and "error" where the
 * operator's numbers could be compared: "right", "share" of the tolerance, "ulp". */
json_t *observe(const char *exercise, const struct side *side, const char *runner, uint64_t seed);

/* ---- least.c ---- */

/* The least counts of one part, as an object of the same form with fewer fields. */
json_t *least_counts(const char *exercise, const char *part, const struct setting *setting);

/* ---- metrics.c ---- */

/* A buffer of a part, or null: it was not touched. */
const json_t *buffer_of(const json_t *part, const char *name);
double part_number(const json_t *part, const char *key); /* 0 where there is none */
/* Over all kernels of a part: the most blocks of one that touches memory most, the lanes of a request, ... */
double part_lanes(const json_t *part);
double part_bytes(const json_t *part);
double part_barriers_a_block(const json_t *part);
const json_t *main_kernel(const json_t *part); /* the one that moves the most bytes; null: none */

/* ---- differences.c ---- */

/* Objects "part", "count", "weight" (about the share of the operator's time that hangs on it; above 0: the
 * other does better), "words"; the weightiest first. reasons: say why, which holds for the kit's solution
 * only. */
json_t *differences(const json_t *record, bool reasons);

/* ---- words.c ---- */

char *times_words(double times); /* "once", "twice", "three times", "2.5 times": from malloc */
/* "split_softmax.cu:41, :48 and :90": where a part reads (or writes) a buffer, the most bytes first. "" where
 * it is not known. */
char *lines_words(const json_t *part, const char *buffer, const char *kind);
/* Why the solution does better at this count of this part, with the lesson's section, or null. */
const char *reason_words(const char *exercise, const char *part, const char *count);
char *count_words(double count); /* "512", "65,536", "2.1 million": from malloc */

/* ---- tables.c ---- */

void compare_print(FILE *output, const json_t *record, bool all);

/* ---- times.c ---- */

/* Of a record of make bench, or null: "measured" false, "head" and "lines" as printed: the other's alone. */
json_t *times_recorded(const json_t *record, const char *other);
/* Of a record in which both were timed in the same rounds: "measured" true, "pairs", and "words", which close. */
json_t *times_measured(const json_t *record, const char *other);

/* ---- bars.c ---- */

/* Draws FOLDER/compare.png and .svg. Returns null or a sentence (from malloc). */
char *compare_draw(const json_t *record, const char *folder);

/* ---- functions.c ---- */

/* Prints each function of the one file beside that of the same name in the other, by diff. Returns 0 or an
 * errno. */
int functions_print(FILE *output, const char *yours, const char *others, const char *name);

#endif
