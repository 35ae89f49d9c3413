/* The page of one submission: what make check shows, to be handed back. It holds no name and loads nothing. */
#include "base/memory.h"
#include "class.h"
#include <stdlib.h>
#include <string.h>

static const char *class_of(const json_t *check) {
    return check_is_fault(check) ? "fail" : strcmp(text_of(check, "status"), "pass") == 0 ? "pass" : "other";
}

static void write_check(FILE *to, const json_t *check) {
    fprintf(to, "<tr><td class=\"%s\">%s</td><td class=n>%d/%d</td><td><b>", class_of(check),
            check_is_fault(check)                           ? "not right"
            : strcmp(text_of(check, "status"), "pass") == 0 ? "right"
                                                            : "open",
            number_of(check, "points"), number_of(check, "max_points"));
    markup_text(to, text_of(check, "id"));
    fputs("</b> ", to);
    markup_text(to, text_of(check, "title"));
    if (*text_of(check, "message")) {
        fputs("<pre>", to);
        markup_text(to, text_of(check, "message"));
        fputs("</pre>", to);
    }
    fputs("</td></tr>\n", to);
}

bool page_write(const struct record *record, const char *path) {
    FILE *to = markup_open(path);
    if (to == NULL)
        return false;
    size_t i;
    json_t *check;
    fputs(markup_head, to);
    markup_text(to, text_of(record->check, "exercise"));
    fprintf(to, "</title>\n%s</head><body>\n<h1>", markup_style);
    markup_text(to, text_of(record->check, "exercise"));
    fprintf(to, ": %d of %d points</h1>\n", number_of(record->check, "score"),
            number_of(record->check, "max_score"));
    if (*text_of(record->outcome, "note")) {
        fputs("<p class=fail>", to);
        markup_text(to, text_of(record->outcome, "note"));
        fputs("</p>\n", to);
    }
    fputs("<p>Graded on: ", to);
    markup_text(to, text_of(record->check, "device"));
    fprintf(to, ", seed %lld.</p>\n<table>\n",
            (long long)json_integer_value(json_object_get(record->check, "seed")));
    const char *stage = "";
    json_array_foreach(json_object_get(record->check, "checks"), i, check) {
        if (strcmp(stage, text_of(check, "stage")) != 0) {
            int max;
            stage = text_of(check, "stage");
            const int points = stage_points(record, stage, &max);
            fputs("<tr><th colspan=3>", to);
            markup_text(to, stage);
            fprintf(to, ": %d of %d</th></tr>\n", points, max);
        }
        write_check(to, check);
    }
    fputs("</table>\n</body></html>\n", to);
    return markup_close(to, path);
}
