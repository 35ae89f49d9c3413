/* Mistakes by their numbers. Each states what every row would come to, and is told only where all rows came
 * to that: one number fits many a mistake by chance. */
#include "recognise.h"

#include <float.h>
#include <math.h>

/* Results of row_max or row_sum as a mistake has them: of a row, with a parameter that says more. */
struct mistake {
    double (*result)(const struct judged *judged, int64_t row, int64_t parameter);
    int64_t parameter;
    const char *means, *section;
};

static const struct table *input(const struct judged *judged) {
    return &judged->problem->x;
}

static bool is_sum(const struct judged *judged) {
    return judged->problem->function == FUNCTION_ROW_SUM;
}

static double result_of(const struct judged *judged, int64_t row) {
    const char *bytes = judged->outcome->buffers[judged->placed.output].bytes;
    return element_get(bytes + judged->placed.guard, (size_t)row, TYPE_FP32);
}

/* Element n of x as it lies in memory, padding and all. */
static double in_memory(const struct judged *judged, int64_t n) {
    const struct table *x = input(judged);
    const int64_t row = n / x->pitch, col = n % x->pitch;
    return row >= x->rows ? NAN : col < x->cols ? table_get(x, row, col) : judged->problem->padding;
}

/* One value more in a result. */
static double with(const struct judged *judged, double result, double value) {
    return is_sum(judged) ? result + value : fmax(result, value);
}

static double of_nothing(const struct judged *judged) {
    return is_sum(judged) ? 0 : -INFINITY;
}

static double magnitudes(const struct table *x, int64_t row) {
    double sum = 0;
    for (int64_t col = 0; col < x->cols; col++)
        sum += fabs(table_get(x, row, col));
    return sum;
}

/* Close enough to be the same result of this row. */
static bool agrees(const struct judged *judged, int64_t row, double a, double b) {
    const double allowed = is_sum(judged) ? 1e-5 * magnitudes(input(judged), row) : 0;
    return a == b || fabs(a - b) <= allowed || (is_sum(judged) && fabs(a - b) <= 1e-6 * fabs(b));
}

static bool explains(const struct judged *judged, const struct mistake *mistake) {
    bool differs = false;
    for (int64_t row = 0; row < input(judged)->rows; row++) {
        const double mistaken = mistake->result(judged, row, mistake->parameter);
        if (!agrees(judged, row, result_of(judged, row), mistaken))
            return false;
        differs |= !agrees(judged, row, mistaken, judged->expected[row]);
    }
    return differs;
}

static bool explain_first(struct context *context, const struct judged *judged,
                          const struct mistake *mistakes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (explains(judged, &mistakes[i])) {
            explain(context, "%s", mistakes[i].means);
            read_next(context, ROW_LESSON, mistakes[i].section);
            return true;
        }
    return false;
}

/* ---- rows that are the wrong ones ---- */

static double at_cols(const struct judged *judged, int64_t row, int64_t unused) {
    double result = of_nothing(judged);
    (void)unused;
    for (int64_t i = 0; i < input(judged)->cols; i++)
        result = with(judged, result, in_memory(judged, row * input(judged)->cols + i));
    return result;
}

/* The row as it goes on behind its end, up to the pitch: what a NaN there does, agrees() leaves out. */
static double with_padding(const struct judged *judged, int64_t row, int64_t unused) {
    double result = of_nothing(judged);
    (void)unused;
    for (int64_t i = 0; i < input(judged)->pitch; i++)
        result = with(judged, result, in_memory(judged, row * input(judged)->pitch + i));
    return result;
}

static double of_all_rows(const struct judged *judged, int64_t unused, int64_t parameter) {
    double result = of_nothing(judged);
    (void)unused, (void)parameter;
    for (int64_t row = 0; row < input(judged)->rows; row++)
        result = with(judged, result, judged->expected[row]);
    return result;
}

static double of_row_zero(const struct judged *judged, int64_t unused, int64_t parameter) {
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
    const int64_t block = parameter & ((1 << PART_SHIFT) - 1), cols = input(judged)->cols;
    double result = of_nothing(judged);
    for (int64_t col = 0; col < cols; col++)
        if (is_in(part, col, cols, block))
            result = with(judged, result, table_get(input(judged), row, col));
    return result;
}

