/* What make compare prints (see compare.h): checks, counts, errors, recorded times, and the differences in words.
 * A count that agrees in all is left out, unless all is asked for. */
#include "base/memory.h"
#include "compare.h"
#include "document.h"
#include "exercises/exercises.h"
#include "report/report.h"
#include <math.h>
#include <string.h>

struct printer {
    FILE *output;
    const json_t *record;
    bool all;
    char other[40]; /* its name, as a column's head */
};

static const json_t *side(const struct printer *printer, const char *which) {
    return json_object_get(printer->record, which);
}

/* ---- checks ---- */

static const json_t *item_named(const json_t *array, const char *key, const char *name) {
    const json_t *item;
    size_t i;
    json_array_foreach(array, i, item) {
        if (strcmp(text_in(item, key), name) == 0)
            return item;
    }
    return NULL;
}

static void stage_points(FILE *output, const json_t *checks, const char *stage) {
    const json_t *check;
    size_t i;
    double points = 0, most = 0;
    json_array_foreach(json_object_get(checks, "checks"), i, check) {
        if (strcmp(text_in(check, "stage"), stage) == 0) {
            points += part_number(check, "points");
            most += part_number(check, "max_points");
        }
    }
    char *words = format_text("%.0f/%.0f", points, most);
    fprintf(output, " %14s", words);
    free(words);
}

static void print_checks(const struct printer *printer) {
    const json_t *mine = json_object_get(side(printer, "yours"), "checks"),
                 *theirs = json_object_get(side(printer, "other"), "checks"), *check;
    size_t i;
    const char *stage = "";
    if (!mine || !theirs)
        return;
    fprintf(printer->output, "\n%-30s %14s %14s\n", "checks", "yours", printer->other);
    json_array_foreach(json_object_get(theirs, "checks"), i, check) {
        if (strcmp(text_in(check, "stage"), stage) == 0)
            continue;
        stage = text_in(check, "stage");
        fprintf(printer->output, "  %-28s", stage);
        stage_points(printer->output, mine, stage);
        stage_points(printer->output, theirs, stage);
        fprintf(printer->output, "\n");
    }
    json_array_foreach(json_object_get(theirs, "checks"), i, check) {
        const json_t *own = item_named(json_object_get(mine, "checks"), "id", text_in(check, "id"));
        if (strcmp(text_in(own, "status"), text_in(check, "status")) != 0)
            fprintf(printer->output, "  %-28s %14s %14s\n", text_in(check, "id"), text_in(own, "status"),
                    text_in(check, "status"));
    }
}

/* ---- counts ---- */

/* "128 x 256": blocks and threads of a kernel; "-": there is no such kernel. */
static char *kernel_words(const json_t *part, size_t number) {
    const json_t *kernel = json_array_get(json_object_get(part, "kernels"), number);
    return kernel ? format_text("%.0f x %.0f", part_number(kernel, "blocks"), part_number(kernel, "threads"))
                  : copy_text("-");
}

/* A row; least: NaN where there is none. Returns whether it was printed. */
static bool print_row(const struct printer *printer, const char *name, const char *mine, const char *theirs,
                      const char *least) {
    if (strcmp(mine, theirs) == 0 && (!printer->all || (strcmp(mine, "0") == 0 && strcmp(least, "0") == 0)))
        return false;
    fprintf(printer->output, "    %-26s %14s %14s %12s\n", name, mine, theirs, least);
    return true;
}

static bool print_number(const struct printer *printer, const char *name, double mine, double theirs,
                         double least) {
    char *first = count_words(mine), *second = count_words(theirs),
         *third = isnan(least) ? copy_text("") : count_words(least);
    const bool printed = print_row(printer, name, first, second, third);
    free(first);
    free(second);
    free(third);
    return printed;
}

