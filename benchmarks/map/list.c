/* Asking for the states of a list, and drawing them (see list.h). */
#include "list.h"
#include "base/memory.h"
#include "check/source_lines.h"
#include "grading/run_check.h"
#include "link/runner_process.h"
#include "panel_script.h"
#include <math.h>
#include <string.h>

/* ---- the student's states ---- */

/* Returns null, or why there are no states. From malloc. */
static char *ask(const struct session *session, struct list_map *map, void (*run)(struct context *)) {
    static struct runner runner;
    const struct list_check call = {{.id = "map.list", .title = "", .run = run, .seconds = 10}, map};
    runner.program = session->runner;
    runner.submission = session->submission;
    struct symbols *symbols = symbols_open(session->submission, session->source);
    struct verdict verdict = perform(session, &call.check, &runner, symbols);
    symbols_close(symbols);
    runner_stop(&runner);
    char *reason = verdict.status == STATUS_PASS   ? NULL
                   : verdict.status == STATUS_TODO ? copy_text("not written yet")
                                                   : copy_text(verdict.found);
    verdict_free(&verdict);
    return reason;
}

/* Numbers from -4 to 4; where there are four chunks, the third is masked. */
void list_take(const struct session *session, size_t count, size_t chunk, struct list_map *map) {
    uint64_t random = session->seed;
    *map = (struct list_map){.count = count, .chunk = chunk, .chunks = (count + chunk - 1) / chunk};
    for (size_t i = 0; i < count; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u; /* Knuth's */
        map->values[i] = map->chunks >= 4 && i / chunk == 2
                             ? -INFINITY
                             : round((double)(random >> 11) / (double)(1ull << 53) * 80 - 40) / 10;
    }
    list_find_right(map);
    map->no_summary = ask(session, map, list_summarize);
    if (map->summarized)
        map->no_merge = ask(session, map, list_merge);
}

/* ---- in words ---- */

/* "(3.9, 4.0711)"; with the right one where it is another. From malloc. */
static char *state_words(bool known, struct list_state got, struct list_state right) {
    if (!known)
        return copy_text("?");
    return list_is_right(got, right)
               ? format_text("(%.4g, %.5g)", got.max, got.sum)
               : format_text("(%.6g, %.6g), should be (%.6g, %.6g)", got.max, got.sum, right.max, right.sum);
}

void list_print(FILE *out, const struct list_map *map) {
    for (size_t i = 0; i < map->chunks; i++) {
        char *own = state_words(map->summarized, map->own[i], map->right[i]),
             *merged = state_words(map->are_merged, map->merged[i], map->right_merged[i]);
        const size_t size = list_chunk_size(map, i);
        fprintf(out, "  chunk %zu, %zu value%s: %s; merged so far: %s\n", i, size, size == 1 ? "" : "s", own,
                merged);
        free(own);
        free(merged);
    }
    if (map->no_summary)
        fprintf(out, "  softmax_summarize: %s\n", map->no_summary);
    if (map->no_merge)
        fprintf(out, "  softmax_merge: %s\n", map->no_merge);
}

/* ---- drawn ---- */

static const double floor_drawn = -5; /* where masked values stand */

static void write_label(FILE *out, double x, const char *height, bool wrong, const char *text) {
    fprintf(out, "set label ");
    text_write(out, text);
    fprintf(out, " at %.2f,graph %s center noenhanced font ',9' textcolor rgb '%s'\n", x, height,
            wrong ? "#d00000" : "#222222");
}

static void write_chunk(FILE *out, const struct list_map *map, size_t index) {
    const double first = (double)(index * map->chunk) - 0.5,
                 last = first + (double)list_chunk_size(map, index), middle = (first + last) / 2;
    const bool wrong = map->summarized && !list_is_right(map->own[index], map->right[index]),
               wrong_merge = map->are_merged && !list_is_right(map->merged[index], map->right_merged[index]);
    char *own = map->summarized
                    ? format_text("chunk %zu\n(%.4g, %.5g)", index, map->own[index].max, map->own[index].sum)
                    : format_text("chunk %zu", index),
         *right = format_text("not (%.4g, %.5g)", map->right[index].max, map->right[index].sum),
         *merged = map->are_merged
                       ? format_text("(%.4g, %.5g)", map->merged[index].max, map->merged[index].sum)
                       : copy_text("?");
    write_label(out, middle, "1.16", wrong, own);
    if (wrong)
        write_label(out, middle, "1.04", true, right);
    write_label(out, middle, "-0.14", wrong_merge, merged);
    if (map->summarized && isfinite(map->own[index].max))
        fprintf(out, "set arrow from %.2f,%.9g to %.2f,%.9g nohead front linewidth 2 linecolor rgb '%s'\n",
                first, map->own[index].max, last, map->own[index].max, wrong ? "#d00000" : "#b3470b");
    if (index > 0)
        fprintf(out,
                "set arrow from %.2f,graph 0 to %.2f,graph 1 nohead linewidth 1.5 linecolor rgb '#000000'\n",
                first, first);
    free(own);
    free(right);
    free(merged);
}

static void write_script(FILE *out, const struct list_map *map, const char *title, const char *format,
                         const char *path) {
    fprintf(out,
            "set terminal %s size 1100,520 font 'DejaVu Sans,11' background rgb 'white'\nset output '%s'\n"
            "load 'benchmarks/style.gp'\nset tmargin 8\nset bmargin 6\nset rmargin 6\nset title ",
            format, path);
    text_write(out, title);
    fprintf(
        out,
        " offset 0,4.2 noenhanced\nset xrange [-0.5:%.1f]\nset yrange [-5.6:4.6]\nset ylabel 'value'\n"
        "set ytics (-4, -2, 0, 2, 4, \"-inf\" %g)\nset xtics scale 0 font ',8'\n"
        "set label \"above: (max, sum) that softmax_summarize gives of each chunk, its max as a line; below: "
        "merged from the left by softmax_merge; crosses: masked\" at graph 0,-0.24 left noenhanced font "
        "',9'\n",
        (double)map->count - 0.5, floor_drawn);
    for (size_t i = 0; i < map->chunks; i++)
        write_chunk(out, map, i);
    fprintf(out, "$values << END\n");
    for (size_t i = 0; i < map->count; i++)
        if (isfinite(map->values[i]))
            fprintf(out, "%zu %.9g\n", i, map->values[i]);
    fprintf(out, "END\n$masked << END\n");
    for (size_t i = 0; i < map->count; i++)
        if (!isfinite(map->values[i]))
            fprintf(out, "%zu %g\n", i, floor_drawn);
    fprintf(out,
            "-9 0\nEND\nplot $values using 1:2 with impulses linewidth 1 linecolor rgb '#9ecae9' notitle, "
            "$values using 1:2 with points linestyle 2 notitle, "
            "$masked using 1:2 with points pointtype 2 linecolor rgb '#777777' notitle\n");
}

char *list_draw(const struct list_map *map, const char *title, const char *folder) {
    static const char *const formats[][2] = {{"pngcairo", "png"}, {"svg dynamic", "svg"}};
    char *trouble = NULL;
    for (int i = 0; i < 2 && !trouble; i++) {
        char *path = format_text("%s/map.%s", folder, formats[i][1]), *aside = figure_aside(path),
             *script = NULL;
        size_t size;
        FILE *out = open_memstream(&script, &size);
        write_script(out, map, title, formats[i][0], aside);
        fclose(out);
        trouble = figure_run(script, aside, path);
        free(script);
        free(aside);
        free(path);
    }
    return trouble;
}
