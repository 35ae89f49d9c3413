/* junit.xml, as CI services read it: a suite a submission, a case a check. */
#include "class.h"
#include <string.h>

static void write_case(FILE *to, const struct records *records, const json_t *check) {
    const char *status = text_of(check, "status");
    fputs("    <testcase classname=\"", to);
    markup_text(to, records->exercise);
    fputs("\" name=\"", to);
    markup_text(to, text_of(check, "id"));
    fprintf(to, "\" time=\"%.3f\"", json_number_value(json_object_get(check, "seconds")));
    if (strcmp(status, "pass") == 0) {
        fputs("/>\n", to);
        return;
    }
    fputs(">", to);
    if (check_is_fault(check)) {
        fputs("<failure type=\"", to);
        markup_text(to, status);
        fputs("\">", to);
        markup_text(to, text_of(check, "message"));
        fputs("</failure>", to);
    } else {
        fputs("<skipped message=\"", to);
        markup_text(to, strcmp(status, "todo") == 0 ? "not written yet" : "not run");
        fputs("\"/>", to);
    }
    fputs("</testcase>\n", to);
}

static void write_suite(FILE *to, const struct records *records, const struct record *record) {
    size_t i, faults = 0, skipped = 0;
    json_t *check, *checks = json_object_get(record->check, "checks");
    json_array_foreach(checks, i, check) {
        if (check_is_fault(check))
            faults++;
        else if (strcmp(text_of(check, "status"), "pass") != 0)
            skipped++;
    }
    if (record->check == NULL) {
        fprintf(
            to,
            "  <testsuite name=\"submission %d\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n",
            record->submission.number);
        fputs("    <testcase name=\"grading\"><error message=\"", to);
        markup_text(to, record->outcome ? text_of(record->outcome, "note") : "It has not been graded yet.");
        fputs("\"/></testcase>\n", to);
    } else {
        fprintf(to,
                "  <testsuite name=\"submission %d\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                "skipped=\"%zu\">\n",
                record->submission.number, json_array_size(checks), faults, skipped);
        json_array_foreach(checks, i, check) write_case(to, records, check);
        if (*text_of(record->outcome, "note")) {
            fputs("    <system-err>", to);
            markup_text(to, text_of(record->outcome, "note"));
            fputs("</system-err>\n", to);
        }
    }
    fputs("  </testsuite>\n", to);
}

bool junit_write(const struct records *records, const char *path) {
    FILE *to = markup_open(path);
    if (to == NULL)
        return false;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    for (size_t i = 0; i < records->count; i++)
        write_suite(to, records, &records->items[i]);
    fputs("</testsuites>\n", to);
    return markup_close(to, path);
}