static bool print_buffer(const struct printer *printer, const char *name, const json_t *mine,
                         const json_t *theirs, const json_t *least) {
    static const char *const keys[][2] = {{"read", "read"},
                                          {"sectors_read", "sectors read"},
                                          {"written", "written"},
                                          {"sectors_written", "sectors written"},
                                          {"atomic", "bytes of atomics"}};
    bool printed = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const double most = part_number(mine, keys[i][0]) + part_number(theirs, keys[i][0]);
        char *words = format_text(strchr(keys[i][1], ' ') ? "%s: %s" : "%s: bytes %s", name, keys[i][1]);
        if (most > 0)
            printed |=
                print_number(printer, words, part_number(mine, keys[i][0]), part_number(theirs, keys[i][0]),
                             least ? part_number(least, keys[i][0]) : NAN);
        free(words);
    }
    return printed;
}

static bool print_lanes(const struct printer *printer, const json_t *mine, const json_t *theirs) {
    char first[16], second[16];
    snprintf(first, sizeof first, "%.1f", part_lanes(mine));
    snprintf(second, sizeof second, "%.1f", part_lanes(theirs));
    return print_row(printer, "lanes a request (of 32)", first, second, "");
}

/* Buffers of both, each once: those of the other first. */
static bool print_buffers(const struct printer *printer, const json_t *mine, const json_t *theirs,
                          const json_t *least) {
    const json_t *buffer;
    size_t i;
    bool printed = false;
    json_array_foreach(json_object_get(theirs, "buffers"), i, buffer) {
        const char *name = text_in(buffer, "name");
        printed |= print_buffer(printer, name, buffer_of(mine, name), buffer, buffer_of(least, name));
    }
    json_array_foreach(json_object_get(mine, "buffers"), i, buffer) {
        const char *name = text_in(buffer, "name");
        if (!buffer_of(theirs, name))
            printed |= print_buffer(printer, name, buffer, NULL, buffer_of(least, name));
    }
    return printed;
}

static bool print_kernels(const struct printer *printer, const json_t *mine, const json_t *theirs) {
    const size_t own = json_array_size(json_object_get(mine, "kernels")),
                 others = json_array_size(json_object_get(theirs, "kernels")),
                 count = own > others ? own : others;
    bool printed = false;
    for (size_t i = 0; i < count; i++) {
        char *first = kernel_words(mine, i), *second = kernel_words(theirs, i),
             *name = count > 1 ? format_text("kernel %zu: blocks x threads", i + 1)
                               : copy_text("blocks x threads");
        printed |= print_row(printer, name, first, second, "");
        free(first);
        free(second);
        free(name);
    }
    return printed;
}

/* by_stages: an operator whose stages have been told by themselves. */
static void print_counts(const struct printer *printer, const json_t *mine, const json_t *theirs,
                         const json_t *least, bool by_stages) {
    enum { FIRST_OF_CALL = 4 }; /* of the keys: what a call as a whole has */
    static const char *const keys[][2] = {{"bank_conflicts", "bank conflicts"},
                                          {"barriers", "barriers"},
                                          {"shuffles", "shuffles"},
                                          {"atomics", "atomics"},
                                          {"scratch_bytes", "scratch bytes"},
                                          {"allocations", "allocations"}};
    bool printed = print_number(printer, "launches", part_number(mine, "launches"),
                                part_number(theirs, "launches"), part_number(least, "launches"));
    printed |= print_kernels(printer, mine, theirs);
    if (!by_stages || printer->all) {
        printed |= print_buffers(printer, mine, theirs, least);
        printed |= print_lanes(printer, mine, theirs);
    }
    for (size_t i = by_stages && !printer->all ? FIRST_OF_CALL : 0; i < sizeof keys / sizeof *keys; i++)
        printed |=
            print_number(printer, keys[i][1], part_number(mine, keys[i][0]), part_number(theirs, keys[i][0]),
                         json_object_get(least, keys[i][0]) ? part_number(least, keys[i][0]) : NAN);
    if (!printed)
        fprintf(printer->output, "    the same in every count\n");
}

