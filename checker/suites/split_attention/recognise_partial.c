/* Mistakes of the partials stage, recognised by the numbers they give.
 *
 * Most of them are another score, or another set of keys, and show in all three parts of a state. So the state of a
 * chunk is worked out again for each such mistake, and what came back is compared with it. */
#include "parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A state as a mistake has it, with one column of its value. */
struct mistaken {
    double max, sum, value;
};

/* The score that a mistake makes of a dot product and a bias. */
typedef double scoring(double dot, double bias, double dim);

static double right_score(double dot, double bias, double dim) {
    return dot / sqrt(dim) + bias;
}
static double unscaled(double dot, double bias, double dim) {
    (void)dim;
    return dot + bias;
}
static double scaled_by_dim(double dot, double bias, double dim) {
    return dot / dim + bias;
}
static double bias_scaled(double dot, double bias, double dim) {
    return (dot + bias) / sqrt(dim);
}
static double bias_left_out(double dot, double bias, double dim) {
    (void)bias;
    return dot / sqrt(dim);
}
static double bias_subtracted(double dot, double bias, double dim) {
    return dot / sqrt(dim) - bias;
}
static double multiplied(double dot, double bias, double dim) {
    return dot * sqrt(dim) + bias;
}

static const struct {
    scoring *score;
    const char *means;
} scorings[] = {
    {unscaled, "The dot product was not divided by sqrt(dim)."},
    {scaled_by_dim, "The dot product was divided by dim; it is to be divided by sqrt(dim)."},
    {bias_left_out, "The bias was left out: it is added to the score of each key."},
    {bias_scaled, "The bias was divided by sqrt(dim) as well: only the dot product is."},
    {bias_subtracted, "The bias was subtracted; it is to be added."},
    {multiplied, "The dot product was multiplied by sqrt(dim) instead of divided."},
};

/* Some keys of a head, counted on through all heads, and how they are scored: query of head `query`, `terms` elements. */
struct choice {
    scoring *score;
    int64_t query, first, count;
    int terms;
    int64_t bias_back; /* the bias is taken so many places too early */
};

static double score_of(const struct problem *problem, const struct choice *choice, int64_t row) {
    const double *q = table_row(&problem->q, choice->query), *k = table_row(&problem->k, row);
    double dot = 0;
    for (int j = 0; j < choice->terms; j++)
        dot += q[j] * k[j];
    const double bias = problem->has_bias ? problem->bias.values[row - choice->bias_back] : 0;
    return choice->score(dot, bias, problem->dim);
}

static struct mistaken state_of(const struct problem *problem, struct choice choice, int col) {
    struct mistaken state = {-INFINITY, 0, 0};
    for (int64_t i = 0; i < choice.count; i++)
        state.max = fmax(state.max, score_of(problem, &choice, choice.first + i));
    for (int64_t i = 0; i < choice.count && state.max > -INFINITY; i++) {
        const double weight = exp(score_of(problem, &choice, choice.first + i) - state.max);
        state.sum += weight;
        state.value += weight * table_get(&problem->v, choice.first + i, col);
    }
    return state;
}

enum part { MAX, SUM, VALUE };

static double part_of(struct mistaken state, enum part part) {
    return part == MAX ? state.max : part == SUM ? state.sum : state.value;
}

/* Where a chunk is, and what came back of one part of its state. */
struct wrong {
    const struct view *view;
    int64_t head, index;
    enum part part;
    int col;
    double got, right;
};

static bool explained(struct context *context, const struct wrong *wrong, struct choice choice,
                      const char *means, const char *section) {
    const struct mistaken state = state_of(wrong->view->problem, choice, wrong->col);
    const struct suspect suspect = {part_of(state, wrong->part), 2e-5, means, section, 0, 0};
    return attention_recognise(context, wrong->got, wrong->right, &suspect, 1);
}

