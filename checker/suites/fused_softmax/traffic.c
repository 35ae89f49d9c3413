/* Judging traffic, launches, allocations and waits (see traffic.h).
 *
 * Bytes are counted access by access. That every element was read at least once is known from the values; so
 * when as many bytes were read as the rows hold, each was read exactly once. With padding the count may be
 * larger by the padding, and the checks use a pitch near cols, so that this does not hide a second read of
 * the row. */
#include "traffic.h"

#include <string.h>

void need_counts(struct context *context) {
    if (!accesses_are_seen(context))
        check_skip(context, "Simulator only: it alone counts the bytes that a kernel moves.");
}

static void check_reads(struct context *context, const struct problem *problem, uint64_t read) {
    const struct table *x = &problem->x;
    const uint64_t element = element_bytes(x->type);
    const uint64_t row = (uint64_t)(x->rows * x->cols) * element,
                   pitch = (uint64_t)(x->rows * x->pitch) * element;
    if (read >= row && read <= pitch)
        return;
    if (read < row)
        check_fail(context, "Only %llu of the %llu bytes in the rows of x were read.",
                   (unsigned long long)read, (unsigned long long)row);
    explain(
        context,
        "One pass is %llu bytes, so every element was read about %.2g times. Keep the values in registers "
        "between maximum, sum and quotient.",
        (unsigned long long)row, (double)read / (double)row);
    check_fail(context, "x was read more than once: %llu bytes, where its rows hold %llu%s.",
               (unsigned long long)read, (unsigned long long)row,
               pitch > row ? " without their padding" : "");
}

void check_one_pass(struct context *context, const struct outcome *outcome, const struct problem *problem) {
    const uint64_t rows = (uint64_t)(problem->x.rows * problem->x.cols) * element_bytes(problem->x.type);
    uint64_t read = 0, y_read = 0, y_written = 0;
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        if (strcmp(traffic->name, "x") == 0) {
            read += traffic->bytes_read + traffic->bytes_atomic;
        } else if (strcmp(traffic->name, "y") == 0) {
            y_read += traffic->bytes_read + traffic->bytes_atomic;
            y_written += traffic->bytes_written + traffic->bytes_atomic;
        } else {
            /* A table in a variable that is only read is no scratch. */
            const uint64_t changed = traffic->bytes_written + traffic->bytes_atomic;
            const bool table =
                changed == 0 && strncmp(traffic->name, "allocation", strlen("allocation")) != 0;
            const uint64_t bytes = traffic->bytes_read + changed;
            if (bytes > 0 && !table)
                check_fail(
                    context,
                    "The kernel used %llu bytes of other memory (%s); all it needs is x, y and registers.",
                    (unsigned long long)bytes, traffic->name);
        }
    }
    check_reads(context, problem, read);
    if (y_read > 0) {
        explain(context, "What was computed is still in a register: there is no need to fetch it back.");
        check_fail(context, "The kernel read %llu bytes of y, which it only has to write.",
                   (unsigned long long)y_read);
    }
    if (y_written != rows) {
        if (y_written > rows)
            explain(context, "Elements are stored twice, or padding is written back.");
        check_fail(context, "The kernel wrote %llu bytes of y; its rows hold %llu.",
                   (unsigned long long)y_written, (unsigned long long)rows);
    }
}

void check_grid(struct context *context, const struct outcome *outcome, const struct problem *problem) {
    const int64_t per_block = problem->rows_per_block, rows = problem->x.rows;
    const uint64_t expected = (uint64_t)((rows + per_block - 1) / per_block);
    uint64_t blocks = 0;
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const uint32_t *grid = outcome->kernels[i].grid;
        blocks += (uint64_t)grid[0] * grid[1] * grid[2];
    }
    if (blocks == expected && outcome->kernel_count == 1)
        return;
    if (blocks == expected)
        explain(context, "One kernel does it all: grid.x takes up to 2^31 - 1 blocks, more than there can be "
                         "rows.");
    else
        explain(context, "ceil(rows / rows_per_block) = ceil(%lld / %lld) = %llu.", (long long)rows,
                (long long)per_block, (unsigned long long)expected);
    check_fail(context, "%llu blocks were launched, in %zu launch%s; the contract asks for %llu, in one.",
               (unsigned long long)blocks, outcome->kernel_count, outcome->kernel_count == 1 ? "" : "es",
               (unsigned long long)expected);
}

void check_rows_of_a_block(struct context *context, const struct outcome *outcome,
                           const struct problem *problem) {
    const uint64_t row = (uint64_t)problem->x.cols * element_bytes(problem->x.type);
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        const bool once =
            traffic->bytes_written <= row * (uint64_t)problem->x.rows; /* else rows.one_pass tells it */
        if (strcmp(traffic->name, "y") != 0 || !once ||
            traffic->most_written <= row * (uint64_t)problem->rows_per_block)
            continue;
        explain(context, "Block b has the rows from b * rows_per_block on, and no others: so the launch, and "
                         "not a loop in the "
                         "kernel, deals out the rows.");
        check_fail(context,
                   "One block wrote %llu rows of y; with rows_per_block %d each has at most so many.",
                   (unsigned long long)((traffic->most_written + row - 1) / row), problem->rows_per_block);
    }
}

void check_no_scratch(struct context *context, const struct outcome *outcome) {
    if (outcome->allocation_count == 0)
        return;
    explain(context, "A row fits in the registers of a warp; nothing has to be put down anywhere.");
    check_fail(context, "fused_softmax allocated %llu bytes of device memory; it needs no scratch.",
               (unsigned long long)outcome->allocations[0].bytes);
}

void check_no_waits(struct context *context, const struct outcome *outcome) {
    if (outcome->wait_count == 0)
        return;
    explain(context, "The caller's stream keeps the order; a call that waits stops the CPU, and perhaps "
                     "other streams too.");
    check_fail(context, "fused_softmax called %s: %s.", outcome->waits[0].call, outcome->waits[0].reason);
}
