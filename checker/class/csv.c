/* grades.csv: one row a submission, a column a stage. The only file with the names. */
#include "class.h"
#include <string.h>

/* A program for tables takes a field that begins with one of these for a formula: a blank before it keeps it a text. */
static bool looks_like_a_formula(const char *text) {
    return *text && strchr("=+-@\t\r", *text) != NULL;
}

/* RFC 4180; control characters, which no table shows, as \xNN. */
static void field(FILE *to, const char *text) {
    fputc('"', to);
    if (looks_like_a_formula(text))
        fputc(' ', to);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            fprintf(to, "\\x%02x", (unsigned char)*text);
        else if (*text == '"')
            fputs("\"\"", to);
        else
            fputc(*text, to);
    }
    fputc('"', to);
}

static void row(FILE *to, const struct records *records, const struct record *record) {
    fprintf(to, "%d,", record->submission.number);
    field(to, record->submission.name);
    if (record->check)
        fprintf(to, ",%s,%d,%d", text_of(record->check, "status"), number_of(record->check, "score"),
                number_of(record->check, "max_score"));
    else
        fputs(",not graded,,", to);
    for (size_t i = 0; i < records->stage_count; i++) {
        int max;
        if (record->check)
            fprintf(to, ",%d", stage_points(record, records->stages[i], &max));
        else
            fputc(',', to);
    }
    fputc(',', to);
    field(to, text_of(record->outcome, "note"));
    fputs("\r\n", to);
}

bool csv_write(const struct records *records, const char *path) {
    FILE *to = markup_open(path);
    if (to == NULL)
        return false;
    fputs("number,submission,status,score,max_score", to);
    for (size_t i = 0; i < records->stage_count; i++)
        fprintf(to, ",%s", records->stages[i]);
    fputs(",note\r\n", to);
    for (size_t i = 0; i < records->count; i++)
        row(to, records, &records->items[i]);
    return markup_close(to, path);
}

bool points_write(const struct records *records, const char *path) {
    FILE *to = markup_open(path);
    if (to == NULL)
        return false;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        if (record->check == NULL)
            continue;
        fprintf(to, "%d", number_of(record->check, "score"));
        for (size_t k = 0; k < records->stage_count; k++) {
            int max;
            const int points = stage_points(record, records->stages[k], &max);
            fprintf(to, " %.2f", max > 0 ? 100.0 * points / max : 0.0);
        }
        fputc('\n', to);
    }
    return markup_close(to, path);
}
