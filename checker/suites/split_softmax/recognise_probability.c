/* Mistakes in y, recognised by the numbers they give: those of the normalize stage, and those of earlier
 * stages as they show in the result of the whole operator. */
#include "parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NORMALIZE "Stage 3: normalize"
#define MERGE "Stage 2: merge"

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

/* The state of one row, and of one chunk of it, as the mistake in question has it. */
struct split_mistaken {
    int64_t at_row, at_chunk;
    struct oracle_state row;                       /* the right one, or the one that was given */
    struct oracle_state chunk, partial, own, next; /* partial: in the row's place among the partials */
    double raw_sum;                                /* the partial sums, added as they are */
};

struct split_mistaken *split_mistaken_new(struct context *context) {
    struct split_mistaken *mistaken = check_memory(context, sizeof *mistaken);
    mistaken->at_row = mistaken->at_chunk = -1;
    return mistaken;
}

static struct oracle_state chunk_state(const struct split_view *view, int64_t row, int64_t index) {
    return oracle_state_of(table_row(view->x, row) + index * view->chunk,
                           (size_t)split_chunk_length(view->x->cols, view->chunk, index));
}

static const struct split_mistaken *mistakes_of(const struct split_view *view, int64_t row, int64_t col) {
    struct split_mistaken *mistaken = view->mistaken;
    const int64_t index = col / view->chunk;
    if (mistaken->at_row != row) {
        mistaken->at_row = row;
        mistaken->at_chunk = -1;
        mistaken->row = view->row[row];
        mistaken->own = oracle_state_of(table_row(view->x, row), (size_t)view->x->cols);
        mistaken->next = view->row[(row + 1) % view->x->rows];
        mistaken->raw_sum = 0;
        mistaken->partial = chunk_state(view, row / view->chunks, row % view->chunks);
        for (int64_t i = 0; i < view->chunks; i++)
            mistaken->raw_sum += chunk_state(view, row, i).sum;
    }
    if (mistaken->at_chunk != index) {
        mistaken->at_chunk = index;
        mistaken->chunk = chunk_state(view, row, index);
    }
    return mistaken;
}

static double row_total(const struct split_view *view, int64_t row) {
    double total = 0;
    for (int64_t i = 0; i < view->x->cols; i++)
        total += element_get(view->y, (size_t)(row * view->x->cols + i), view->x->type);
    return total;
}

