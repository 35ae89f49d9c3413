/* The suite of split_softmax: its stages and checks, 100 points. */
#include "parts.h"

#define PARTIALS "Stage 1: partials"
#define MERGE "Stage 2: merge"
#define NORMALIZE "Stage 3: normalize"
#define PLAN "The plan: chunks and scratch bytes"
#define VALIDATION "Validation"
#define STREAMS "Scratch and streams"
#define NUMBERS "Numbers"

static const struct stage stages[] = {
    {"partials", "stage 1: the state of each chunk"},
    {"merge", "stage 2: the state of each row"},
    {"normalize", "stage 3: the probabilities"},
    {"validation", "the plan, and what is refused"},
    {"operator", "the whole operator"},
};

/* id, title, points, function, lesson, section, seconds (0: 20), cost in seconds (0: 0.1) */
static const struct check checks[] = {
    {"partials.by_hand", "[2, 2] and [4]", 3, split_partials_by_hand, SPLIT_LESSON, PARTIALS, 5, 0},
    {"partials.tail", "a tail of one column", 4, split_partials_tail, SPLIT_LESSON, PARTIALS, 10, 0},
    {"partials.negatives", "rows near -1000", 3, split_partials_negatives, SPLIT_LESSON, PARTIALS, 10, 0},
    {"partials.half_sums", "4096 equal values", 3, split_partials_half_sums, SPLIT_LESSON, NUMBERS, 10, 0},
    {"partials.masked", "masked columns and chunks", 3, split_partials_masked, SPLIT_LESSON, PARTIALS, 10, 0},
    {"partials.random", "every type and chunk size", 4, split_partials_random, SPLIT_LESSON, PARTIALS, 5,
     0.2},

    {"merge.by_hand", "(2, 2) with (4, 1)", 3, split_merge_by_hand, SPLIT_LESSON, MERGE, 5, 0},
    {"merge.rescale", "maxima 2000 apart", 6, split_merge_rescale, SPLIT_LESSON, MERGE, 5, 0},
    {"merge.identity", "states of masked chunks", 4, split_merge_identity, SPLIT_LESSON, MERGE, 5, 0},
    {"merge.widths", "from 1 to 512 states", 5, split_merge_widths, SPLIT_LESSON, MERGE, 5, 0},
    {"merge.rows", "many rows, and nothing beside them", 2, split_merge_rows, SPLIT_LESSON, MERGE, 5, 0},

    {"normalize.by_hand", "[2, 2, 4]", 3, split_normalize_by_hand, SPLIT_LESSON, NORMALIZE, 5, 0},
    {"normalize.columns", "every column, and nothing beside them", 5, split_normalize_columns, SPLIT_LESSON,
     NORMALIZE, 10, 0.2},
    {"normalize.state", "the row states that are given", 4, split_normalize_state, SPLIT_LESSON, NORMALIZE,
     10, 0},
    {"normalize.rounding", "one rounding, to nearest even", 4, split_normalize_rounding, SPLIT_LESSON,
     NORMALIZE, 10, 0},
    {"normalize.masked", "masked columns and rows", 4, split_normalize_masked, SPLIT_LESSON, NORMALIZE, 10,
     0},

    {"validation.plan", "chunks and scratch bytes", 3, split_validation_plan, SPLIT_LESSON, PLAN, 5, 0},
    {"validation.type", "types", 1, split_validation_type, SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.chunk", "chunk sizes", 1, split_validation_chunk, SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.pitch", "contiguous rows", 1, split_validation_pitch, SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.memory", "device memory, managed memory, other memory", 2, split_validation_memory,
     SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.overlap", "x and y apart", 2, split_validation_overlap, SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.empty", "no rows", 1, split_validation_empty, SPLIT_LESSON, VALIDATION, 5, 0},
    {"validation.many_rows", "65,537 rows", 2, split_validation_many_rows, SPLIT_LESSON, VALIDATION, 5, 1},
    {"validation.size", "rows and columns", 2, split_validation_size, SPLIT_LESSON, VALIDATION, 10, 0},

    {"operator.shapes", "four shapes, every type and chunk size", 4, split_operator_shapes, SPLIT_LESSON,
     "What goes wrong", 8, 2},
    {"operator.values", "large constants, one dominant logit", 2, split_operator_values, SPLIT_LESSON,
     NUMBERS, 10, 0.2},
    {"operator.row_sums", "each row adds up to 1, each element rounded once", 2, split_operator_row_sums,
     SPLIT_LESSON, NUMBERS, 10, 0},
    {"operator.special", "masked logits, NaN and +inf", 2, split_operator_special, SPLIT_LESSON, NUMBERS, 10,
     0.2},
    {"operator.cap", "the widest row, and one column more", 1, split_operator_cap, SPLIT_LESSON, VALIDATION,
     10, 0.2},
    {"operator.blocks", "many blocks share a row", 2, split_operator_blocks, SPLIT_LESSON, "What goes wrong",
     10, 0.5},
    {"operator.stream", "behind a slow producer on the stream", 2, split_operator_stream, SPLIT_LESSON,
     STREAMS, 10, 0},
    {"operator.two_calls", "two calls in flight", 3, split_operator_two_calls, SPLIT_LESSON, STREAMS, 10, 0},
    {"operator.scratch", "scratch for each call, given back", 2, split_operator_scratch, SPLIT_LESSON,
     STREAMS, 10, 0},
    {"operator.waits", "nothing waits", 1, split_operator_waits, SPLIT_LESSON, STREAMS, 5, 0},
    {"operator.on_stream", "every launch on the caller's stream", 1, split_operator_on_stream, SPLIT_LESSON,
     STREAMS, 5, 0},
    {"operator.errors", "failing launches and allocations", 2, split_operator_errors, SPLIT_LESSON, STREAMS,
     20, 0.3},
    {"operator.repeated", "240 calls in one process", 1, split_operator_repeated, SPLIT_LESSON,
     "What goes wrong", 20, 0},
};

const struct suite split_softmax_suite = {
    .exercise = "split_softmax",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .first = "validation.plan",
    .not_checked_simulator =
        "speed, and what only a real GPU can show: its own compiler and its own arithmetic",
    .not_checked_cuda = "races, reads of memory never written, and who touched which byte",
};