static bool recognise_part(struct context *context, const struct judged *judged) {
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
                                            parts[i].means, is_sum(judged) ? ROW_SUM : ROW_MAX};
            if (explain_first(context, judged, &mistake, 1))
                return true;
        }
    return false;
}

/* The output was known before the call, and this is what it held. */
static bool recognise_unwritten(struct context *context, const struct judged *judged, double got) {
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

/* ---- row_scale ---- */

static bool recognise_other_element(struct context *context, const struct row_problem *problem, double got,
                                    double right) {
    const struct table *x = &problem->x;
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->cols; col++) {
            const struct suspect suspect = {
                problem->factor * table_get(x, row, col), 1e-6,
                check_text(context,
                           "That is the factor times row %lld, column %lld of x: element (row, column) "
                           "lies at row * pitch + column, in x and in y.",
                           (long long)row, (long long)col),
                ROW_PITCH};
            if (recognise(context, ROW_LESSON, got, right, &suspect, 1))
                return true;
        }
    return false;
}

void recognise_scaled(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct judged *judged = data;
    const struct row_problem *problem = judged->problem;
    const double value = table_get(&problem->x, row, col), factor = problem->factor, right = factor * value;
    if (problem->explained || recognise_unwritten(context, judged, got))
        return;
    const struct suspect suspects[] = {
        {factor * in_memory(judged, row * problem->x.cols + col), 1e-6,
         "That is what lies at row * cols + column: row r begins at r * pitch.", ROW_PITCH},
        {value, 1e-6, "That is x itself: it was not multiplied by the factor.", ROW_SCALE},
        {trunc(factor) * value, 1e-6,
         "The factor was cut to a whole number: it is a float, also as a kernel's parameter.", ROW_SCALE},
        {factor * factor * value, 1e-6, "It was multiplied by the factor twice.", ROW_SCALE},
        {factor + value, 1e-6, "The factor was added and not multiplied by.", ROW_SCALE},
        {factor * problem->padding, 1e-6, "That is the factor times what lies in the padding.", ROW_PITCH},
    };
    if (recognise(context, ROW_LESSON, got, right, suspects, sizeof suspects / sizeof *suspects) ||
        recognise_other_element(context, problem, got, right))
        return;
    if (isnan(got)) {
        explain(context, "It was computed from padding, or from memory that nobody wrote: row r begins at "
                         "r * pitch, and has cols columns.");
        read_next(context, ROW_LESSON, ROW_PITCH);
    } else if (fabs(got - right) < 0.02 * fabs(right)) {
        explain(context, "It is nearly right: a value was rounded to 16 bits on the way.");
        read_next(context, ROW_LESSON, ROW_NUMBERS);
    }
}

/* ---- row_max ---- */

static double started_at_zero(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return fmax(judged->expected[row], 0);
}

static double started_at_smallest(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return fmax(judged->expected[row], FLT_MIN);
}

static double magnitude(const struct judged *judged, int64_t row, int64_t unused) {
    double max = 0;
    (void)unused;
    for (int64_t col = 0; col < input(judged)->cols; col++)
        max = fmax(max, fabs(table_get(input(judged), row, col)));
    return max;
}

static double minimum(const struct judged *judged, int64_t row, int64_t unused) {
    double min = INFINITY;
    (void)unused;
    for (int64_t col = 0; col < input(judged)->cols; col++)
        min = fmin(min, table_get(input(judged), row, col));
    return min;
}

static const char *maybe_barrier(const struct context *context) {
    return accesses_are_seen(context)
               ? ""
               : " A __syncthreads() that is missing makes wrong results like this, too; make check "
                 "RUNTIME=simulator names the line.";
}

/* The row's maximum was lost: where it was. */
static void explain_lost(struct context *context, const struct judged *judged, int64_t row) {
    int64_t col = 0;
    while (table_get(input(judged), row, col) < judged->expected[row])
        col++;
    explain(context,
            "The largest value stands in column %lld, and it was lost on the way: which thread takes that "
            "column, and which step should have passed on what this thread found?%s",
            (long long)col, maybe_barrier(context));
    read_next(context, ROW_LESSON, ROW_MAX);
}

