/* What the report says, from the records (see page.h). A part that is missing says which command makes it. */
#include "base/memory.h"
#include "document.h"
#include "page.h"
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

static bool passed(const json_t *check) {
    return strcmp(text_in(check, "status"), "pass") == 0;
}

static bool is_of_stage(const json_t *check, const char *stage) {
    return strcmp(text_in(check, "stage"), stage) == 0;
}

/* "by_hand" of "partials.by_hand". */
static const char *short_id(const json_t *check) {
    const char *id = text_in(check, "id"), *dot = strchr(id, '.');
    return dot ? dot + 1 : id;
}

/* A stage: its points, and its checks by how they ended. */
static void write_stage(FILE *out, const json_t *checks, const char *stage) {
    const json_t *check;
    size_t i;
    double points = 0, most = 0;
    fputs("<tr>", out);
    cell(out, stage, false);
    fputs("<td>", out);
    json_array_foreach(checks, i, check) {
        if (!is_of_stage(check, stage))
            continue;
        points += number_in(check, "points");
        most += number_in(check, "max_points");
        fprintf(out, "<span class=\"%s\">", passed(check) ? "good" : "bad");
        html_text(out, short_id(check));
        if (!passed(check)) {
            fputs(": ", out);
            html_text(out, text_in(check, "status"));
        }
        fputs("</span> \n", out);
    }
    char *words = format_text("%.0f of %.0f", points, most);
    fputs("</td>", out);
    cell(out, words, true);
    fputs("</tr>\n", out);
    free(words);
}

static const char meaning[] = "What it usually means";

/* What was found; with where and what it usually means, where no check before was told the same. */
static void write_failure(FILE *out, const json_t *check, bool first) {
    const char *message = text_in(check, "message");
    if (passed(check) || message[0] == '\0')
        return;
    fputs(first ? "<h3>" : "<p><strong>", out);
    html_text(out, text_in(check, "id"));
    fputs(first ? ": " : "</strong>: ", out);
    html_text(out, text_in(check, "title"));
    char *text = format_text("%.*s", (int)(first ? strlen(message) : strcspn(message, "\n")), message);
    fputs(first ? "</h3>\n<pre>" : "<br>", out);
    html_text(out, text);
    fputs(first ? "</pre>\n" : "</p>\n", out);
    free(text);
}

/* Whether an earlier check has been told with the same meaning. */
static bool is_first(const json_t *checks, size_t number) {
    const char *own = strstr(text_in(json_array_get(checks, number), "message"), meaning);
    for (size_t i = 0; own && i < number; i++) {
        const json_t *check = json_array_get(checks, i);
        const char *earlier = strstr(text_in(check, "message"), meaning);
        if (earlier && !passed(check) && strcmp(earlier, own) == 0)
            return false;
    }
    return true;
}

static void write_checks(FILE *out, const json_t *checks) {
    const json_t *check;
    size_t i;
    const char *stage = "";
    fputs("<table class=\"checks\"><tbody>\n", out);
    json_array_foreach(checks, i, check) {
        if (strcmp(text_in(check, "stage"), stage) != 0)
            write_stage(out, checks, stage = text_in(check, "stage"));
    }
    fputs("</tbody></table>\n", out);
    json_array_foreach(checks, i, check) {
        write_failure(out, check, is_first(checks, i));
    }
}

