/* A row that is wrong, and mistakes that both reductions share (see judged.h). */
#include "judged.h"

#include <math.h>

const struct table *row_input(const struct judged *judged) {
    return &judged->problem->x;
}

bool row_is_sum(const struct judged *judged) {
    return judged->problem->function == FUNCTION_ROW_SUM;
}

static double result_of(const struct judged *judged, int64_t row) {
    const char *bytes = judged->outcome->buffers[judged->placed.output].bytes;
    return element_get(bytes + judged->placed.guard, (size_t)row, TYPE_FP32);
}

/* Element n of x as it lies in memory, padding and all. */
double row_in_memory(const struct judged *judged, int64_t n) {
    const struct table *x = row_input(judged);
    const int64_t row = n / x->pitch, col = n % x->pitch;
    return row >= x->rows ? NAN : col < x->cols ? table_get(x, row, col) : judged->problem->padding;
}

/* One value more in a result. */
static double with(const struct judged *judged, double result, double value) {
    return row_is_sum(judged) ? result + value : fmax(result, value);
}

static double of_nothing(const struct judged *judged) {
    return row_is_sum(judged) ? 0 : -INFINITY;
}

double row_magnitudes(const struct table *x, int64_t row) {
    double sum = 0;
    for (int64_t col = 0; col < x->cols; col++)
        sum += fabs(table_get(x, row, col));
    return sum;
}

/* Close enough to be the same result of this row. */
static bool agrees(const struct judged *judged, int64_t row, double a, double b) {
    const double allowed = row_is_sum(judged) ? 1e-5 * row_magnitudes(row_input(judged), row) : 0;
    return a == b || fabs(a - b) <= allowed || (row_is_sum(judged) && fabs(a - b) <= 1e-6 * fabs(b));
}

static bool explains(const struct judged *judged, const struct mistake *mistake) {
    bool differs = false;
    for (int64_t row = 0; row < row_input(judged)->rows; row++) {
        const double mistaken = mistake->result(judged, row, mistake->parameter);
        if (!agrees(judged, row, result_of(judged, row), mistaken))
            return false;
        differs |= !agrees(judged, row, mistaken, judged->expected[row]);
    }
    return differs;
}

bool row_explain_first(struct context *context, const struct judged *judged, const struct mistake *mistakes,
                       size_t count) {
    for (size_t i = 0; i < count; i++)
        if (explains(judged, &mistakes[i])) {
            explain(context, "%s", mistakes[i].means);
            read_next(context, ROW_LESSON, mistakes[i].section);
            return true;
        }
    return false;
}

/* ---- rows that are the wrong ones ---- */

double row_at_cols(const struct judged *judged, int64_t row, int64_t unused) {
    double result = of_nothing(judged);
    (void)unused;
    for (int64_t i = 0; i < row_input(judged)->cols; i++)
        result = with(judged, result, row_in_memory(judged, row * row_input(judged)->cols + i));
    return result;
}

/* The row as it goes on behind its end, up to the pitch: what a NaN there does, agrees() leaves out. */
double row_with_padding(const struct judged *judged, int64_t row, int64_t unused) {
    double result = of_nothing(judged);
    (void)unused;
    for (int64_t i = 0; i < row_input(judged)->pitch; i++)
        result = with(judged, result, row_in_memory(judged, row * row_input(judged)->pitch + i));
    return result;
}

double row_of_all_rows(const struct judged *judged, int64_t unused, int64_t parameter) {
    double result = of_nothing(judged);
    (void)unused, (void)parameter;
    for (int64_t row = 0; row < row_input(judged)->rows; row++)
        result = with(judged, result, judged->expected[row]);
    return result;
}

double row_of_row_zero(const struct judged *judged, int64_t unused, int64_t parameter) {
    (void)unused, (void)parameter;
    return judged->expected[0];
}

/* ---- columns that are left out ---- */

