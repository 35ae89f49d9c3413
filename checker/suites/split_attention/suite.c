/* The suite of split_attention: its stages and checks, 100 points. */
#include "parts.h"

static const struct stage stages[] = {
    {"partials", "stage 1: the state of each chunk of keys", 35},
};

/* id, title, points, function, lesson, section, seconds (0: 10), cost in seconds (0: 0.1) */
static const struct check checks[] = {
    {"partials.by_hand", "scores [2, 2] and [4]", 4, attention_partials_by_hand, ATTENTION_LESSON,
     SECTION_PARTIALS, 5, 0},
    {"partials.scores", "scale and bias, dim 64 and 128", 6, attention_partials_scores, ATTENTION_LESSON,
     SECTION_SCORES, 10, 0.1},
    {"partials.tail", "a tail of one key", 5, attention_partials_tail, ATTENTION_LESSON, SECTION_PARTIALS, 10,
     0.1},
    {"partials.dominant", "a score 2000 above the others, scores near -1000", 5, attention_partials_dominant,
     ATTENTION_LESSON, SECTION_PARTIALS, 10, 0.1},
    {"partials.masked", "masked keys and chunks", 5, attention_partials_masked, ATTENTION_LESSON,
     SECTION_PARTIALS, 10, 0.1},
    {"partials.sums", "1024 equal keys, sums in FP32", 4, attention_partials_sums, ATTENTION_LESSON,
     SECTION_NUMBERS, 10, 0.1},
    {"partials.random", "every type, dim and chunk size", 6, attention_partials_random, ATTENTION_LESSON,
     SECTION_PARTIALS, 10, 0.3},
};

const struct suite split_attention_suite = {
    .exercise = "split_attention",
    .runner = "simulator",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .first = "validation.plan",
    .not_checked_simulator =
        "speed, and what only a real GPU can show: its own compiler and its own arithmetic",
    .not_checked_cuda = "races, reads of memory never written, and who touched which byte",
};