void section_score(const struct page *page) {
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
    write_checks(page->out, json_object_get(page->check, "checks"));
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

/* implementation: whose record it is. */
static void old_note(const struct page *page, const char *implementation, const json_t *sources) {
    if (strcmp(implementation, page->implementation) != 0) {
        fputs("<p class=\"note\">Made from other files: ", page->out);
        html_text(page->out, implementation);
        fputs(".</p>\n", page->out);
    } else if (!is_current(page, sources))
        fputs("<p class=\"note\">Made from an earlier version of the files.</p>\n", page->out);
}

static void write_numbers(FILE *out, const json_t *variant, bool times) {
    const json_t *counts = json_object_get(variant, "counts"), *time = time_of(variant, "graph", "warm"),
                 *cold = time_of(variant, "graph", "cold");
    if (times && time) {
        number_cell(out, "%.2f", number_in(time, "median"));
        number_cell(out, "%.2f", number_in(time, "min"));
        number_cell(out, "%.2f", number_in(time, "max"));
        if (cold)
            number_cell(out, "%.2f", number_in(cold, "median"));
    } else if (!times && counts) {
        number_cell(out, "%.0f", number_in(counts, "most_blocks"));
        number_cell(out, "%.3f", number_in(counts, "bytes_over_minimum"));
        number_cell(out, "%.3f", number_in(counts, "sectors_over_minimum"));
        number_cell(out, "%.0f", number_in(counts, "scratch_bytes"));
        number_cell(out, "%.0f", number_in(counts, "barriers"));
    } else
        cell(out, text_in(variant, "status"), false);
}

/* Whether two cases are of one shape, and have the same counts throughout. */
static bool same_counts(const json_t *a, const json_t *b) {
    const json_t *variant;
    size_t i;
    if (number_in(a, "rows") != number_in(b, "rows") || number_in(a, "cols") != number_in(b, "cols"))
        return false;
    json_array_foreach(json_object_get(a, "variants"), i, variant) {
        const json_t *other = variant_named(b, text_in(variant, "name"));
        if (!json_equal(json_object_get(variant, "counts"), json_object_get(other, "counts")))
            return false;
    }
    return true;
}

/* "4 x 32769 FP16, BF16": the shape, and the types whose counts are those of this case. From malloc; null: an earlier
 * case tells this one's too. */
static char *case_words(const json_t *cases, size_t number, bool times) {
    const json_t *of_case = json_array_get(cases, number);
    char *shape = shape_words(of_case), *words = format_text("%s %s", shape, text_in(of_case, "type"));
    free(shape);
    for (size_t i = 0; !times && i < json_array_size(cases); i++) {
        const json_t *other = json_array_get(cases, i);
        if (i == number || !same_counts(of_case, other))
            continue;
        char *longer = i < number ? NULL : format_text("%s, %s", words, text_in(other, "type"));
        free(words);
        words = longer;
        if (words == NULL)
            return NULL;
    }
    return words;
}

static void write_sweep(const struct page *page, bool times) {
    const json_t *cases = json_object_get(page->bench, "cases"), *of_case, *variant;
    size_t i, k;
    fprintf(page->out,
            "<div class=\"wide\"><table><thead><tr><th>shape</th><th>value</th>%s</tr></thead><tbody>\n",
            times ? "<th class=\"n\">us, warm</th><th class=\"n\">least</th><th class=\"n\">most</th><th "
                    "class=\"n\">us, cold</th>"
                  : "<th class=\"n\">blocks</th><th class=\"n\">bytes / least</th><th class=\"n\">sectors / "
                    "least</th>"
                    "<th class=\"n\">scratch bytes</th><th class=\"n\">barriers</th>");
    json_array_foreach(cases, i, of_case) {
        char *words = case_words(cases, i, times);
        for (k = 0; words && (variant = json_array_get(json_object_get(of_case, "variants"), k)); k++) {
            fputs("<tr>", page->out);
            cell(page->out, k == 0 ? words : "", false);
            cell(page->out, text_in(variant, "name"), false);
            write_numbers(page->out, variant, times);
            fputs("</tr>\n", page->out);
        }
        free(words);
    }
    fputs("</tbody></table></div>\n", page->out);
}

void section_sweep(const struct page *page) {
    if (!page->is_cuda)
        return;
    heading(page, "The sweep");
    if (page->bench == NULL) {
        missing(page, "There is no sweep yet", "bench");
        return;
    }
    const bool times = strcmp(text_in(page->bench, "measures"), "times") == 0;
    old_note(page, text_in(page->bench, "implementation"), json_object_get(page->bench, "sources"));
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

static void write_differences(const struct page *page, bool theirs, bool is_right) {
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
    if (told == 0 && theirs && is_right)
        fputs("<p>There is no count that matters in which yours does worse.</p>\n", page->out);
}

/* As make compare prints them: measured, or recorded of the other. */
static void write_times(const struct page *page) {
    const json_t *times = json_object_get(page->compare, "times"), *lines = json_object_get(times, "lines"),
                 *line;
    size_t i;
    if (json_array_size(lines) == 0)
        return;
    fputs("<h3>Times</h3>\n<p>", page->out);
    html_text(page->out, text_in(times, "head"));
    fputs("</p>\n<ul>\n", page->out);
    json_array_foreach(lines, i, line) {
        fputs("<li>", page->out);
        html_text(page->out, json_is_string(line) ? json_string_value(line) : "");
        fputs("\n", page->out);
    }
    fputs("</ul>\n<p>", page->out);
    html_text(page->out, text_in(times, "words"));
    fputs("</p>\n", page->out);
}

void section_comparison(const struct page *page) {
    heading(page, "Beside the solution");
    if (page->compare == NULL) {
        missing(page, "There is no comparison yet", "compare");
        return;
    }
    const json_t *yours = json_object_get(page->compare, "yours"), *checks = json_object_get(yours, "checks");
    old_note(page, text_in(yours, "implementation"), json_object_get(yours, "sources"));
    html_figure(page, "compare", "Counts from the simulator. Least: what the contract allows.");
    if (json_array_size(json_object_get(page->compare, "cases")) > 0) {
        const bool is_right = number_in(checks, "score") >= number_in(checks, "max_score");
        write_differences(page, true, is_right);
        if (is_right)
            write_differences(page, false, is_right);
        else
            fputs("<p>Yours is not right yet, so what it does without says nothing.</p>\n", page->out);
    } else if (!page->is_cuda)
        fputs("<p>It is compared by its checks alone: it is plain C, which the simulator does not run.</p>\n",
              page->out);
    write_times(page);
}

void section_map(const struct page *page) {
    if (!page->is_cuda) {
        heading(page, "The list and its chunks");
        if (!html_figure(page, "map",
                         "The states that these functions gave for each chunk, and merged from the left."))
            missing(page, "There is no map yet", "map");
        return;
    }
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