enum part {
    ALL_BUT_THE_LAST,
    FIRST_WARP,  /* of each block of so many threads */
    THREAD_ZERO, /* of a block of so many threads */
    EVEN_COLUMNS,
    FIRST_ROUND,  /* the first so many columns */
    WHOLE_ROUNDS, /* as many whole times so many columns as there are */
    LOWER_HALF    /* of each block of so many threads */
};

enum { PART_SHIFT = 16 }; /* a parameter: the part, and the block's width below it */

static bool is_in(enum part part, int64_t col, int64_t cols, int64_t block) {
    switch (part) {
    case ALL_BUT_THE_LAST:
        return col < cols - 1;
    case FIRST_WARP:
        return col % block < 32;
    case THREAD_ZERO:
        return col % block == 0;
    case EVEN_COLUMNS:
        return col % 2 == 0;
    case FIRST_ROUND:
        return col < block;
    case WHOLE_ROUNDS:
        return col < cols / block * block;
    case LOWER_HALF:
        return col % block < block / 2;
    }
    return true;
}

static double of_part(const struct judged *judged, int64_t row, int64_t parameter) {
    const enum part part = (enum part)(parameter >> PART_SHIFT);
    const int64_t block = parameter & ((1 << PART_SHIFT) - 1), cols = row_input(judged)->cols;
    double result = of_nothing(judged);
    for (int64_t col = 0; col < cols; col++)
        if (is_in(part, col, cols, block))
            result = with(judged, result, table_get(row_input(judged), row, col));
    return result;
}

bool row_recognise_part(struct context *context, const struct judged *judged) {
    static const struct {
        enum part part;
        int64_t least; /* width of a block */
        const char *means;
    } parts[] = {
        {ALL_BUT_THE_LAST, 1024, "The last column of each row is left out: the loop ends one too early."},
        {EVEN_COLUMNS, 1024,
         "The columns with odd numbers are left out: the last round of the tree, in which place 0 takes in "
         "place 1, is missing."},
        {FIRST_ROUND, 32,
         "Only the first columns of each row were taken, one for each thread: a thread has to go on, in "
         "steps "
         "of as many columns as the block has threads."},
        {WHOLE_ROUNDS, 4,
         "The end of each row is left out, where there is no longer a column for every thread (or a whole "
         "group of four): the threads that do have one must take it."},
        {THREAD_ZERO, 32,
         "Only the columns of thread 0 are in it: the results of the other threads were not taken in."},
        {LOWER_HALF, 64,
         "Only the columns of the lower half of a block's threads are in it: the first round of the tree, in "
         "which the first half of the places takes in the second, is missing."},
        {FIRST_WARP, 64,
         "Only the columns of each block's first warp are in it: shuffles go no further than a warp, so the "
         "results of the warps have to be brought together through shared memory."},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int64_t block = 1024; block >= parts[i].least; block /= 2) {
            const struct mistake mistake = {of_part, ((int64_t)parts[i].part << PART_SHIFT) | block,
                                            parts[i].means, row_is_sum(judged) ? ROW_SUM : ROW_MAX};
            if (row_explain_first(context, judged, &mistake, 1))
                return true;
        }
    return false;
}

/* The output was known before the call, and this is what it held. */
bool row_recognise_unwritten(struct context *context, const struct judged *judged, double got) {
    const uint32_t before = ROW_OUTPUT_BEFORE * 0x01010101u;
    if (!judged->problem->output_known || got != element_get(&before, 0, TYPE_FP32))
        return false;
    explain(context, "It holds what it held before the call: no thread stored it.%s",
            judged->problem->function == FUNCTION_ROW_SCALE
                ? " Element (row, column) lies at row * pitch + column, in x and in y."
                : "");
    read_next(context, ROW_LESSON, ROW_PITCH);
    return true;
}

const char *row_maybe_barrier(const struct context *context) {
    return accesses_are_seen(context)
               ? ""
               : " A __syncthreads() that is missing makes wrong results like this, too; make check "
                 "RUNTIME=simulator names the line.";
}
