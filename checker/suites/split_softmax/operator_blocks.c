/* A split is a split: many blocks share the work on one wide row. */
#include "parts.h"

#include <string.h>

enum { LEAST_BLOCKS = 8 };

struct shares {
    uint32_t read, written; /* the fewest blocks of a kernel that read x; the most that wrote y */
};

/* By who touched what. */
static struct shares shares_by_traffic(const struct outcome *outcome, const struct table *x) {
    const uint64_t bytes = (uint64_t)(x->rows * x->cols) * element_bytes(x->type);
    struct shares shares = {UINT32_MAX, 0};
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        const bool whole =
            traffic->bytes_read >= bytes / 2; /* a look at some elements is no pass over the row */
        if (strcmp(traffic->name, "x") == 0 && whole && traffic->blocks_read < shares.read)
            shares.read = traffic->blocks_read;
        if (strcmp(traffic->name, "y") == 0 && traffic->blocks_written > shares.written)
            shares.written = traffic->blocks_written;
    }
    return shares;
}

/* A GPU says how many blocks there were, and not what they did. One kernel that reads x and another that
 * writes y both have to be large; a call that has but one kernel does both in it. */
static struct shares shares_by_grids(const struct outcome *outcome) {
    uint32_t largest = 0, second = 0;
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const uint32_t *grid = outcome->kernels[i].grid;
        const uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
        const uint32_t blocks = all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
        if (blocks > largest) {
            second = largest;
            largest = blocks;
        } else if (blocks > second)
            second = blocks;
    }
    return (struct shares){largest, outcome->kernel_count > 1 ? second : largest};
}

static void expect_split(struct context *context, enum element_type type, int chunk) {
    struct table x = table_new(context, type, 1, SPLIT_MAX_COLS, SPLIT_MAX_COLS);
    table_fill_normal(context, &x, 0, 1);
    const struct outcome *outcome = split_expect_softmax(context, &x, &chunk, 1, NO_GUARD);
    const bool seen = accesses_are_seen(context);
    const struct shares shares = seen ? shares_by_traffic(outcome, &x) : shares_by_grids(outcome);
    locate(context, "1 row of %d columns, chunk size %d, %s.", SPLIT_MAX_COLS, chunk, element_name(type));
    explain(context, "The row is cut into chunks so that many blocks share it: each chunk has a block of its "
                     "own, or a few have one. "
                     "With one block for the row the rest of the device stands idle.");
    if (shares.written < LEAST_BLOCKS)
        check_fail(context, "y was written by %u block%s; a split of the row takes at least %d.",
                   shares.written, shares.written == 1 ? "" : "s", LEAST_BLOCKS);
    if (shares.read < LEAST_BLOCKS)
        check_fail(context, "The row was read by %u block%s; a split of it takes at least %d.", shares.read,
                   shares.read == 1 ? "" : "s", LEAST_BLOCKS);
}

void split_operator_blocks(struct context *context) {
    for (int i = 0; i < 3; i++)
        expect_split(context, supported_types[i], split_chunk_sizes[i]);
}