void recognise_max(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    static const struct mistake mistakes[] = {
        {started_at_zero, 0,
         "A maximum was started at 0, or threads without a column hold 0. In a row of negative numbers 0 is "
         "larger than all of them: -INFINITY is the value that changes no maximum.",
         ROW_MAX},
        {started_at_smallest, 0,
         "A maximum was started at FLT_MIN, which is the smallest positive number: larger than all negative "
         "ones. -INFINITY is the value that changes no maximum.",
         ROW_MAX},
        {at_cols, 0, "That is what comes out when row r is taken at r * cols: it begins at r * pitch.",
         ROW_PITCH},
        {with_padding, 0, "The padding was taken in: a row ends at cols, and not at the pitch.", ROW_PITCH},
        {of_all_rows, 0, "That is the maximum of the whole matrix: each row has its own.", ROW_MAX},
        {of_row_zero, 0, "Every row has the maximum of row 0: a block finds out its row by blockIdx.x.",
         ROW_MAX},
        {magnitude, 0, "That is the largest magnitude, without the sign.", ROW_MAX},
        {minimum, 0, "That is the minimum of the row.", ROW_MAX},
    };
    const struct judged *judged = data;
    const double right = judged->expected[row];
    (void)col;
    if (judged->problem->explained || recognise_unwritten(context, judged, got) ||
        explain_first(context, judged, mistakes, sizeof mistakes / sizeof *mistakes) ||
        recognise_part(context, judged))
        return;
    if (isnan(got)) {
        explain(context, "There is no NaN in the row: padding was taken in, or memory that nobody wrote.");
        read_next(context, ROW_LESSON, ROW_PITCH);
    } else if (got < right) {
        explain_lost(context, judged, row);
    } else if (right < -1e9 || (got < 0 && right == -INFINITY)) {
        explain(context,
                "It is no value of the row: was a maximum started at %g, or do threads without a column hold "
                "it? Smaller numbers are valid. -INFINITY is the value that changes no maximum.",
                got);
        read_next(context, ROW_LESSON, ROW_MAX);
    } else {
        explain(context, "It is larger than all values of the row, so something else was taken in.%s",
                maybe_barrier(context));
    }
}

/* ---- row_sum ---- */

static double times(const struct judged *judged, int64_t row, int64_t parameter) {
    return judged->expected[row] * (double)parameter;
}

static double mean(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return judged->expected[row] / (double)input(judged)->cols;
}

static double whole_numbers(const struct judged *judged, int64_t row, int64_t unused) {
    double sum = 0;
    (void)unused;
    for (int64_t col = 0; col < input(judged)->cols; col++)
        sum += trunc(table_get(input(judged), row, col));
    return sum;
}

static double sum_of_magnitudes(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return magnitudes(input(judged), row);
}

static double largest(const struct judged *judged, int64_t row, int64_t unused) {
    double max = -INFINITY;
    (void)unused;
    for (int64_t i = 0; i < input(judged)->cols; i++)
        max = fmax(max, table_get(input(judged), row, i));
    return max;
}

/* One running sum through the row. */
static double one_by_one(const struct table *x, int64_t row, enum element_type type) {
    double sum = 0;
    for (int64_t col = 0; col < x->cols; col++)
        sum = element_round(type, sum + table_get(x, row, col));
    return sum;
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-6 * fabs(b);
}

static uint64_t atomics_of(const struct judged *judged) {
    uint64_t atomics = 0;
    for (size_t i = 0; i < judged->outcome->kernel_count; i++)
        if (judged->outcome->kernels[i].step == judged->placed.call)
            atomics += judged->outcome->kernels[i].atomics;
    return atomics;
}

