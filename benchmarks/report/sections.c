/* What the report says, from the records (see report.h). A part that is missing says which command makes it. */
#include "document.h"
#include "memory.h"
#include "report.h"
#include <string.h>

static void heading(const struct page *page, const char *words) {
    fprintf(page->out, "<h2>%s</h2>\n", words);
}

static void cell(FILE *out, const char *text, bool number) {
    fputs(number ? "<td class=\"n\">" : "<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}

static void number_cell(FILE *out, const char *format, double number) {
    char text[48];
    snprintf(text, sizeof text, format, number);
    cell(out, text, true);
}

static void missing(const struct page *page, const char *what, const char *command) {
    fprintf(page->out, "<p class=\"note\">%s: <code>make %s EX=", what, command);
    html_text(page->out, page->exercise);
    fputs("</code> adds it.</p>\n", page->out);
}

/* ---- score and checks ---- */

static void write_check(FILE *out, const json_t *check) {
    const char *status = text_in(check, "status");
    const bool passed = strcmp(status, "pass") == 0;
    char *points = format_text("%.0f of %.0f", number_in(check, "points"), number_in(check, "max_points"));
    fputs("<tr>", out);
    cell(out, text_in(check, "id"), false);
    cell(out, text_in(check, "title"), false);
    fprintf(out, "<td class=\"%s\">", passed ? "good" : "bad");
    html_text(out, status);
    fputs("</td>", out);
    cell(out, points, true);
    fputs("</tr>\n", out);
    if (!passed && text_in(check, "message")[0]) {
        fputs("<tr><td></td><td colspan=\"3\"><pre>", out);
        html_text(out, text_in(check, "message"));
        fputs("</pre></td></tr>\n", out);
    }
    free(points);
}

void section_score(const struct page *page) {
    const json_t *check;
    size_t i;
    const double score = number_in(page->check, "score"), most = number_in(page->check, "max_score");
    fprintf(page->out, "<p><span class=\"score %s\">%.0f</span> of %.0f points, ",
            score >= most ? "good" : "bad", score, most);
    html_text(page->out, text_in(page->check, "status"));
    fputs("</p>\n<p class=\"soft\">", page->out);
    char *words = format_text("%s, %s; checked on the %s with seed %.0f", page->date,
                              strcmp(page->implementation, "exercise") == 0 ? "the student's files"
                                                                            : page->implementation,
                              text_in(page->check, "runtime"), number_in(page->check, "seed"));
    html_text(page->out, words);
    free(words);
    fputs("</p>\n", page->out);
    if (page->check_is_old)
        fputs("<p class=\"note\">The files have changed since this check.</p>\n", page->out);
    heading(page, "Checks");
    fputs("<div class=\"wide\"><table><thead><tr><th>check</th><th></th><th></th><th "
          "class=\"n\">points</th></tr></thead><tbody>\n",
          page->out);
    json_array_foreach(json_object_get(page->check, "checks"), i, check) {
        write_check(page->out, check);
    }
    fputs("</tbody></table></div>\n", page->out);
}

/* ---- the sweep ---- */

/* Whether a record was made from the files as they are. */
static bool is_current(const struct page *page, const json_t *sources) {
    const json_t *now, *then;
    size_t i, k;
    json_array_foreach(page->digests, i, now) {
        json_array_foreach(sources, k, then) {
            if (strcmp(text_in(now, "file"), text_in(then, "file")) == 0 &&
                strcmp(text_in(now, "sha256"), text_in(then, "sha256")) != 0)
                return false;
        }
    }
    return true;
}

static void old_note(const struct page *page, const json_t *sources) {
    if (!is_current(page, sources))
        fputs("<p class=\"note\">Made from an earlier version of the files.</p>\n", page->out);
}

static void write_variant(const struct page *page, const json_t *of_case, const json_t *variant, bool times) {
    const json_t *counts = json_object_get(variant, "counts"), *time = time_of(variant, "graph", "warm"),
                 *cold = time_of(variant, "graph", "cold");
    char *shape = shape_words(of_case), *words = format_text("%s %s", shape, text_in(of_case, "type"));
    fputs("<tr>", page->out);
    cell(page->out, words, false);
    cell(page->out, text_in(variant, "name"), false);
    if (times && time) {
        number_cell(page->out, "%.2f", number_in(time, "median"));
        number_cell(page->out, "%.2f", number_in(time, "min"));
        number_cell(page->out, "%.2f", number_in(time, "max"));
        number_cell(page->out, "%.2f", cold ? number_in(cold, "median") : 0);
    } else if (!times && counts) {
        number_cell(page->out, "%.0f", number_in(counts, "most_blocks"));
        number_cell(page->out, "%.3f", number_in(counts, "bytes_over_minimum"));
        number_cell(page->out, "%.3f", number_in(counts, "sectors_over_minimum"));
        number_cell(page->out, "%.0f", number_in(counts, "scratch_bytes"));
        number_cell(page->out, "%.0f", number_in(counts, "barriers"));
    } else
        cell(page->out, text_in(variant, "status"), false);
    fputs("</tr>\n", page->out);
    free(shape);
    free(words);
}

static void write_sweep(const struct page *page, bool times) {
    const json_t *of_case, *variant;
    size_t i, k;
    fprintf(page->out,
            "<div class=\"wide\"><table><thead><tr><th>shape</th><th>value</th>%s</tr></thead><tbody>\n",
            times ? "<th class=\"n\">us, warm</th><th class=\"n\">least</th><th class=\"n\">most</th><th "
                    "class=\"n\">us, cold</th>"
                  : "<th class=\"n\">blocks</th><th class=\"n\">bytes / least</th><th class=\"n\">sectors / "
                    "least</th>"
                    "<th class=\"n\">scratch bytes</th><th class=\"n\">barriers</th>");
    json_array_foreach(json_object_get(page->bench, "cases"), i, of_case) {
        json_array_foreach(json_object_get(of_case, "variants"), k, variant) {
            write_variant(page, of_case, variant, times);
        }
    }
    fputs("</tbody></table></div>\n", page->out);
}

void section_sweep(const struct page *page) {
    if (strcmp(page->exercise, "online_softmax") == 0)
        return;
    heading(page, "The sweep");
    if (page->bench == NULL) {
        missing(page, "There is no sweep yet", "bench");
        return;
    }
    const bool times = strcmp(text_in(page->bench, "measures"), "times") == 0;
    old_note(page, json_object_get(page->bench, "sources"));
    if (times) {
        html_figure(page, "time-warm", "Times in a CUDA graph, L2 warm.");
        html_figure(page, "time-cold", "The same, L2 cold.");
    } else
        html_figure(page, "counts",
                    "Counts from the simulator; RECORDED panels are the kit's solution on an H200.");
    fputs("<p>Every value that was tried, the losers too:</p>\n", page->out);
    write_sweep(page, times);
}

/* ---- the comparison, the map ---- */

static void write_differences(const struct page *page, bool theirs) {
    const json_t *difference;
    size_t i;
    int told = 0;
    const char *other = text_in(json_object_get(page->compare, "other"), "name");
    json_array_foreach(json_object_get(page->compare, "differences"), i, difference) {
        if ((number_in(difference, "weight") > 0) != theirs || told == 5)
            continue;
        if (told++ == 0) {
            fputs("<h3>", page->out);
            char *head = theirs ? format_text("What %s does better", other)
                                : format_text("What yours does better than %s", other);
            html_text(page->out, head);
            free(head);
            fputs("</h3>\n<ol>\n", page->out);
        }
        fputs("<li>", page->out);
        html_text(page->out, text_in(difference, "words"));
        fputs(".</li>\n", page->out);
    }
    fputs(told ? "</ol>\n" : "", page->out);
    if (told == 0 && theirs)
        fputs("<p>There is no count that matters in which yours does worse.</p>\n", page->out);
}

void section_comparison(const struct page *page) {
    heading(page, "Beside the solution");
    if (page->compare == NULL) {
        missing(page, "There is no comparison yet", "compare");
        return;
    }
    old_note(page, json_object_get(json_object_get(page->compare, "yours"), "sources"));
    html_figure(page, "compare", "Counts from the simulator. Least: what the contract allows.");
    if (json_array_size(json_object_get(page->compare, "cases")) == 0) {
        fputs("<p>It is compared by its checks alone: it is plain C, which the simulator does not run.</p>\n",
              page->out);
        return;
    }
    write_differences(page, true);
    write_differences(page, false);
}

void section_map(const struct page *page) {
    if (strcmp(page->exercise, "online_softmax") == 0)
        return;
    heading(page, "Who touched what");
    if (!html_figure(page, "map",
                     "A run of these files in the simulator: a cell is an element, a colour a block."))
        missing(page, "There is no map yet", "map");
}

/* ---- what it was made from ---- */

void section_colophon(const struct page *page) {
    const json_t *file;
    size_t i;
    FILE *environment = page->environment ? fopen(page->environment, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    heading(page, "What this was made from");
    fputs("<div class=\"wide\"><table><tbody>\n", page->out);
    while (environment && getline(&line, &room, environment) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        char *colon = strstr(line, ": ");
        if (!colon)
            continue;
        *colon = '\0';
        make_plain(colon + 2);
        fputs("<tr>", page->out);
        cell(page->out, line, false);
        cell(page->out, colon + 2, false);
        fputs("</tr>\n", page->out);
    }
    free(line);
    if (environment)
        fclose(environment);
    const struct {
        const char *name;
        const json_t *record;
    } seeds[] = {{"seed of the check", page->check},
                 {"seed of the sweep", page->bench},
                 {"seed of the comparison", page->compare}};
    for (int k = 0; k < 3; k++) {
        if (!seeds[k].record)
            continue;
        fputs("<tr>", page->out);
        cell(page->out, seeds[k].name, false);
        char text[32];
        snprintf(text, sizeof text, "%.0f", number_in(seeds[k].record, "seed"));
        cell(page->out, text, false);
        fputs("</tr>\n", page->out);
    }
    fputs("</tbody></table></div>\n<h3>Files, SHA-256</h3>\n<pre>", page->out);
    json_array_foreach(page->digests, i, file) {
        html_text(page->out, text_in(file, "sha256"));
        fputs("  ", page->out);
        html_text(page->out, text_in(file, "file"));
        fputc('\n', page->out);
    }
    fputs("</pre>\n", page->out);
}
