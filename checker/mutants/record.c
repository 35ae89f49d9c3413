/* From the results of a run and the sources to the record of it, as JSON. */
#include "record.h"
#include "mutant.h"
#include "read_file.h"
#include "reasons.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6 };

/* One source file and its mutants, read when the first result names it; results come sorted by file. */
struct mutated_file {
    char *name;
    struct buffer text;
    struct mutants mutants;
};

static void close_file(struct mutated_file *file) {
    free(file->name);
    memory_release(file->text.text);
    mutants_free(&file->mutants);
    *file = (struct mutated_file){0};
}

static void open_file(struct mutated_file *file, const char *folder, const char *name) {
    char *path = NULL;
    if (file->name && strcmp(file->name, name) == 0)
        return;
    close_file(file);
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        abort();
    file->name = strdup(name);
    file->text = read_file(path);
    file->mutants = mutants_of(file->text.text, file->text.size);
    free(path);
}

/* Cuts a line at its tabs. */
static bool cut(char *line, char *fields[FIELDS]) {
    for (int i = 0; i < FIELDS; i++)
        if (!(fields[i] = strsep(&line, "\t")))
            return false;
    return true;
}

struct run {
    struct mutated_file file;
    struct reasons reasons;
    bool complete; /* all mutants were tried */
    int wrong;     /* the status to end with */
};

static json_t *describe(struct run *run, char *fields[FIELDS]) {
    const size_t number = strtoul(fields[1], NULL, 10);
    if (number < 1 || number > run->file.mutants.count)
        return NULL;
    const struct mutant *mutant = &run->file.mutants.items[number - 1];
    const struct buffer *text = &run->file.text;
    char *before = mutant_lines(mutant, text->text, text->size, false);
    char *after = mutant_lines(mutant, text->text, text->size, true);
    const bool survived = strcmp(fields[2], "survived") == 0;
    const char *reason = survived ? reasons_find(&run->reasons, fields[0], before, after) : NULL;
    int line, column;
    line_of(text->text, mutant->start, &line, &column);
    if (survived && !reason) {
        fprintf(stderr, "%s:%d: no check finds this, and %s gives no reason:\n- %s\n+ %s\n", fields[0], line,
                "checker/mutants/equivalent.txt", before, after);
        run->wrong = 1;
    }
    json_t *entry =
        json_pack("{s:o ss ss si ss ss ss ss ss s:f ss}", "id", json_sprintf("%s:%zu", fields[0], number),
                  "file", fields[0], "operator", mutant->operator, "line", line, "before", before, "after",
                  after, "outcome", fields[2], "check", fields[3], "status", fields[4], "seconds",
                  atof(fields[5]), "reason", reason ? reason : "");
    memory_release(before);
    memory_release(after);
    return entry;
}

/* True when the reason is for a file of this exercise. */
static bool belongs_here(const struct reason *reason, const char *folder) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, reason->file) < 0)
        abort();
    FILE *file = fopen(path, "rb");
    free(path);
    if (file)
        fclose(file);
    return file != NULL;
}

int record_write(const char *exercise, const char *folder, int step, const char *results,
                 const char *reasons) {
    struct buffer lines = read_file(results);
    struct run run = {.reasons = reasons_read(reasons), .complete = step == 1};
    json_t *mutants = json_array();
    for (char *next = lines.text, *line, *fields[FIELDS]; (line = strsep(&next, "\n"));) {
        if (!*line)
            continue;
        if (!cut(line, fields)) {
            fprintf(stderr, "mutants: %s has a line with too few fields.\n", results);
            run.wrong = 2;
            break;
        }
        open_file(&run.file, folder, fields[0]);
        json_t *entry = describe(&run, fields);
        if (!entry) {
            fprintf(stderr, "mutants: %s names mutant %s of %s, which does not exist.\n", results, fields[1],
                    fields[0]);
            run.wrong = 2;
            break;
        }
        json_array_append_new(mutants, entry);
    }
    for (size_t i = 0; run.wrong != 2 && run.complete && i < run.reasons.count; i++) {
        const struct reason *reason = &run.reasons.items[i];
        if (reason->used || !belongs_here(reason, folder))
            continue;
        fprintf(stderr,
                "%s: equivalent.txt has a reason for this, and no mutant like it survives:\n- %s\n+ %s\n",
                reason->file, reason->before, reason->after);
        run.wrong = 1;
    }
    json_t *record = json_pack("{ss si so}", "exercise", exercise, "step", step, "mutants", mutants);
    if (run.wrong != 2) {
        json_dumpf(record, stdout, JSON_INDENT(1));
        putchar('\n');
    }
    json_decref(record);
    close_file(&run.file);
    reasons_free(&run.reasons);
    memory_release(lines.text);
    return run.wrong;
}
