/* summary.html: the class at a glance. Numbers, no names: whose number it is, grades.csv knows. */
#include "base/memory.h"
#include "class.h"
#include <stdlib.h>
#include <string.h>

/* A mistake: a check that some did not get right. */
struct mistake {
    const char *id, *title;
    size_t count;
    int first;           /* the number of the first of them */
    const char *message; /* what was said to that one */
};

static void add(struct list *mistakes, const char *id, const char *title, const struct record *record,
                const char *message) {
    for (size_t i = 0; i < mistakes->count; i++) {
        struct mistake *mistake = (struct mistake *)mistakes->items + i;
        if (strcmp(mistake->id, id) == 0) {
            mistake->count++;
            return;
        }
    }
    list_add(mistakes, &(struct mistake){id, title, 1, record->submission.number, message}, 1);
}

/* Whether every check failed for the same reason, such as files that do not compile: that is one mistake. */
static bool one_reason(const json_t *checks) {
    size_t i;
    json_t *check;
    const char *first = text_of(json_array_get(checks, 0), "message");
    json_array_foreach(checks, i, check) {
        if (!check_is_fault(check) || strcmp(text_of(check, "message"), first) != 0)
            return false;
    }
    return i > 0;
}

static int commonest_first(const void *a, const void *b) {
    const struct mistake *first = a, *second = b;
    if (first->count != second->count)
        return first->count < second->count ? 1 : -1;
    return strcmp(first->id, second->id);
}

static struct list gather(const struct records *records) {
    struct list mistakes = {.item_bytes = sizeof(struct mistake)};
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        size_t k;
        json_t *check, *checks = json_object_get(record->check, "checks");
        if (one_reason(checks)) {
            add(&mistakes, "every check", "nothing could be run", record,
                text_of(json_array_get(checks, 0), "message"));
            continue;
        }
        json_array_foreach(checks, k, check) {
            if (check_is_fault(check))
                add(&mistakes, text_of(check, "id"), text_of(check, "title"), record,
                    text_of(check, "message"));
        }
    }
    if (mistakes.count > 0)
        qsort(mistakes.items, mistakes.count, sizeof(struct mistake), commonest_first);
    return mistakes;
}

/* What was found, without where and what it usually means; at most a few lines of it. */
static void write_beginning(FILE *to, const char *message) {
    enum { MOST = 400 };
    static const char *const ends[] = {"\n\n", "\nWhere: ", "\nIn ", "\nWhat it usually means: ", "\nRead: "};
    size_t length = strlen(message);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(message, ends[i]);
        if (end && (size_t)(end - message) < length)
            length = (size_t)(end - message);
    }
    const bool cut = length > MOST;
    for (length = cut ? MOST : length; cut && length > 0 && ((unsigned char)message[length] & 0xc0) == 0x80;)
        length--;
    char *beginning = format_text("%.*s%s", (int)length, message, cut ? " ..." : "");
    markup_text(to, beginning);
    free(beginning);
}

static void write_mistakes(FILE *to, const struct records *records) {
    struct list mistakes = gather(records);
    fputs("<h2>Commonest mistakes</h2>\n", to);
    if (mistakes.count == 0)
        fputs("<p>None: every check that was run is right.</p>\n", to);
    else
        fputs("<table><tr><th>check</th><th>submissions</th><th>an example</th></tr>\n", to);
    for (size_t i = 0; i < mistakes.count; i++) {
        const struct mistake *mistake = (struct mistake *)mistakes.items + i;
        fputs("<tr><td><b>", to);
        markup_text(to, mistake->id);
        fputs("</b><br>", to);
        markup_text(to, mistake->title);
        fprintf(to, "</td><td class=n>%zu</td><td>submission %d: ", mistake->count, mistake->first);
        write_beginning(to, mistake->message);
        fputs("</td></tr>\n", to);
    }
    if (mistakes.count > 0)
        fputs("</table>\n", to);
    free(mistakes.items);
}

