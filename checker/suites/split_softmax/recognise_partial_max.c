/* Wrong maxima of stage 1, recognised by what they are. */
#include "chunk_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double misread_max(const struct chunk_view *chunk, enum element_type type) {
    double max = -INFINITY;
    for (int64_t i = 0; i < chunk->length; i++)
        max = fmax(max, split_misread(type, chunk->values[i]));
    return max;
}

static double with_start(double start, double max) {
    return fmax(start, max);
}

size_t split_suspects_of_max(struct context *context, const void *data, int64_t row, int64_t index,
                             struct suspect *suspects) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    const enum element_type type = view->x->type;
    const double padded = chunk.padding > 0 ? 0 : -INFINITY;
    const struct suspect known[] = {
        {with_start(0, chunk.max), 0,
         "The maximum was started at 0. The value that changes no maximum is -INFINITY.", PARTIALS_SECTION,
         OF_A_START, 0},
        {with_start(padded, chunk.max), 0,
         "The columns past the end of the tail were padded with 0, which is larger than every negative "
         "value. The value that "
         "changes no maximum is -INFINITY.",
         PARTIALS_SECTION, ALONE, 0},
        {with_start(FLT_MIN, chunk.max), 1e-6,
         "The maximum was started at FLT_MIN, which is the smallest positive number and not the lowest one. "
         "-INFINITY is below "
         "them all.",
         PARTIALS_SECTION, ALONE, 0},
        {chunk_transposed(view, row, index)->max, 1e-9,
         "All maxima are right, but stored as [T, rows]. Both arrays are [rows, T], row after row: the place "
         "is row * T + chunk.",
         "Ownership", ALONE, 0},
        {chunk_max_of(chunk.values, chunk.readable), 1e-9,
         "This is the maximum with the values behind the end of the row: the tail chunk is shorter than the "
         "others, and a column "
         "has to be compared with cols before it is loaded.",
         PARTIALS_SECTION, ALONE, 0},
        {chunk_max_of(chunk.values, chunk.to_row_end), 1e-9, chunk_no_end, PARTIALS_SECTION, ALONE, 0},
        {chunk_max_of(chunk.values, chunk.length - 1), 1e-9,
         "This is the maximum without the last column of the chunk: the end is one column too early.",
         PARTIALS_SECTION, ALONE, 0},
        {chunk.sum, 1e-6, "This is the sum of the chunk: partial_max and partial_sum are exchanged.",
         PARTIALS_SECTION, ALONE, 0},
        {view->row[row].max, 1e-9,
         "This is the maximum of the whole row. Stage 1 takes the maximum of each chunk alone.",
         PARTIALS_SECTION, ALONE, 0},
        {view->states[index].max, 1e-9,
         "This is the maximum of row 0, of the same chunk: the row is left out of an index. The place is row "
         "* T + chunk, and the "
         "chunk begins at column chunk index * chunk of its own row.",
         "Ownership", ALONE, 0},
        {view->states[row * view->chunks].max, 1e-9,
         "This is the maximum of chunk 0 of the row: the chunk is left out of an index.", "Ownership", ALONE,
         0},
        {type == TYPE_FP32 ? NAN : misread_max(&chunk, type), 1e-6,
         "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.",
         PARTIALS_SECTION, ALONE, 0},
        {-INFINITY, 0, "No value took part in the maximum: look at which columns each thread loads.",
         PARTIALS_SECTION, ALONE, 0},
    };
    size_t count = sizeof known / sizeof *known;
    (void)context;
    memcpy(suspects, known, sizeof known);
    count = chunk_add_beginnings(suspects, count, &chunk, false);
    return chunk_add_parts(suspects, count, &chunk, false);
}

void split_recognise_partial_max(struct context *context, const void *data, int64_t row, int64_t index,
                                 double got) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    if (chunk.max == -INFINITY && isfinite(got)) {
        explain(context, "Every value of this chunk is masked, and so its maximum is -INFINITY. %s",
                got == 0 ? "It came out as 0: the maximum was started at 0, and is wrong for every chunk of "
                           "negative logits."
                         : check_text(context,
                                      "It came out as %.9g: that number stands for -INFINITY somewhere, as "
                                      "the first maximum or "
                                      "for columns that do not count. There may be logits below it.",
                                      got));
        read_next(context, SPLIT_LESSON, PARTIALS_SECTION);
        return;
    }
    for (int64_t i = 0; i < view->rows * view->chunks; i++)
        if (got == (float)view->states[i].max) {
            explain(context,
                    "This is the maximum of row %lld, chunk %lld. Both arrays are [rows, T], row after row: "
                    "the place is row * T "
                    "+ chunk, and the chunk begins at column chunk index * chunk of its own row.",
                    (long long)(i / view->chunks), (long long)(i % view->chunks));
            read_next(context, SPLIT_LESSON, "Ownership");
            return;
        }
    const bool is_a_value = got <= chunk_max_of(view->x->values, view->x->rows * view->x->cols);
    explain(context,
            isnan(got)   ? "NaN from a chunk without one: something was read that is not there, or computed "
                           "that is no maximum. %s"
            : is_a_value ? "A maximum has no rounding: it is one of the values of the chunk, or it is wrong. "
                           "This one is no "
                           "chunk's maximum: look at which columns each thread takes, and at what each "
                           "shuffle combines. %s"
                         : "It is larger than every value of x: look at what the maximum was started with, "
                           "at what stands for a "
                           "column past the end, and at the type that x is read as. %s",
            accesses_are_seen(context) ? "" : MAYBE_BARRIER);
}

void split_locate_chunk(struct context *context, const void *data, int64_t row, int64_t index, double got) {
    const struct split_view *view = data;
    int64_t first = index * view->chunk, length = split_chunk_length(view->x->cols, view->chunk, index);
    (void)got;
    locate(context, "Row %lld of %lld, chunk %lld of %lld (columns %lld to %lld of %lld), chunk size %d, %s.",
           (long long)row, (long long)view->rows, (long long)index, (long long)view->chunks, (long long)first,
           (long long)(first + length - 1), (long long)view->x->cols, view->chunk,
           element_name(view->x->type));
}