static void print_part(const struct printer *printer, const char *name, const json_t *part, bool by_stages) {
    const json_t *mine = json_object_get(part, "yours"), *theirs = json_object_get(part, "other");
    fprintf(printer->output, "  %s\n", name);
    const json_t *sides[] = {mine, theirs};
    bool counted = true;
    for (int i = 0; i < 2; i++) {
        const char *status = text_in(sides[i], "status");
        if (strcmp(status, "todo") == 0)
            fprintf(printer->output, "    %s: not written yet\n", i ? printer->other : "yours");
        else if (strcmp(status, "counted") != 0) {
            char *words = format_text("%s: %s", i ? printer->other : "yours", text_in(sides[i], "reason"));
            print_wrapped(printer->output, words, 4);
            free(words);
        }
        counted &= json_object_get(sides[i], "kernels") != NULL;
    }
    if (counted)
        print_counts(printer, mine, theirs, json_object_get(part, "least"), by_stages);
}

static void print_case(const struct printer *printer, const json_t *of_case) {
    char *shape = shape_words(of_case),
         *head = format_text("%s %s, %s = %.0f", shape, text_in(of_case, "type"),
                             text_in(printer->record, "parameter"), number_in(of_case, "parameter"));
    const json_t *part;
    const char *name;
    fprintf(printer->output, "\n%-30s %14s %14s %12s\n", head, "yours", printer->other, "least");
    json_t *parts = json_object_get(of_case, "parts");
    json_object_foreach(parts, name, part) {
        print_part(printer, name, part, strcmp(name, "operator") == 0 && json_object_size(parts) > 1);
    }
    free(shape);
    free(head);
}

/* ---- errors and times ---- */

/* Where a call was not right to its end, there is no error to speak of. */
static void worst_error(const struct printer *printer, const char *which, const char *type, double *share,
                        double *ulp) {
    const json_t *of_case;
    size_t i;
    *share = *ulp = NAN;
    json_array_foreach(json_object_get(printer->record, "cases"), i, of_case) {
        const json_t *error = json_object_get(json_object_get(of_case, "error"), which);
        if (strcmp(text_in(of_case, "type"), type) != 0)
            continue;
        if (!error) {
            *share = *ulp = NAN;
            return;
        }
        *share = fmax(*share, part_number(error, "share"));
        *ulp = fmax(*ulp, part_number(error, "ulp"));
    }
}

static void error_words(char *text, size_t bytes, double share, double ulp) {
    if (isnan(share))
        snprintf(text, bytes, "-");
    else
        snprintf(text, bytes, share <= 1 ? "%.2f / %.3g" : "wrong", share, ulp);
}

static void print_errors(const struct printer *printer) {
    fprintf(printer->output, "\n%-30s %14s %14s\n", "largest error: of tolerance / ulp", "yours",
            printer->other);
    for (int i = 0; i < 3; i++) {
        const char *type = element_name(supported_types[i]);
        double share, ulp;
        char mine[40], theirs[40];
        worst_error(printer, "yours", type, &share, &ulp);
        error_words(mine, sizeof mine, share, ulp);
        worst_error(printer, "other", type, &share, &ulp);
        error_words(theirs, sizeof theirs, share, ulp);
        fprintf(printer->output, "  %-32s %14s %14s\n", type, mine, theirs);
    }
}

static void print_times(const struct printer *printer) {
    const json_t *times = json_object_get(printer->record, "times"), *line;
    size_t i;
    if (json_array_size(json_object_get(times, "lines")) == 0)
        return;
    fprintf(printer->output, "\n");
    print_wrapped(printer->output, text_in(times, "head"), 0);
    json_array_foreach(json_object_get(times, "lines"), i, line) {
        fprintf(printer->output, "  %s\n", json_string_value(line));
    }
    if (text_in(times, "words")[0])
        print_wrapped(printer->output, text_in(times, "words"), 2);
}

