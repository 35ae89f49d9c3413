/* Reads the tokens and lets each pass make its remarks. */
#include "remarks.h"
#include "passes.h"

#include <stdio.h>
#include <string.h>

enum { MAX_REMARKS = 50 }; /* no one reads more */

void report_remark(struct reading *reading, size_t offset, const char *id, const char *text) {
    struct remarks *all = reading->remarks;
    if (all->count == MAX_REMARKS)
        return;
    all->items = memory_resize(all->items, (all->count + 1) * sizeof *all->items);
    struct remark *item = &all->items[all->count++];
    *item = (struct remark){.id = id};
    source_position(&reading->source, offset, &item->line, &item->column);
    snprintf(item->text, sizeof item->text, "%s", text);
}

void remarks_free(struct remarks *remarks) {
    memory_release(remarks->items);
    *remarks = (struct remarks){0};
}

void remarks_read(const char *text, size_t length, struct remarks *remarks) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF"; /* allowed at the start of a file only */
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    struct reading reading = {.remarks = remarks};
    source_read(&reading.source, text, length);
    warn_about_streams(&reading);
    warn_about_grid_barriers(&reading);
    warn_about_masks(&reading);
    warn_about_local_arrays(&reading);
    source_free(&reading.source);
}
