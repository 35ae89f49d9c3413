/* The suite of online_softmax: its stages and checks, 100 points. */
#include "checks.h"

#define LESSON "docs/a1_online_softmax.md"
#define SUMMARIZE "Stage 1: summarize"
#define MERGE "Stage 2: merge"
#define STREAMING "Stage 3: streaming"
#define SPECIAL "Special values"

static const struct stage stages[] = {
    {"summarize", "stage 1: the state of a chunk"},
    {"merge", "stage 2: two states become one"},
    {"streaming", "stage 3: the softmax of a list, chunk by chunk"},
};

static const struct check checks[] = {
    {"summarize.by_hand", "[2, 2], [4] and [1, 3, 2]", 8, summarize_by_hand, LESSON, SUMMARIZE, 5, 0},
    {"summarize.empty", "no values at all", 4, summarize_empty, LESSON, SUMMARIZE, 5, 0},
    {"summarize.far_from_zero", "values near 1000 and -1000", 6, summarize_far_from_zero, LESSON, SUMMARIZE,
     5, 0},
    {"summarize.masked", "values of -infinity", 6, summarize_masked, LESSON, SPECIAL, 5, 0},
    {"summarize.not_finite", "NaN and +infinity", 3, summarize_not_finite, LESSON, SPECIAL, 5, 0},
    {"summarize.long", "5000 values, rising, falling and mixed", 3, summarize_long, LESSON, SUMMARIZE, 5, 0},

    {"merge.by_hand", "(2, 2) with (4, 1)", 8, merge_by_hand, LESSON, MERGE, 5, 0},
    {"merge.rescale", "maxima far apart", 6, merge_rescale, LESSON, MERGE, 5, 0},
    {"merge.identity", "(-infinity, 0) changes nothing", 7, merge_identity, LESSON, MERGE, 5, 0},
    {"merge.trees", "the order of merging does not matter", 8, merge_trees, LESSON, MERGE, 5, 0},
    {"merge.not_finite", "NaN and +infinity are not lost", 6, merge_not_finite, LESSON, SPECIAL, 5, 0},

    {"streaming.by_hand", "[2, 2, 4] in chunks of 2", 6, streaming_by_hand, LESSON, STREAMING, 5, 0},
    {"streaming.chunks", "chunks of every size", 8, streaming_chunks, LESSON, STREAMING, 5, 0},
    {"streaming.far_from_zero", "values near 1000 and -1000", 5, streaming_far_from_zero, LESSON, STREAMING,
     5, 0},
    {"streaming.masked", "values of -infinity", 5, streaming_masked, LESSON, SPECIAL, 5, 0},
    {"streaming.not_finite", "NaN and +infinity", 4, streaming_not_finite, LESSON, SPECIAL, 5, 0},
    {"streaming.arguments", "what is refused, and what is not", 7, streaming_arguments, LESSON, STREAMING, 5,
     0},
};

const struct suite online_softmax_suite = {
    .exercise = "online_softmax",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
};
