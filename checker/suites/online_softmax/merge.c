/* Stage merge: two states become one. */
#include "checks.h"
#include "states.h"

#include <math.h>

static const char *call_text(struct context *context, struct state_pair pair) {
    return check_text(context, "softmax_merge(%s, %s)", state_text(context, pair.a),
                      state_text(context, pair.b));
}

/* Names the mistakes that leave a trace of their own, when the sum is one of theirs. mirrored: the pair in
 * the other order came out right. Only one factor differs from 1, so that a sum without it looks the same as
 * one without both; the other order tells them apart. */
static void explain_sum(struct context *context, struct state_pair pair, double sum, bool mirrored) {
    const double max = fmax(pair.a.max, pair.b.max);
    if (close_enough(sum, pair.a.sum + pair.b.sum) && mirrored)
        explain(context,
                "That is %g + %g, and with the two states exchanged it is right: only one of the sums is "
                "multiplied by its factor. Which state has the larger maximum is not known beforehand, so "
                "each sum "
                "needs exp(its own maximum - the new maximum).",
                pair.a.sum, pair.b.sum);
    else if (close_enough(sum, pair.a.sum + pair.b.sum))
        explain(context,
                "That is %g + %g: the sums were added as they are. They count relative to different maxima; "
                "each has to be multiplied by exp(its own maximum - the new maximum) first.",
                pair.a.sum, pair.b.sum);
    else if (close_enough(sum, pair.a.max == max ? pair.a.sum : pair.b.sum) && pair.a.max != pair.b.max)
        explain(context, "That is the sum of the state with the larger maximum alone: the other one was left "
                         "out. However small its "
                         "factor is, its sum may be large.");
    else if (close_enough(sum, pair.a.sum * exp(max - pair.a.max) + pair.b.sum * exp(max - pair.b.max)))
        explain(context, "That is what comes out with the factor exp(new maximum - its own maximum), which "
                         "is upside down. It has to "
                         "be exp(its own maximum - new maximum), and so never exceeds 1.");
}

/* Every pair must get its exact merge, in both orders. */
static void expect_exact(struct context *context, const struct state_pair *pairs, size_t count) {
    struct state_pair both[60];
    for (size_t i = 0; i < count; i++) {
        both[2 * i] = pairs[i];
        both[2 * i + 1] = (struct state_pair){pairs[i].b, pairs[i].a};
    }
    const struct state *states = merge_each(context, both, 2 * count);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct state expected = exact_merge(both[i].a, both[i].b);
        if (both[i].a.max != both[i].b.max && states[i].max == fmin(both[i].a.max, both[i].b.max))
            explain(context, "The maximum of the two is the larger one, and this is the smaller. From it the "
                             "other state's factor "
                             "exp(its own maximum - the new maximum) is larger than 1, and may overflow.");
        else if (!close_enough(states[i].sum, expected.sum))
            explain_sum(context, both[i], states[i].sum, close_enough(states[i ^ 1].sum, expected.sum));
        point_at_call(context, (int)i);
        expect_state(context, states[i], expected, call_text(context, both[i]));
    }
}

void merge_by_hand(struct context *context) {
    const struct state_pair pairs[] = {
        {{2, 2}, {4, 1}}, {{1, 1}, {1, 1}}, {{3, 1.5}, {2, 4}}, {{-3, 1}, {-5, 2}}};
    expect_exact(context, pairs, sizeof pairs / sizeof *pairs);
}

void merge_rescale(struct context *context) {
    const struct state_pair pairs[] = {
        {{1000, 3}, {-1000, 5}}, {{-1000, 2}, {-1010, 7}},  {{1000, 2}, {1001, 7}},
        {{0, 1}, {700, 1}},      {{-1e300, 4}, {1e300, 2}}, {{0, 1e6}, {25, 1}},
    };
    expect_exact(context, pairs, sizeof pairs / sizeof *pairs);
}

void merge_identity(struct context *context) {
    const struct state empty = {-INFINITY, 0};
    const struct state_pair pairs[] = {
        {empty, {4, 1.25}}, {empty, {-1000, 3}}, {empty, {1000, 3}}, {empty, {0, 1}}, {empty, empty}};
    expect_exact(context, pairs, sizeof pairs / sizeof *pairs);
}

/* ---- trees ---- */

enum { LEAVES = 8, SHAPES = 4, NODES = 2 * LEAVES - 1 };

