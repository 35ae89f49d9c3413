/* A launch of very many blocks, of which a sample is run.
 *
 * A check of 65,537 rows is about the limits of a grid and about indices that are cut short. For that the
 * blocks at both ends, those on both sides of 65,536 and some drawn ones will do. The sample is one of rows:
 * a launch runs the blocks that have these rows if blocks and rows come in the same order, and one more on
 * each side. So the launches of a call take the same rows, whether they give a block one row or eight. Where
 * blocks stride over the rows, a block is as good as another: those run that have row 65,535 and row 65,536
 * then. What the other blocks would have written is unknown: it keeps its poison, and to read it is no fault.
 * Whether enough is known in the end is for the check to judge. */
#include "simulator.h"
#include <string.h>

enum {
    RUN_WHOLE = 32,  /* a launch of so few blocks is run whole */
    MANY_ROWS = 512, /* of one of so few, each has so many rows that some will do */
    FEW = 4,         /* drawn ones, there */
    BESIDE = 64,     /* rows at each end, and on each side of 65,536 */
    STRETCHES = 24,
    STRETCH = 32
};

static uint64_t sampled_rows; /* of the matrix; 0: every block is run */
static uint64_t drawn[STRETCHES];

void sample_reset(void) {
    sampled_rows = 0;
}

void runtime_sample(int64_t rows) {
    sampled_rows = rows > 0 ? (uint64_t)rows : 0;
    for (int i = 0; i < STRETCHES && sampled_rows; i++)
        drawn[i] = sim_random() % sampled_rows;
}

/* Whether the rows [first, end) meet [from, to). */
static bool meet(uint64_t first, uint64_t end, uint64_t from, uint64_t to) {
    return first < to && from < end;
}

bool sample_takes(uint64_t block, uint64_t blocks) {
    if (!sampled_rows || blocks <= RUN_WHOLE || block < 2 || block + 2 >= blocks || block == 65535 % blocks ||
        block == 65536 % blocks)
        return true;
    const uint64_t width = sampled_rows / blocks + 1,
                   begin = (uint64_t)((double)block * (double)sampled_rows / (double)blocks);
    /* A block on each side, for rows that do not divide evenly. */
    const uint64_t first = begin > width ? begin - width : 0, end = begin + 2 * width + 1;
    if (blocks <= MANY_ROWS) {
        bool drawn_too = meet(first, end, 65535, 65537);
        for (int i = 0; i < FEW; i++)
            drawn_too |= block == drawn[i] % blocks;
        return drawn_too;
    }
    bool taken = meet(first, end, 0, BESIDE) || meet(first, end, 65536 - BESIDE, 65536 + BESIDE) ||
                 meet(first, end, sampled_rows > BESIDE ? sampled_rows - BESIDE : 0, sampled_rows);
    for (int i = 0; i < STRETCHES && !taken; i++)
        taken = meet(first, end, drawn[i], drawn[i] + STRETCH);
    return taken;
}

static void make_unknown(struct region *region) {
    if (region->initialised && region->touched_by == sim_block.operation->issued &&
        region->bytes_written + region->bytes_atomic > 0)
        memset(region->initialised, 1, region->bytes);
}

void sample_launch_ends(uint64_t left_out) {
    if (!left_out)
        return;
    for (size_t i = 0; i < memory_region_count(); i++)
        make_unknown(memory_region(i));
    for (size_t i = 0; i < variable_number(); i++)
        make_unknown(variable_at(i));
}
