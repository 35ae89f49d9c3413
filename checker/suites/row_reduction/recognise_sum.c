/* Mistakes of row_sum by their numbers. */
#include "recognise.h"

#include "judged.h"
#include <math.h>

/* ---- row_sum ---- */

static double times(const struct judged *judged, int64_t row, int64_t parameter) {
    return judged->expected[row] * (double)parameter;
}

static double mean(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return judged->expected[row] / (double)row_input(judged)->cols;
}

static double whole_numbers(const struct judged *judged, int64_t row, int64_t unused) {
    double sum = 0;
    (void)unused;
    for (int64_t col = 0; col < row_input(judged)->cols; col++)
        sum += trunc(table_get(row_input(judged), row, col));
    return sum;
}

static double sum_of_magnitudes(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return row_magnitudes(row_input(judged), row);
}

static double largest(const struct judged *judged, int64_t row, int64_t unused) {
    double max = -INFINITY;
    (void)unused;
    for (int64_t i = 0; i < row_input(judged)->cols; i++)
        max = fmax(max, table_get(row_input(judged), row, i));
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
    const struct table *x = row_input(judged);
    const double off = fabs(got - judged->expected[row]) / row_magnitudes(x, row);
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
    if (right < 0.99 * row_magnitudes(row_input(judged), row) || counted < 1.1 || counted > 2000)
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
        {row_at_cols, 0, "That is what comes out when row r is taken at r * cols: it begins at r * pitch.",
         ROW_PITCH},
        {row_with_padding, 0, "The padding was added: a row ends at cols, and not at the pitch.", ROW_PITCH},
        {row_of_all_rows, 0, "That is the sum of the whole matrix: each row has its own.", ROW_SUM},
        {row_of_row_zero, 0, "Every row has the sum of row 0: a block finds out its row by blockIdx.x.",
         ROW_SUM},
        {sum_of_magnitudes, 0, "That is the sum of the row_magnitudes, without the signs.", ROW_SUM},
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
    if (judged->problem->explained || row_recognise_unwritten(context, judged, got))
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
    } else if (!row_explain_first(context, judged, mistakes, sizeof mistakes / sizeof *mistakes) &&
               !row_recognise_part(context, judged) && !recognise_rounding(context, judged, row, got) &&
               !recognise_times(context, judged, row, got)) {
        explain(context,
                "It is none of the usual mistakes. Print what each thread adds, for a row of a few columns: "
                "printf works in a kernel.%s",
                row_maybe_barrier(context));
    }
}
