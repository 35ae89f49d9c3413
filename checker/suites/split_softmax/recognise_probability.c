/* Mistakes in y, recognised by the numbers they give: those of the normalize stage, and those of earlier
 * stages as they show in the result of the whole operator. */
#include "parts.h"

#include <float.h>
#include <math.h>

#define NORMALIZE "Stage 3: normalize"
#define MERGE "Stage 2: merge"

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

/* The state of one row as the mistake in question has it. */
struct mistaken_row {
    struct oracle_state row; /* the right one, or the one that was given */
    struct oracle_state chunk, own, next;
    double raw_sum;   /* the partial sums, added as they are */
    double row_total; /* of y, as it came back */
};

static struct mistaken_row mistakes_of(const struct split_view *view, int64_t row, int64_t col) {
    const struct table *x = view->x;
    int64_t index = col / view->chunk;
    struct mistaken_row mistaken = {
        .row = view->row[row],
        .chunk = oracle_state_of(table_row(x, row) + index * view->chunk,
                                 (size_t)split_chunk_length(x->cols, view->chunk, index)),
        .own = oracle_state_of(table_row(x, row), (size_t)x->cols),
        .next = view->row[(row + 1) % x->rows],
    };
    for (int64_t i = 0; i < view->chunks; i++)
        mistaken.raw_sum += oracle_state_of(table_row(x, row) + i * view->chunk,
                                            (size_t)split_chunk_length(x->cols, view->chunk, i))
                                .sum;
    for (int64_t i = 0; i < x->cols; i++)
        mistaken.row_total += element_get(view->y, (size_t)(row * x->cols + i), x->type);
    return mistaken;
}

/* A half read as bfloat16, or the other way round. */
static double misread(enum element_type type, double value) {
    char bytes[8];
    if (type == TYPE_FP32)
        return NAN;
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

static void explain_nan(struct context *context, const struct mistaken_row *mistaken) {
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

static bool recognise_value(struct context *context, const struct split_view *view,
                            const struct mistaken_row *mistaken, int64_t row, int64_t col, double got) {
    const struct table *x = view->x;
    double value = table_get(x, row, col), max = mistaken->row.max, sum = mistaken->row.sum;
    double right = oracle_probability(value, mistaken->row);
    double near = x->type == TYPE_FP32 ? 2e-5 : x->type == TYPE_FP16 ? 6e-4 : 5e-3;
    double before = col > 0 ? table_get(x, row, col - 1) : NAN;
    double behind = col + 1 < x->cols ? table_get(x, row, col + 1) : NAN;
    const struct suspect suspects[] = {
        {exp(value - max) / mistaken->raw_sum, near,
         "The row was divided by the raw sum of the partial sums. Each of them counts from the maximum of "
         "its own "
         "chunk: the merge has to multiply it by exp(partial_max - row_max) first.",
         MERGE},
        {exp(value - max), near, "This is exp(x - row_max): it was not divided by row_sum.", NORMALIZE},
        {as_float(exp(value)), near, "This is exp(x): no maximum was subtracted, and nothing divided.",
         NORMALIZE},
        {as_float(exp(value) / sum), near,
         "This is exp(x) / row_sum: no maximum was subtracted. exp overflows FP32 above 88.7.", NORMALIZE},
        {as_float(exp(value - max) * sum), near, "It was multiplied by row_sum instead of divided.",
         NORMALIZE},
        {oracle_probability(value, mistaken->chunk), near,
         "This is the softmax of the chunk alone: its own maximum and sum were used, not the row's.",
         NORMALIZE},
        {as_float(exp(value - mistaken->chunk.max) / sum), near,
         "The maximum of the chunk was subtracted, not the row's, to which row_sum belongs.", NORMALIZE},
        {oracle_probability(value, mistaken->own), near,
         "This is the softmax of the row of x. But the row states that were given are others, and have to be "
         "used: "
         "they are what stage 2 computed.",
         NORMALIZE},
        {as_float(oracle_probability(value, mistaken->next)), near,
         "The state of the next row was used: row and chunk are mixed up in the index.", "Ownership"},
        {as_float(oracle_probability(value, view->row[0])), near,
         "The state of row 0 was used: row_max and row_sum have one element for each row.", "Ownership"},
        {oracle_probability(before, mistaken->row), near,
         "This is the result that belongs one column to the left.", NORMALIZE},
        {oracle_probability(behind, mistaken->row), near,
         "This is the result that belongs one column to the right.", NORMALIZE},
        {as_float(oracle_probability(misread(x->type, value), mistaken->row)), near,
         "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.",
         NORMALIZE},
        {misread(x->type, right), near,
         "The result was stored as the other 16-bit type. Look at the switch over x.type.", NORMALIZE},
        {value - max - log(sum), near, "This is the logarithm of the probability.", NORMALIZE},
        {value, near, "This is x itself.", NORMALIZE},
        {0, 0, "0 where a probability belongs: every exp(x - row_max) underflowed, or row_sum is infinite.",
         NORMALIZE},
    };
    const size_t count = sizeof suspects / sizeof *suspects;
    /* Many mistakes give 0 for a small number: then it is the 0 that is told, the last of them. */
    const size_t from = got == 0 ? count - 1 : 0;
    return recognise(context, SPLIT_LESSON, got, right, suspects + from, count - from);
}

void split_recognise_probability(struct context *context, const void *data, int64_t row, int64_t col,
                                 double got) {
    const struct split_view *view = data;
    struct mistaken_row mistaken = mistakes_of(view, row, col);
    double value = table_get(view->x, row, col), right = oracle_probability(value, mistaken.row);
    if (isnan(right)) {
        explain(
            context,
            "A row that is all -inf, or holds a NaN or +inf, is NaN from end to end, as torch.softmax has "
            "it. fmaxf forgets a NaN, so it is the sum that carries it: no test for -inf may throw that "
            "sum away.");
        read_next(context, SPLIT_LESSON, "Numbers");
        return;
    }
    if (isnan(got)) {
        explain_nan(context, &mistaken);
        return;
    }
    if (recognise_value(context, view, &mistaken, row, col, got))
        return;
    double spacing = element_spacing(view->x->type, right);
    if (view->x->type != TYPE_FP32 && fabs(got - right) <= 2.5 * spacing) {
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
    } else if (isfinite(mistaken.row_total)) {
        explain(context,
                "Row %lld of y adds up to %.6g and %.6g is right: where a whole row is off by one factor, it "
                "is the sum "
                "of the row; where only some columns are, it is the index.",
                (long long)row, mistaken.row_total,
                mistaken.own.sum / mistaken.row.sum * exp(mistaken.own.max - mistaken.row.max));
    }
}

void split_locate_column(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct split_view *view = data;
    (void)got;
    locate(context, "Row %lld of %lld, column %lld of %lld, chunk %lld of %lld, chunk size %d, %s.",
           (long long)row, (long long)view->x->rows, (long long)col, (long long)view->x->cols,
           (long long)(col / view->chunk), (long long)view->chunks, view->chunk, element_name(view->x->type));
}
