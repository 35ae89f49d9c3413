/* The translator: reads the tokens, lets each pass note its changes and remarks, applies the changes. */
#include "translate.h"
#include "passes.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WARNINGS = 50 }; /* no one reads more */

static void report(struct translation *translation, size_t offset, bool error, const char *id,
                   const char *text) {
    struct diagnostics *all = translation->diagnostics;
    all->items = memory_resize(all->items, (all->count + 1) * sizeof *all->items);
    struct diagnostic *item = &all->items[all->count++];
    *item = (struct diagnostic){.error = error, .id = id};
    source_position(&translation->source, offset, &item->line, &item->column);
    snprintf(item->text, sizeof item->text, "%s", text);
}

void report_error(struct translation *translation, size_t offset, const char *text) {
    translation->failed = true;
    report(translation, offset, true, "", text);
}

void report_warning(struct translation *translation, size_t offset, const char *id, const char *text) {
    if (translation->diagnostics->count < MAX_WARNINGS)
        report(translation, offset, false, id, text);
}

void diagnostics_free(struct diagnostics *diagnostics) {
    memory_release(diagnostics->items);
    *diagnostics = (struct diagnostics){0};
}

char *translate_source(const char *text, size_t length, const char *path, struct diagnostics *diagnostics,
                       size_t *size) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF"; /* allowed at the start of a file only */
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    struct translation translation = {.diagnostics = diagnostics};
    source_read(&translation.source, text, length);
    for (size_t i = 0; i < translation.source.stream_count; i++) {
        translate_launches(&translation, &translation.source.streams[i]);
        translate_kernel_pointers(&translation, &translation.source.streams[i]);
        translate_variables(&translation, &translation.source.streams[i]);
    }
    struct buffer out = {0};
    size_t overlap;
    buffer_add_text(&out, "#line 1 \"");
    buffer_add_escaped(&out, path, strlen(path));
    buffer_add_text(&out, "\"\n");
    if (!translation.failed && !edits_apply(&translation.edits, text, length, &out, &overlap))
        report_error(
            &translation, overlap,
            "This launch or qualified variable lies inside another that is being rewritten. Give the "
            "inner one a statement of its own.");
    if (!translation.failed) {
        warn_about_streams(&translation);
        warn_about_grid_barriers(&translation);
        warn_about_masks(&translation);
    }
    edits_free(&translation.edits);
    source_free(&translation.source);
    if (translation.failed) {
        memory_release(out.text);
        return NULL;
    }
    *size = out.size;
    return out.text;
}