/* A sum that rounding spoilt. */
static bool recognise_rounding(struct context *context, const struct judged *judged, int64_t row,
                               double got) {
    const struct table *x = input(judged);
    const double off = fabs(got - judged->expected[row]) / magnitudes(x, row);
    if (off <= 0.02)
        read_next(context, ROW_LESSON, ROW_NUMBERS);
    if (atomics_of(judged) >= (uint64_t)(x->rows * x->cols) && off < 0.02) {
        explain(context,
                "Each element was added to one word in memory by an atomic. That is one running sum: it "
                "grows large, and each addition rounds to its step. And they queue, since a word takes one "
                "atomic after the other. Let each thread add up its columns, the block the threads' sums, "
                "and have one addition a block at most.");
        return true;
    }
    if (is_near(got, one_by_one(x, row, TYPE_FP16)) || is_near(got, one_by_one(x, row, TYPE_BF16))) {
        explain(context,
                "That is what a running sum in 16 bits comes to: FP16 has no number between 2048 and 2050, "
                "BF16 none between 256 and 258, so what is smaller is lost. Sums are FP32.");
        return true;
    }
    if (is_near(got, one_by_one(x, row, TYPE_FP32))) {
        explain(context,
                "That is what one running sum in FP32 comes to, %.1g of the magnitudes away: the sum grows "
                "large, and each addition rounds to its step. Many partial sums, of many threads, stay "
                "small; so do the errors.",
                off);
        return true;
    }
    if (off > 0.02)
        return false;
    explain(context,
            off > 6e-5 ? "It is nearly right, %.1g of the magnitudes away: values or partial sums "
                         "were rounded to 16 bits on the way. Stay in float."
                       : "It is nearly right, %.1g of the magnitudes away, where 1e-5 is allowed: "
                         "too few partial sums, each of too many columns.",
            off);
    return true;
}

/* Values counted more than once, but not all of them so often: in a row of positive ones. */
static bool recognise_times(struct context *context, const struct judged *judged, int64_t row, double got) {
    const double right = judged->expected[row], counted = got / right;
    if (right < 0.99 * magnitudes(input(judged), row) || counted < 1.1 || counted > 2000)
        return false;
    explain(context,
            "The sum is about %.3g times what it should be: values were counted several times. Look at the "
            "stride: a thread begins at its own column and goes on in steps of the whole block's width.",
            counted);
    read_next(context, ROW_LESSON, ROW_SUM);
    return true;
}

void recognise_sum(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    static const struct mistake mistakes[] = {
        {at_cols, 0, "That is what comes out when row r is taken at r * cols: it begins at r * pitch.",
         ROW_PITCH},
        {with_padding, 0, "The padding was added: a row ends at cols, and not at the pitch.", ROW_PITCH},
        {of_all_rows, 0, "That is the sum of the whole matrix: each row has its own.", ROW_SUM},
        {of_row_zero, 0, "Every row has the sum of row 0: a block finds out its row by blockIdx.x.", ROW_SUM},
        {sum_of_magnitudes, 0, "That is the sum of the magnitudes, without the signs.", ROW_SUM},
        {largest, 0, "That is the maximum of the row, and not its sum.", ROW_SUM},
        {whole_numbers, 0, "The values were cut to whole numbers: sums and values are float.", ROW_NUMBERS},
        {mean, 0, "That is the mean of the row: it was divided by cols.", ROW_SUM},
        {times, 2,
         "Each value was counted twice: after a shuffle by xor every lane has the warp's sum, and one lane a "
         "warp hands it on.",
         ROW_SUM},
        {times, 32,
         "Each value was counted 32 times: after a shuffle by xor every lane has the warp's sum, and one "
         "lane a warp hands it on.",
         ROW_SUM},
    };
    const struct judged *judged = data;
    (void)col;
    if (judged->problem->explained || recognise_unwritten(context, judged, got))
        return;
    if (isnan(got) && atomics_of(judged) > 0) {
        explain(context, "atomicAdd adds to what is there, and sum holds nothing yet: set it to 0 first, on "
                         "the stream, or let one thread of a block store its row's sum.");
        read_next(context, ROW_LESSON, ROW_WRONG);
    } else if (got == -INFINITY) {
        explain(context, "A sum was started at -INFINITY, or threads without a column add it: 0 is the value "
                         "that changes no sum.");
        read_next(context, ROW_LESSON, ROW_SUM);
    } else if (isnan(got)) {
        explain(context, "There is no NaN in the row: padding was added, or memory that nobody wrote.");
        read_next(context, ROW_LESSON, ROW_PITCH);
    } else if (!explain_first(context, judged, mistakes, sizeof mistakes / sizeof *mistakes) &&
               !recognise_part(context, judged) && !recognise_rounding(context, judged, row, got) &&
               !recognise_times(context, judged, row, got)) {
        explain(context,
                "It is none of the usual mistakes. Print what each thread adds, for a row of a few columns: "
                "printf works in a kernel.%s",
                maybe_barrier(context));
    }
}