static void write_stages(FILE *to, const struct records *records) {
    fputs("<h2>Points by stage</h2>\n<table><tr><th>stage</th><th>points on average</th><th>of</th><th>with "
          "all of "
          "them</th></tr>\n",
          to);
    for (size_t k = 0; k < records->stage_count; k++) {
        int sum = 0, most = 0, full = 0, max;
        for (size_t i = 0; i < records->count; i++) {
            if (records->items[i].check == NULL)
                continue;
            const int points = stage_points(&records->items[i], records->stages[k], &max);
            sum += points;
            most = max > most ? max : most;
            full += points == max;
        }
        fputs("<tr><td>", to);
        markup_text(to, records->stages[k]);
        fprintf(to, "</td><td class=n>%.1f</td><td class=n>%d</td><td class=n>%d</td></tr>\n",
                (double)sum / (double)records->graded, most, full);
    }
    fputs("</table>\n", to);
}

enum { MOST_PAIRS = 100 };

static void write_alike(FILE *to, const char *path, const char *note) {
    int a, b, percent, count = 0;
    FILE *pairs = path ? fopen(path, "re") : NULL;
    fputs("<h2>Nearly the same text</h2>\n<p>Pairs of submissions whose own lines (those that the stub does "
          "not have) are "
          "the same tokens, whatever their names. A hint to look, not a verdict: short exercises have few "
          "ways to be "
          "right.</p>\n",
          to);
    while (pairs && fscanf(pairs, "%d %d %d", &a, &b, &percent) == 3) {
        if (count++ == 0)
            fputs("<table><tr><th>submissions</th><th>the same, in %</th></tr>\n", to);
        if (count <= MOST_PAIRS)
            fprintf(to, "<tr><td>%d and %d</td><td class=n>%d</td></tr>\n", a, b, percent);
    }
    if (count > 0)
        fputs("</table>\n", to);
    if (count > MOST_PAIRS)
        fprintf(to, "<p>And %d pairs more.</p>\n", count - MOST_PAIRS);
    if (count == 0) {
        fputs("<p>", to);
        markup_text(to, pairs ? "None." : note);
        fputs("</p>\n", to);
    }
    if (pairs)
        fclose(pairs);
}

static void write_notes(FILE *to, const struct records *records) {
    bool any = false;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        const char *note = record->outcome ? text_of(record->outcome, "note") : "It has not been graded yet.";
        if (*note == '\0')
            continue;
        fprintf(to, "%s<li>Submission %d: ", any ? "" : "<h2>To be looked at</h2>\n<ul>\n",
                record->submission.number);
        markup_text(to, note);
        fputs("</li>\n", to);
        any = true;
    }
    if (any)
        fputs("</ul>\n", to);
}

/* gnuplot's SVG without what only a file of its own needs: it becomes a part of the page. */
static void include_figure(FILE *to, const char *path) {
    char line[8192];
    bool inside = false;
    FILE *figure = fopen(path, "re");
    while (figure && fgets(line, sizeof line, figure)) {
        inside |= strncmp(line, "<svg", 4) == 0;
        if (inside)
            fputs(line, to);
    }
    if (figure)
        fclose(figure);
}

bool summary_write(const struct records *records, const char *path, const char *alike,
                   const char *const *figures, size_t figure_count, const char *alike_note) {
    FILE *to = markup_open(path);
    if (to == NULL)
        return false;
    fputs(markup_head, to);
    markup_text(to, records->exercise ? records->exercise : "A class");
    fprintf(to, ": a class</title>\n%s</head><body>\n<h1>", markup_style);
    markup_text(to, records->exercise ? records->exercise : "A class");
    fprintf(to, "</h1>\n<p>%zu submissions, %zu of them graded.</p>\n", records->count, records->graded);
    write_notes(to, records);
    for (size_t i = 0; i < figure_count; i++)
        include_figure(to, figures[i]);
    if (records->graded > 0) {
        write_stages(to, records);
        write_mistakes(to, records);
        write_alike(to, alike, alike_note);
    }
    fputs("</body></html>\n", to);
    return markup_close(to, path);
}