struct tree {
    const char *name;
    int child[NODES][2]; /* of the nodes from LEAVES on */
    struct state state[NODES];
};

/* The shapes: node LEAVES + i is the i-th merge, its children come before it. */
static void build_shapes(struct context *context, struct tree *trees) {
    trees[0].name = "from left to right";
    trees[1].name = "from right to left";
    trees[2].name = "by pairs";
    trees[3].name = "in a random order";
    for (int i = 0; i < LEAVES - 1; i++) {
        const int before = LEAVES + i - 1;
        trees[0].child[LEAVES + i][0] = i == 0 ? 0 : before;
        trees[0].child[LEAVES + i][1] = i + 1;
        trees[1].child[LEAVES + i][0] = LEAVES - 2 - i;
        trees[1].child[LEAVES + i][1] = i == 0 ? LEAVES - 1 : before;
        trees[2].child[LEAVES + i][0] = 2 * i;
        trees[2].child[LEAVES + i][1] = 2 * i + 1;
    }
    int open[NODES], count = LEAVES;
    for (int i = 0; i < LEAVES; i++)
        open[i] = i;
    for (int i = 0; i < LEAVES - 1; i++) {
        for (int side = 0; side < 2; side++) {
            const int pick = (int)(check_random(context) % (uint64_t)count);
            trees[3].child[LEAVES + i][side] = open[pick];
            open[pick] = open[--count];
        }
        open[count++] = LEAVES + i;
    }
}

void merge_trees(struct context *context) {
    struct tree *trees = check_memory(context, SHAPES * sizeof *trees);
    build_shapes(context, trees);
    double values[LEAVES][5];
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        for (int i = 0; i < 5; i++)
            values[leaf][i] = leaf == 3 ? -INFINITY : check_uniform(context, -40, 40) * (leaf + 1);
        const struct state state = exact_state((struct list){values[leaf], 5});
        for (int shape = 0; shape < SHAPES; shape++)
            trees[shape].state[leaf] = state;
    }
    /* One node of every tree at a time, since a node needs what its children gave. */
    for (int node = LEAVES; node < NODES; node++) {
        struct state_pair pairs[SHAPES];
        for (int shape = 0; shape < SHAPES; shape++) {
            const int *child = trees[shape].child[node];
            pairs[shape] = (struct state_pair){trees[shape].state[child[0]], trees[shape].state[child[1]]};
        }
        const struct state *merged = merge_each(context, pairs, SHAPES);
        for (int shape = 0; shape < SHAPES; shape++)
            trees[shape].state[node] = merged[shape];
    }
    const struct state expected = exact_state((struct list){values[0], LEAVES * 5});
    for (int shape = 0; shape < SHAPES; shape++) {
        point_at_call(context, shape);
        expect_state(context, trees[shape].state[NODES - 1], expected,
                     check_text(context, "Merging the states of %d chunks %s", LEAVES, trees[shape].name));
    }
}

/* The submission's own states of such lists are merged: which form they have is up to it. */
void merge_not_finite(struct context *context) {
    const struct list lists[] = {LIST(NAN),      LIST(1, NAN),         LIST(NAN, -INFINITY),
                                 LIST(INFINITY), LIST(1, INFINITY, 2), LIST(-INFINITY, INFINITY)};
    const struct state others[] = {{2, 2}, {-INFINITY, 0}, {-1000, 1}};
    enum { LISTS = sizeof lists / sizeof *lists, OTHERS = sizeof others / sizeof *others };
    const struct state *spoiled = summarize_each(context, lists, LISTS);
    struct state_pair pairs[LISTS * OTHERS * 2];
    size_t count = 0;
    for (int i = 0; i < LISTS; i++) {
        point_at_call(context, i);
        expect_spoiled(context, spoiled[i],
                       check_text(context, "softmax_summarize(%s)", list_text(context, lists[i])));
        for (int j = 0; j < OTHERS; j++) {
            pairs[count++] = (struct state_pair){spoiled[i], others[j]};
            pairs[count++] = (struct state_pair){others[j], spoiled[i]};
        }
    }
    const struct state *merged = merge_each(context, pairs, count);
    for (size_t i = 0; i < count; i++) {
        point_at_call(context, (int)i);
        expect_spoiled(context, merged[i], call_text(context, pairs[i]));
    }
}
