/* The least counts that the contract allows, for each function by itself.
 *
 * With M rows of N columns, s bytes an element, T = ceil(N / C) chunks a row:
 *
 *   partials    reads x once, M N s bytes, and writes a maximum and a sum for each chunk: 4 M T bytes each.
 *   merge       reads these once, and writes a maximum and a sum for each row: 4 M bytes each.
 *   normalize   reads x once more, for a stage gets nothing else of it; each row's maximum and sum once, 4 M
 *               bytes each, if one block has the whole row (more blocks read them more often: that is the price
 *               of the split, and small); writes y once.
 *   operator    split_softmax: the three together, so x twice: 1.5 times the bytes of x read once and y written
 *               once. Scratch is 8 M (T + 1) bytes, by the contract. Three launches, one a stage.
 *               fused_softmax: x once, y once, no scratch, one launch.
 *
 * Sectors of 32 bytes: no fewer than those that hold the bytes. Rows of a padded matrix are counted one by one,
 * for the padding need not be touched; two rows may share a sector.
 *
 * Barriers, shuffles, atomics and bank conflicts: 0. One thread can do the work of a chunk or a row by itself;
 * that is slow, so a count above the least may well be good there. */
#include "compare.h"
#include <string.h>

enum { SECTOR = 32 };

/* Sectors that the rows of a matrix lie in, from a start that is a multiple of 256 bytes. */
static uint64_t matrix_sectors(const struct setting *setting) {
    const uint64_t element = element_bytes(setting->type);
    uint64_t sectors = 0, next = 0; /* the first sector that is not counted yet */
    for (int64_t row = 0; row < setting->shape.rows; row++) {
        const uint64_t begin = (uint64_t)(row * setting->shape.pitch) * element;
        const uint64_t first = begin / SECTOR,
                       end = (begin + (uint64_t)setting->shape.cols * element - 1) / SECTOR + 1;
        sectors += end - (first > next ? first : next);
        next = end;
    }
    return sectors;
}

static uint64_t sectors_of(uint64_t bytes) {
    return (bytes + SECTOR - 1) / SECTOR;
}

static void add_buffer(json_t *part, const char *name, uint64_t read, uint64_t sectors_read, uint64_t written,
                       uint64_t sectors_written) {
    json_array_append_new(json_object_get(part, "buffers"),
                          json_pack("{s:s, s:I, s:I, s:I, s:I}", "name", name, "read", (json_int_t)read,
                                    "sectors_read", (json_int_t)sectors_read, "written", (json_int_t)written,
                                    "sectors_written", (json_int_t)sectors_written));
}

static void add_states(json_t *part, const char *max, const char *sum, int64_t states, bool read) {
    const uint64_t bytes = sizeof(float) * (uint64_t)states, sectors = sectors_of(bytes);
    const char *const names[] = {max, sum};
    for (int i = 0; i < 2; i++)
        add_buffer(part, names[i], read ? bytes : 0, read ? sectors : 0, read ? 0 : bytes,
                   read ? 0 : sectors);
}

json_t *least_counts(const char *exercise, const char *name, const struct setting *setting) {
    const bool is_split = strcmp(exercise, "split_softmax") == 0, is_operator = strcmp(name, "operator") == 0;
    const int64_t rows = setting->shape.rows,
                  chunks = (setting->shape.cols + setting->parameter - 1) / setting->parameter;
    const uint64_t bytes = shape_bytes(&setting->shape, setting->type), sectors = matrix_sectors(setting);
    const uint64_t scratch = is_split && is_operator ? 8 * (uint64_t)(rows * (chunks + 1)) : 0;
    json_t *part = json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:[]}", "launches",
                             is_split && is_operator ? 3 : 1, "barriers", 0, "shuffles", 0, "atomics", 0,
                             "bank_conflicts", 0, "scratch_bytes", (json_int_t)scratch, "buffers");
    if (!is_split || strcmp(name, "partials") == 0 || strcmp(name, "normalize") == 0)
        add_buffer(part, "x", bytes, sectors, 0, 0);
    if (strcmp(name, "partials") == 0)
        add_states(part, "partial_max", "partial_sum", rows * chunks, false);
    if (strcmp(name, "merge") == 0) {
        add_states(part, "partial_max", "partial_sum", rows * chunks, true);
        add_states(part, "row_max", "row_sum", rows, false);
    }
    if (strcmp(name, "normalize") == 0)
        add_states(part, "row_max", "row_sum", rows, true);
    if (is_split && is_operator) {
        add_buffer(part, "x", 2 * bytes, 2 * sectors, 0, 0);
        add_buffer(part, "scratch", scratch, sectors_of(scratch), scratch, sectors_of(scratch));
    }
    if (is_operator || strcmp(name, "normalize") == 0)
        add_buffer(part, "y", 0, 0, bytes, sectors);
    return part;
}