/* ---- in words ---- */

static void print_some(const struct printer *printer, const char *head, bool theirs) {
    const json_t *difference;
    size_t i;
    int told = 0;
    json_array_foreach(json_object_get(printer->record, "differences"), i, difference) {
        if ((number_in(difference, "weight") > 0) != theirs || told == MOST_DIFFERENCES)
            continue;
        if (told++ == 0)
            fprintf(printer->output, "\n%s\n", head);
        char *words = format_text("%d. %s.", told, text_in(difference, "words"));
        print_wrapped(printer->output, words, 2);
        free(words);
    }
}

static size_t how_many(const struct printer *printer, bool theirs) {
    const json_t *difference;
    size_t i, count = 0;
    json_array_foreach(json_object_get(printer->record, "differences"), i, difference) {
        count += (number_in(difference, "weight") > 0) == theirs;
    }
    return count;
}

static bool anything_compared(const struct printer *printer) {
    const json_t *of_case, *part;
    size_t i;
    const char *name;
    json_array_foreach(json_object_get(printer->record, "cases"), i, of_case) {
        json_object_foreach(json_object_get(of_case, "parts"), name, part) {
            if (json_object_get(json_object_get(part, "yours"), "kernels") &&
                json_object_get(json_object_get(part, "other"), "kernels"))
                return true;
        }
    }
    return false;
}

/* Of the checks, or of the numbers where there are none. */
static bool is_right(const struct printer *printer) {
    const json_t *checks = json_object_get(side(printer, "yours"), "checks");
    return checks == NULL || part_number(checks, "score") >= part_number(checks, "max_score");
}

static void print_words(const struct printer *printer) {
    const char *name = text_in(side(printer, "other"), "name");
    const size_t worse = how_many(printer, true), better = how_many(printer, false);
    if (!anything_compared(printer))
        return;
    char *head = format_text("What %s does better, the weightiest first:", name);
    print_some(printer, head, true);
    free(head);

    if (!is_right(printer)) {
        fprintf(
            printer->output,
            "\nYours is not right yet, so what it does without says nothing: make check EX=%s comes first.\n",
            text_in(printer->record, "exercise"));
        return;
    }
    head = format_text("What yours does better than %s:", name);
    print_some(printer, head, false);
    free(head);
    if (worse == 0) {
        char *words =
            format_text("%s", better ? "There is no count that matters in which yours does worse. Good work."
                                     : "In every count that matters yours does the same. Good work.");
        fprintf(printer->output, "\n%s\n", words);
        free(words);
    }
}

static void print_no_counts(FILE *output, const char *exercise) {
    const struct exercise_entry *entry = exercise_entry(exercise);
    const bool is_host = entry && runtime_named(entry->runner) == RUNTIME_HOST;
    fprintf(output, "\n%s %s: it is compared by its checks alone.\n", exercise,
            is_host ? "is plain C, which the simulator does not run" : "has stages and no operator to count");
}

void compare_print(FILE *output, const json_t *record, bool all) {
    struct printer printer = {.output = output, .record = record, .all = all};
    const char *name = text_in(side(&printer, "other"), "name");
    snprintf(printer.other, sizeof printer.other, "%.14s", strncmp(name, "the ", 4) == 0 ? name + 4 : name);
    const json_t *of_case;
    size_t i;
    print_checks(&printer);
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        if (all || strcmp(text_in(of_case, "type"), "FP32") == 0)
            print_case(&printer, of_case);
    }

    if (json_array_size(json_object_get(record, "cases")) > 0)
        print_errors(&printer);
    else if (strcmp(text_in(record, "runtime"), "cuda") == 0)
        fprintf(output, "\nNothing was counted here: RUNTIME=simulator does that, where clang is.\n");
    else
        print_no_counts(output, text_in(record, "exercise"));
    print_times(&printer);
    print_words(&printer);
}