/* A half read as bfloat16, or the other way round; NaN: there is no other 16-bit type. */
double split_misread(enum element_type type, double value) {
    char bytes[8];
    if (type == TYPE_FP32)
        return NAN;
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

static void explain_nan(struct context *context, const struct split_mistaken *mistaken) {
    if (isnan(mistaken->chunk.max))
        return;
    if (mistaken->own.max == -INFINITY)
        explain(context, "-inf - -inf is NaN: a row state of (-INFINITY, 0) needs no special care here.");
    else
        explain(
            context,
            "NaN in a row without one: a masked chunk whose state is not (-INFINITY, 0), inf / inf after "
            "an overflow because no maximum was subtracted, or memory that was read before it was written.");
    read_next(context, SPLIT_LESSON, "What goes wrong");
}

/* What makes a row NaN, by its values or by the state that was given. */
static void explain_nan_expected(struct context *context, const struct split_view *view, int64_t row) {
    const double *values = table_row(view->x, row);
    const char *holds = "The state that was given for this row makes it NaN";
    int64_t masked = 0, col = 0;
    for (; col < view->x->cols && !isnan(values[col]) && values[col] != INFINITY; col++)
        masked += values[col] == -INFINITY;
    if (col < view->x->cols)
        holds = check_text(context, "This row holds %s in column %lld, and so is NaN",
                           isnan(values[col]) ? "a NaN" : "+inf", (long long)col);
    else if (masked == view->x->cols)
        holds = "This row is -inf throughout, and so is NaN";
    explain(context,
            "%s from end to end, as torch.softmax has it. fmaxf forgets a NaN, so it is the sum that carries "
            "it: no test for -inf "
            "may throw that sum away.",
            holds);
    read_next(context, SPLIT_LESSON, "Numbers");
}

/* What is found where a result was stored as the other 16-bit type; NaN: there is none. */
static double stored_as_other(enum element_type type, double result) {
    return type == TYPE_FP32 ? NAN : split_misread(type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16, result);
}

size_t split_suspects_of_probability(struct context *context, const void *data, int64_t row, int64_t col,
                                     struct suspect *suspects) {
    const struct split_view *view = data;
    const struct table *x = view->x;
    const struct split_mistaken *mistaken = mistakes_of(view, row, col);
    const double value = table_get(x, row, col), max = mistaken->row.max, sum = mistaken->row.sum;
    const double right = oracle_probability(value, mistaken->row);
    const double near = x->type == TYPE_FP32 ? 1e-4 : x->type == TYPE_FP16 ? 6e-4 : 5e-3;
    const double before = col > 0 ? table_get(x, row, col - 1) : NAN;
    const double behind = col + 1 < x->cols ? table_get(x, row, col + 1) : NAN;
    const struct suspect known[] = {
        {exp(value - max) / mistaken->raw_sum, near,
         "The row was divided by the raw sum of the partial sums. Each of them counts from the maximum of "
         "its own chunk: the merge "
         "has to multiply it by exp(partial_max - row_max) first.",
         MERGE, 0, 0},
        {exp(value - max), near, "This is exp(x - row_max): it was not divided by row_sum.", NORMALIZE, 0, 0},
        {as_float(exp(value)), near, "This is exp(x): no maximum was subtracted, and nothing divided.",
         NORMALIZE, 0, 0},
        {as_float(exp(value) / sum), near,
         "This is exp(x) / row_sum: no maximum was subtracted. exp overflows FP32 above 88.7.", NORMALIZE, 0,
         0},
        {as_float(exp(value - max) * sum), near, "It was multiplied by row_sum instead of divided.",
         NORMALIZE, 0, 0},
        {oracle_probability(value, mistaken->chunk), near,
         "This is the softmax of the chunk alone: its own maximum and sum were used, not the row's.",
         NORMALIZE, 0, 0},
        {as_float(oracle_probability(value, mistaken->partial)), near,
         "The partials were used in place of the row states, and the first row comes out as the softmax of "
         "the chunk alone: row_max and row_sum are what stage 2 makes of them.",
         NORMALIZE, 0, 0},
        {as_float(exp(value - mistaken->chunk.max) / sum), near,
         "The maximum of the chunk was subtracted, not the row's, to which row_sum belongs.", NORMALIZE, 0,
         0},
        {oracle_probability(value, mistaken->own), near,
         "This is the softmax of the row of x. But the row states that were given are others, and have to be "
         "used: they are what "
         "stage 2 computed.",
         NORMALIZE, 0, 0},
        {as_float(oracle_probability(value, view->row[0])), near,
         "The state of row 0 was used: row_max and row_sum have one element for each row.", "Ownership", 0,
         0},
        {as_float(oracle_probability(value, mistaken->next)), near,
         "The state of the next row was used: row and chunk are mixed up in the index.", "Ownership", 0, 0},
        {oracle_probability(before, mistaken->row), near,
         "This is the result that belongs one column to the left.", NORMALIZE, 0, 0},
        {oracle_probability(behind, mistaken->row), near,
         "This is the result that belongs one column to the right.", NORMALIZE, 0, 0},
        {as_float(oracle_probability(split_misread(x->type, value), mistaken->row)), near,
         "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.",
         NORMALIZE, 0, 0},
        {stored_as_other(x->type, oracle_probability(split_misread(x->type, value), mistaken->row)), near,
         "FP16 is read and stored as BF16, or BF16 as FP16. Look at the switch over x.type.", NORMALIZE, 0,
         0},
        {stored_as_other(x->type, right), near,
         "The result was stored as the other 16-bit type. Look at the switch over x.type.", NORMALIZE, 0, 0},
        {exp2(value - max) / sum, near,
         "These are powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
         NORMALIZE, 0, 0},
        {value - max - log(sum), near, "This is the logarithm of the probability.", NORMALIZE, 0, 0},
        {value, near, "This is x itself.", NORMALIZE, 0, 0},
    };
    (void)context;
    memcpy(suspects, known, sizeof known);
    return sizeof known / sizeof *known;
}

/* What every element of the row is of what it should be, where that is one factor; else NaN. */
static double factor_of_row(const struct split_view *view, int64_t row) {
    const struct table *x = view->x;
    const double near = x->type == TYPE_FP32 ? 2e-5 : x->type == TYPE_FP16 ? 2e-3 : 5e-3;
    double least = INFINITY, most = -INFINITY;
    int64_t counted = 0;
    for (int64_t col = 0; col < x->cols; col++) {
        const double right = oracle_probability(table_get(x, row, col), view->row[row]),
                     got = element_get(view->y, (size_t)(row * x->cols + col), x->type);
        if (right < (x->type == TYPE_FP16 ? 1e-3 : 1e-25) || got == 0)
            continue;
        if (!isfinite(got))
            return NAN;
        least = fmin(least, got / right);
        most = fmax(most, got / right);
        counted++;
    }
    return counted > 1 && most - least <= 2 * near * most && (most < 1 - near || least > 1 + near)
               ? (least + most) / 2
               : NAN;
}

void split_recognise_probability(struct context *context, const void *data, int64_t row, int64_t col,
                                 double got) {
    const struct split_view *view = data;
    const struct split_mistaken *mistaken = mistakes_of(view, row, col);
    const double value = table_get(view->x, row, col), right = oracle_probability(value, mistaken->row);
    const double spacing = element_spacing(view->x->type, isfinite(right) ? right : 1),
                 total = row_total(view, row), factor = isnan(right) ? NAN : factor_of_row(view, row);
    if (isnan(right)) {
        explain_nan_expected(context, view, row);
    } else if (mistaken->own.max < -30000 && (!isfinite(got) || got == 0)) {
        explain(context,
                "All values of this row lie at %g or below, and its maximum came out as a larger number: was "
                "it started at one that "
                "stands for -INFINITY, such as -1e30, or at 0, or was the row taken for masked? It is a "
                "valid one, and -INFINITY is "
                "the value that changes no maximum.",
                mistaken->own.max);
        read_next(context, SPLIT_LESSON, "Stage 1: partials");
    } else if (isnan(got)) {
        explain_nan(context, mistaken);
    } else if (got == 0) {
        explain(context,
                "0 where a probability belongs: every exp(x - row_max) underflowed, or row_sum is infinite.");
        read_next(context, SPLIT_LESSON, NORMALIZE);
    } else if (isfinite(factor)) {
        explain(context,
                "Every element of row %lld is %.6g times what it should be: it is right but for one factor. "
                "So another sum was divided "
                "by, or another maximum subtracted, than the row's own (row_sum and row_max, where they are "
                "given).",
                (long long)row, factor);
        read_next(context, SPLIT_LESSON, NORMALIZE);
    } else if (view->x->type != TYPE_FP32 && fabs(got - right) <= 2.5 * spacing) {
        explain(
            context,
            "It is off by a unit in the last place: rounded more than once, or cut off instead of rounded. "
            "Stay in float until the store, and round there, once, to nearest even.");
        read_next(context, SPLIT_LESSON, "Numbers");
    } else if (fabs(got - right) <= (view->x->type == TYPE_BF16 ? 0.03 : 0.003) * right) {
        explain(context,
                "It is nearly right, %.1g of its value away: a sum or value was rounded to half or bfloat16 "
                "on the "
                "way. Convert each value to float when it is loaded, and stay in float until the store.",
                fabs(got - right) / right);
        read_next(context, SPLIT_LESSON, "Numbers");
    } else if (isfinite(total)) {
        explain(context,
                "Row %lld of y adds up to %.6g and %.6g is right: where a whole row is off by one factor, it "
                "is the sum of the row; "
                "where only some columns are, it is the index.",
                (long long)row, total,
                mistaken->own.sum / mistaken->row.sum * exp(mistaken->own.max - mistaken->row.max));
    }
}

void split_locate_column(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct split_view *view = data;
    (void)got;
    locate(context, "Row %lld of %lld, column %lld of %lld, chunk %lld of %lld, chunk size %d, %s.",
           (long long)row, (long long)view->x->rows, (long long)col, (long long)view->x->cols,
           (long long)(col / view->chunk), (long long)view->chunks, view->chunk, element_name(view->x->type));
}
