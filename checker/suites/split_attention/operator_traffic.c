/* What a call moves: k and v once, the scores never; and how many blocks share the work. */
#include "parts.h"

#include <string.h>

enum { LEAST_BLOCKS = 8 };

/* Bytes that the kernels of a call moved. */
struct moved {
    uint64_t k, v, y, elsewhere; /* read of k and of v, written to y and to memory that is no input */
};

static struct moved moved_by(const struct outcome *outcome) {
    struct moved moved = {0};
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        const uint64_t read = traffic->bytes_read + traffic->bytes_atomic,
                       written = traffic->bytes_written + traffic->bytes_atomic;
        if (strcmp(traffic->name, "k") == 0)
            moved.k += read;
        else if (strcmp(traffic->name, "v") == 0)
            moved.v += read;
        else if (strcmp(traffic->name, "y") == 0)
            moved.y += written;
        else
            moved.elsewhere += written;
    }
    return moved;
}

/* That every element was read at least once is known from the numbers: so when as many bytes were read as there are,
 * each was read exactly once. */
static void judge_reads(struct context *context, const char *name, uint64_t read, uint64_t bytes) {
    if (read == bytes)
        return;
    if (read > bytes) {
        explain(context,
                "Once through %s is %llu bytes, so each element was read about %.2g times. Where several "
                "threads need "
                "one element, one of them loads it; where it is needed twice, it stays in a register or in "
                "shared "
                "memory.",
                name, (unsigned long long)bytes, (double)read / (double)bytes);
        check_fail(context, "%s was read more than once: %llu bytes, and it has %llu.", name,
                   (unsigned long long)read, (unsigned long long)bytes);
    }
    check_fail(context, "Only %llu of the %llu bytes of %s were read.", (unsigned long long)read,
               (unsigned long long)bytes, name);
}

static void expect_traffic(struct context *context, const struct problem *problem) {
    const struct outcome *outcome = attention_expect(context, problem, NO_GUARD);
    const struct moved moved = moved_by(outcome);
    const uint64_t element = element_bytes(problem->type),
                   keys = (uint64_t)(problem->heads * problem->length),
                   bytes = keys * (uint64_t)problem->dim * element,
                   y = (uint64_t)(problem->heads * problem->dim) * element,
                   states = attention_planned(problem), room = states + 256 * outcome->allocation_count;
    locate(context, "%s.", attention_text(context, problem));
    judge_reads(context, "k", moved.k, bytes);
    judge_reads(context, "v", moved.v, bytes);
    if (moved.elsewhere > room) {
        const char *scores =
            moved.elsewhere >= states + 4 * keys
                ? check_text(context,
                             " The scores of all keys are %llu bytes: are they among them? They belong in "
                             "registers or in shared memory.",
                             (unsigned long long)(4 * keys))
                : "";
        explain(context,
                "The states, 4 * heads * T * (dim + 2) bytes, are all that goes from the first stage to the "
                "second, "
                "and each is written once.%s",
                scores);
        check_fail(context, "%llu bytes were written to memory other than y; the states are %llu.",
                   (unsigned long long)moved.elsewhere, (unsigned long long)states);
    }
    if (moved.y > y) {
        explain(context, "y is written once, by the stage that divides.");
        check_fail(context, "%llu bytes of y were written; it has %llu.", (unsigned long long)moved.y,
                   (unsigned long long)y);
    }
}

void attention_operator_traffic(struct context *context) {
    if (!accesses_are_seen(context))
        check_skip(context, "Simulator only: it alone counts the bytes that a kernel moves.");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const struct problem problem = attention_drawn(
                context, supported_types[i], 2, 1100, attention_dims[(i + j) % 2], attention_chunk_sizes[j]);
            expect_traffic(context, &problem);
        }
}

/* The fewest blocks that read k, and that read v. A look at some elements is no pass. */
struct shares {
    uint32_t k, v;
};

static struct shares shares_by_traffic(const struct outcome *outcome, uint64_t bytes) {
    struct shares shares = {UINT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        if (traffic->bytes_read < bytes / 2)
            continue;
        if (strcmp(traffic->name, "k") == 0 && traffic->blocks_read < shares.k)
            shares.k = traffic->blocks_read;
        if (strcmp(traffic->name, "v") == 0 && traffic->blocks_read < shares.v)
            shares.v = traffic->blocks_read;
    }
    return shares;
}

/* A GPU says how many blocks there were, and not what they did. */
static struct shares shares_by_grids(const struct outcome *outcome) {
    uint32_t most = 0;
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const uint32_t *grid = outcome->kernels[i].grid;
        const uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
        const uint32_t blocks = all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
        most = blocks > most ? blocks : most;
    }
    return (struct shares){most, most};
}

/* One head of the most keys there can be: so the cap is looked at as well. Rows of k and v come again and again, or
 * drawing them would take longer than all the rest. */
void attention_operator_blocks(struct context *context) {
    enum { DRAWN = 1021 };
    struct problem problem = attention_new(context, TYPE_FP16, 1, ATTENTION_MAX_LENGTH, 64, 1024);
    table_fill_normal(context, &problem.q, 0, 1);
    table_fill_normal(context, &problem.bias, 0, 2);
    for (int64_t key = 0; key < problem.length; key++)
        for (int col = 0; col < problem.dim; col++) {
            const int64_t at = key * problem.dim + col, before = at - DRAWN * problem.dim;
            problem.k.values[at] =
                before >= 0 ? problem.k.values[before] : element_round(TYPE_FP16, check_normal(context));
            problem.v.values[at] =
                before >= 0 ? problem.v.values[before] : element_round(TYPE_FP16, check_normal(context));
        }
    const struct outcome *outcome = attention_expect(context, &problem, NO_GUARD);
    const struct shares shares = accesses_are_seen(context)
                                     ? shares_by_traffic(outcome, (uint64_t)problem.length * 64 * 2)
                                     : shares_by_grids(outcome);
    locate(context, "%s.", attention_text(context, &problem));
    explain(context,
            "The keys are cut into chunks so that many blocks share them: each chunk has a block of its own, "
            "or a few have one. With one block for a head the rest of the device stands idle.");
    if (shares.k < LEAST_BLOCKS)
        check_fail(context, "k was read by %u block%s; a split takes at least %d.", shares.k,
                   shares.k == 1 ? "" : "s", LEAST_BLOCKS);
    if (shares.v < LEAST_BLOCKS)
        check_fail(context, "v was read by %u block%s; a split takes at least %d.", shares.v,
                   shares.v == 1 ? "" : "s", LEAST_BLOCKS);
}