/* Another score for each key. */
static bool recognise_scoring(struct context *context, const struct wrong *wrong, struct choice right) {
    for (size_t i = 0; i < sizeof scorings / sizeof *scorings; i++) {
        struct choice choice = right;
        choice.score = scorings[i].score;
        if (explained(context, wrong, choice, scorings[i].means, SECTION_SCORES))
            return true;
    }
    struct choice choice = right;
    choice.terms = wrong->view->dim / 2;
    if (explained(
            context, wrong, choice,
            "The dot product ends after half of the elements of q and k: its lanes have to go through all "
            "dim of them.",
            SECTION_SCORES))
        return true;
    choice = right;
    choice.bias_back = wrong->head * wrong->view->problem->length;
    if (choice.bias_back > 0 &&
        explained(context, wrong, choice,
                  "The bias of head 0 was used: bias is [heads, length], as the scores are.",
                  SECTION_OWNERSHIP))
        return true;
    for (int64_t head = 0; head < wrong->view->heads; head++) {
        choice = right;
        choice.query = head;
        if (head != wrong->head &&
            explained(context, wrong, choice,
                      check_text(context, "The query of head %lld was used.", (long long)head),
                      SECTION_OWNERSHIP))
            return true;
    }
    return false;
}

/* Other keys. */
static bool recognise_keys(struct context *context, const struct wrong *wrong, struct choice right) {
    static const int64_t beginnings[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    const struct problem *problem = wrong->view->problem;
    struct choice choice = right;
    const int64_t left = problem->heads * problem->length - right.first;
    choice.count = left < problem->chunk ? left : problem->chunk;
    if (choice.count > right.count &&
        explained(
            context, wrong, choice,
            "This is what comes out with the keys behind the end of the head: the last chunk is shorter than "
            "the others, and a key has to be compared with length before it is loaded.",
            SECTION_PARTIALS))
        return true;
    choice.count = right.count - 1;
    if (explained(context, wrong, choice,
                  "This is what comes out without the last key of the chunk: the end is one key too early.",
                  SECTION_PARTIALS))
        return true;
    for (size_t i = sizeof beginnings / sizeof *beginnings; i-- > 0;) {
        if (beginnings[i] >= right.count)
            continue;
        choice.count = beginnings[i];
        if (explained(
                context, wrong, choice,
                check_text(
                    context,
                    "This is what the first %lld keys of the chunk give: the others were not looked at, "
                    "or what other warps found was not merged.",
                    (long long)beginnings[i]),
                SECTION_PARTIALS))
            return true;
    }
    for (int64_t i = 0; i < wrong->view->heads * wrong->view->chunks; i++) {
        const int64_t head = i / wrong->view->chunks, index = i % wrong->view->chunks;
        if (head == wrong->head && index == wrong->index)
            continue;
        choice = (struct choice){right_score,
                                 head,
                                 head * problem->length + index * problem->chunk,
                                 attention_chunk_length(problem, index),
                                 problem->dim,
                                 0};
        if (explained(
                context, wrong, choice,
                check_text(context,
                           "This is the state of head %lld, chunk %lld. The arrays are [heads, T], row after "
                           "row: the place is head * T + chunk.",
                           (long long)head, (long long)index),
                SECTION_OWNERSHIP))
            return true;
    }
    return false;
}

static struct choice right_choice(const struct view *view, int64_t head, int64_t index) {
    const struct problem *problem = view->problem;
    return (struct choice){right_score,
                           head,
                           head * problem->length + index * problem->chunk,
                           attention_chunk_length(problem, index),
                           problem->dim,
                           0};
}

void attention_recognise_partial_max(struct context *context, const void *data, int64_t head, int64_t index,
                                     double got) {
    const struct view *view = data;
    const struct oracle_state *state = &view->states[head * view->chunks + index];
    if (state->max == -INFINITY && isfinite(got)) {
        explain(context, "Every key of this chunk is masked, and so its maximum is -INFINITY. %s",
                got == 0
                    ? "It came out as 0: the maximum was started at 0, and is wrong for every chunk of "
                      "negative scores."
                    : check_text(context,
                                 "It came out as %.9g: that number stands for -INFINITY somewhere. There may "
                                 "be scores below it.",
                                 got));
        read_next(context, ATTENTION_LESSON, SECTION_PARTIALS);
        return;
    }
    if (got == 0 && state->max < 0) {
        explain(context,
                "A maximum of 0 where all scores are negative: the maximum was started at 0, or the keys "
                "past the end of the tail got the score 0. The score that changes no maximum is -INFINITY.");
        read_next(context, ATTENTION_LESSON, SECTION_PARTIALS);
        return;
    }
    const struct wrong wrong = {view, head, index, MAX, 0, got, state->max};
    const struct choice right = right_choice(view, head, index);
    if (recognise_scoring(context, &wrong, right) || recognise_keys(context, &wrong, right))
        return;
    const struct suspect suspects[] = {
        {state->sum, 1e-6, "This is the sum of the chunk: partial_max and partial_sum are exchanged.",
         SECTION_PARTIALS, 0, 0},
        {-INFINITY, 0, "No key took part in the maximum: look at which keys each thread has.",
         SECTION_PARTIALS, 0, 0},
    };
    if (attention_recognise(context, got, state->max, suspects, sizeof suspects / sizeof *suspects))
        return;
    if (isnan(got))
        explain(context, "A maximum that is NaN: memory was read that nobody wrote, or -inf - -inf.");
    else if (fabs(got - state->max) < 0.02 * fabs(state->max) + 0.02) {
        explain(context,
                "It is nearly right: products or sums of the dot product were kept in the type of k, or the "
                "product was rounded on the way. Convert each element to float when it is loaded, and stay "
                "in float.");
        read_next(context, ATTENTION_LESSON, SECTION_NUMBERS);
    } else {
        explain(context,
                "The score of a key is a dot product over all dim elements. Where several lanes share it, "
                "their parts have to be added before the maximum is taken.");
        read_next(context, ATTENTION_LESSON, SECTION_SCORES);
    }
}

/* Sums that no maximum explains. */
static bool recognise_sum(struct context *context, const struct view *view, int64_t head, int64_t index,
                          double got) {
    const struct oracle_state *state = &view->states[head * view->chunks + index];
    const struct problem *problem = view->problem;
    const double *scores = view->truth->scores + head * problem->length + index * problem->chunk;
    const int64_t count = attention_chunk_length(problem, index);
    double plain = 0, rounded = 0, whole_max = -INFINITY;
    for (int64_t i = 0; i < view->chunks; i++)
        whole_max = fmax(whole_max, view->states[head * view->chunks + i].max);
    for (int64_t i = 0; i < count; i++) {
        plain += exp(scores[i]);
        rounded +=
            problem->type == TYPE_FP32 ? NAN : element_round(problem->type, exp(scores[i] - state->max));
    }
    const struct suspect suspects[] = {
        {plain > FLT_MAX ? INFINITY : plain, 2e-5,
         "This is the sum of exp(score): no maximum was subtracted. exp overflows FP32 above 88.7.",
         SECTION_PARTIALS, 0, 0},
        {state->sum * exp(state->max - whole_max), 2e-5,
         "This sum counts from the maximum of the whole head. Stage 1 knows only its chunk, and takes that "
         "one's.",
         SECTION_PARTIALS, 0, 0},
        {state->max, 1e-6, "This is the maximum of the chunk: partial_max and partial_sum are exchanged.",
         SECTION_PARTIALS, 0, 0},
        {rounded, 2e-6,
         "The weights were rounded to the type of v before they were added up. The sum is one of FP32 "
         "weights.",
         SECTION_NUMBERS, 0, 0},
        {(double)count, 1e-6, "Each key was counted as 1: the exponential is missing.", SECTION_PARTIALS, 0,
         0},
        {1, 0, "The sum is 1: was it divided by itself? Nothing is divided in stage 1.", SECTION_PARTIALS, 0,
         0},
        {0, 0, "Nothing was added up, or every exp(score - max) underflowed because max is too large.",
         SECTION_PARTIALS, 0, 0},
    };
    return attention_recognise(context, got, state->sum, suspects, sizeof suspects / sizeof *suspects);
}

static void explain_nan(struct context *context) {
    explain(context,
            "NaN in a chunk without one: -inf - -inf, where a thread or warp has only masked keys, or no "
            "key at all, and its maximum is -INFINITY; or the sum over a masked chunk, which has to be 0. "
            "Give exp(score - max) a case of its own there.");
    read_next(context, ATTENTION_LESSON, SECTION_PARTIALS);
}

/* What the size of a wrong number says. decided: one key outweighs all others of the chunk, so that what was added up
 * before it should have vanished. */
static void explain_ratio(struct context *context, const struct view *view, double got, double right,
                          bool decided) {
    const double times = got / right;
    if (times > 1.5 && fabs(times - round(times)) < 1e-4 && !decided)
        explain(context,
                "It is %.0f times what it should be: each key was counted %.0f times. All lanes of a team "
                "have the score of their key; only one of them may add its weight to the sum.",
                times, times);
    else if (fabs(times - 1) < 0.02 && view->type != TYPE_FP32) {
        explain(context,
                "It is nearly right: weights, products or sums were kept in the type of v on the way. "
                "Convert each element to float when it is loaded, and stay in float.");
        read_next(context, ATTENTION_LESSON, SECTION_NUMBERS);
    } else if (fabs(times - 1) < 1e-3)
        explain(context,
                "It is nearly right: an approximate exponential, a sum that was rounded to half on the way, "
                "or a single key lost or counted twice.");
    else {
        explain(context,
                "Where the maximum grew on the way, what was added up before has to be multiplied by "
                "exp(old max - new max): the sum and each element of the value, and each of them once.");
        read_next(context, ATTENTION_LESSON, SECTION_PARTIALS);
    }
}

void attention_recognise_partial_sum(struct context *context, const void *data, int64_t head, int64_t index,
                                     double got) {
    const struct view *view = data;
    const struct oracle_state *state = &view->states[head * view->chunks + index];
    if (isnan(got)) {
        explain_nan(context);
        return;
    }
    const struct wrong wrong = {view, head, index, SUM, 0, got, state->sum};
    const struct choice right = right_choice(view, head, index);
    if (recognise_sum(context, view, head, index, got) || recognise_scoring(context, &wrong, right) ||
        recognise_keys(context, &wrong, right))
        return;
    explain_ratio(context, view, got, state->sum, state->sum < 1 + 1e-6);
}

/* Values that no other state explains. */
static bool recognise_value(struct context *context, const struct view *view, int64_t state, int col,
                            double got) {
    const struct problem *problem = view->problem;
    const int64_t head = state / view->chunks, index = state % view->chunks;
    const int64_t first = head * problem->length + index * problem->chunk,
                  count = attention_chunk_length(problem, index);
    const double right = view->values[state * view->dim + col], sum = view->states[state].sum;
    double plain = 0, of_k = 0, rounded = 0, scored = 0;
    for (int64_t i = 0; i < count; i++) {
        const double score = view->truth->scores[first + i], weight = exp(score - view->states[state].max);
        const double v = table_get(&problem->v, first + i, col);
        plain += v;
        of_k += weight * table_get(&problem->k, first + i, col);
        rounded += problem->type == TYPE_FP32 ? NAN : element_round(problem->type, weight) * v;
        scored += isfinite(score) ? score * v : 0;
    }
    const double *row = view->values + state * view->dim;
    const struct suspect suspects[] = {
        {right / sum, 2e-5,
         "This is the value divided by the sum. A numerator is not divided before the chunks have been "
         "merged: it is "
         "the sum of exp(score - max) * v.",
         SECTION_PARTIALS, 0, 0},
        {plain, 2e-5, "This is the sum of v without the weights exp(score - max).", SECTION_PARTIALS, 0, 0},
        {of_k, 2e-5, "This is the sum of weights times k, not times v.", SECTION_PARTIALS, 0, 0},
        {rounded, 2e-6, "The weights were rounded to the type of v first. They are FP32.", SECTION_NUMBERS, 0,
         0},
        {scored, 2e-5, "This is the sum of the scores times v: the exponential is missing.", SECTION_PARTIALS,
         0, 0},
        {sum, 1e-6, "This is the sum of the weights, without v.", SECTION_PARTIALS, 0, 0},
        {row[col ^ 1], 2e-5,
         "This belongs one column further: the columns of v and of the value are mixed up.",
         SECTION_OWNERSHIP, 0, 0},
        {row[(col + 1) % view->dim], 2e-5, "This is the value of the next column.", SECTION_OWNERSHIP, 0, 0},
        {row[0], 2e-5, "This is the value of column 0.", SECTION_OWNERSHIP, 0, 0},
        {0, 0, "Nothing was added up for this column.", SECTION_PARTIALS, 0, 0},
    };
    return attention_recognise(context, got, right, suspects, sizeof suspects / sizeof *suspects);
}

void attention_recognise_partial_value(struct context *context, const void *data, int64_t state, int64_t col,
                                       double got) {
    const struct view *view = data;
    const int64_t head = state / view->chunks, index = state % view->chunks;
    const double right = view->values[state * view->dim + col];
    if (isnan(got)) {
        explain_nan(context);
        return;
    }
    const struct wrong wrong = {view, head, index, VALUE, (int)col, got, right};
    const struct choice choice = right_choice(view, head, index);
    if (recognise_value(context, view, state, (int)col, got) || recognise_scoring(context, &wrong, choice) ||
        recognise_keys(context, &wrong, choice))
        return;
    for (int64_t other = 0; other < view->heads * view->chunks; other++) {
        const struct suspect suspect = {view->values[other * view->dim + col],
                                        2e-5,
                                        check_text(context,
                                                   "This is the value of head %lld, chunk %lld. The array is "
                                                   "[heads, T, dim]: the place is (head "
                                                   "* T + chunk) * dim + column.",
                                                   (long long)(other / view->chunks),
                                                   (long long)(other % view->chunks)),
                                        SECTION_OWNERSHIP,
                                        0,
                                        0};
        if (other != state && attention_recognise(context, got, right, &suspect, 1))
            return;
    }
    explain_ratio(context, view, got, right, view->states[state].sum < 1 + 1e-6);
}

/* ---- places ---- */

static void locate_state(struct context *context, const struct view *view, int64_t head, int64_t index) {
    const int64_t first = index * view->chunk;
    locate(context,
           "Head %lld of %lld, chunk %lld of %lld (keys %lld to %lld of %lld), chunk size %d, dim %d, %s%s.",
           (long long)head, (long long)view->heads, (long long)index, (long long)view->chunks,
           (long long)first, (long long)(first + attention_chunk_length(view->problem, index) - 1),
           (long long)view->problem->length, view->chunk, view->dim, element_name(view->type),
           view->problem->has_bias ? "" : ", bias null");
}

void attention_locate_chunk(struct context *context, const void *data, int64_t head, int64_t index,
                            double got) {
    (void)got;
    locate_state(context, data, head, index);
}

void attention_locate_value(struct context *context, const void *data, int64_t state, int64_t col,
                            double got) {
    const struct view *view = data;
    (void)col, (void)got;
    locate_state(context, view, state / view->chunks, state % view->chunks);
}
