/* The report: what was graded; stage by stage what became of each check; the first failures in full; what to
 * do next; the score; and what was not looked at. */
#include "report/report.h"
#include "base/memory.h"
#include <string.h>
#include <unistd.h>

enum { FULL_FAILURES = 3, SHORT_FAILURES = 8, PRINTED_LINES = 8, SAME_NAMED = 4 };

bool report_may_colour(FILE *output) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fileno(output)) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

char *report_first_line(const struct session *session) {
    const char *kind = session->implementation, *folder = session->source;
    char *what = strcmp(kind, "exercise") == 0     ? format_text("your files in %s", folder)
                 : strcmp(kind, "submission") == 0 ? format_text("the submission in %s", folder)
                                                   : format_text("the SOLUTION in %s, not your work", folder);
    const uint32_t runtime = session->ready.runtime;
    char *where = runtime == RUNTIME_CUDA   ? format_text("on %s", session->ready.device)
                  : runtime == RUNTIME_HOST ? copy_text("on this computer")
                                            : copy_text("on the simulator");
    const unsigned long long seed = session->seed;
    char *seeds = session->seeds > 1 ? format_text("seeds %llu to %llu", seed, seed + session->seeds - 1)
                                     : format_text("seed %llu", seed);
    char *line = format_text("%s: %s, %s, %s", session->suite->exercise, what, where, seeds);
    free(seeds);
    free(what);
    free(where);
    return line;
}

static bool is_bad(enum status status) {
    return status == STATUS_FAIL || status == STATUS_CRASH || status == STATUS_TIMEOUT;
}

static void print_mark(const struct report *report, enum status status) {
    static const struct {
        const char *word, *colour;
    } marks[STATUS_COUNT] = {
        [STATUS_SKIP] = {"skip", "2"},      [STATUS_PASS] = {"ok", "32"},
        [STATUS_FAIL] = {"FAIL", "31;1"},   [STATUS_TODO] = {"todo", "33"},
        [STATUS_CRASH] = {"CRASH", "31;1"}, [STATUS_TIMEOUT] = {"TIME", "31;1"},
    };
    if (report->coloured)
        fprintf(report->output, "\033[%sm%-5s\033[0m", marks[status].colour, marks[status].word);
    else
        fprintf(report->output, "%-5s", marks[status].word);
}

static bool in_stage(const struct check *check, const struct stage *stage) {
    const size_t length = strlen(stage->name);
    return strncmp(check->id, stage->name, length) == 0 && check->id[length] == '.';
}

/* The check that is told at this place: the one that others build on comes first where it failed. */
static size_t told_at(const struct report *report, size_t place) {
    const struct suite *suite = report->session->suite;
    for (size_t first = 0; first < suite->check_count && suite->first != NULL; first++)
        if (strcmp(suite->checks[first].id, suite->first) == 0 && is_bad(report->verdicts[first].status))
            return place == 0 ? first : place <= first ? place - 1 : place;
    return place;
}

/* The check told before this one that failed for the same reason, or -1. */
static long same_cause(const struct report *report, size_t check) {
    for (size_t place = 0; told_at(report, place) != check; place++) {
        const struct verdict *before = &report->verdicts[told_at(report, place)];
        if (is_bad(before->status) && report->verdicts[check].cause[0] != '\0' &&
            strcmp(before->cause, report->verdicts[check].cause) == 0)
            return (long)told_at(report, place);
    }
    return -1;
}

/* The checks of a stage that ended so, in one line where they fit: "ok    merge.by_hand, rescale". What did
 * not fail, or failed for a reason that another check has told, needs no line for each; so the first failure
 * is not pushed out of sight. */
static void print_names(const struct report *report, const struct stage *stage, enum status status) {
    enum { INDENT = 9, WIDTH = 94 };
    const struct suite *suite = report->session->suite;
    size_t column = 0;
    for (size_t i = 0; i < suite->check_count; i++) {
        if (!in_stage(&suite->checks[i], stage) || !report->wanted[i] ||
            report->verdicts[i].status != status || (is_bad(status) && same_cause(report, i) < 0))
            continue;
        const bool begins = column == 0;
        const char *name = begins ? suite->checks[i].id : suite->checks[i].id + strlen(stage->name) + 1;
        if (begins) {
            fputs("   ", report->output);
            print_mark(report, status);
            column = (size_t)fprintf(report->output, " %s", name) + INDENT - 1;
        } else if (column + 2 + strlen(name) > WIDTH)
            column = (size_t)fprintf(report->output, ",\n%*s%s", INDENT, "", name) - 2;
        else
            column += (size_t)fprintf(report->output, ", %s", name);
    }
    if (column > 0)
        fputc('\n', report->output);
}

static void print_stages(const struct report *report) {
    const struct suite *suite = report->session->suite;
    int width = 0;
    for (size_t i = 0; i < suite->check_count; i++)
        width = (int)strlen(suite->checks[i].id) > width ? (int)strlen(suite->checks[i].id) : width;
    for (size_t s = 0; s < suite->stage_count; s++) {
        int points = 0, max = 0;
        bool any = false;
        for (size_t i = 0; i < suite->check_count; i++)
            if (in_stage(&suite->checks[i], &suite->stages[s])) {
                points += points_of(&suite->checks[i], &report->verdicts[i]);
                max += does_not_apply(&report->verdicts[i]) ? 0 : suite->checks[i].points;
                any |= report->wanted[i];
            }
        if (!any) /* left out by CASE */
            continue;
        fprintf(report->output, "\n%3d/%d  %s\n", points, max, suite->stages[s].title);
        for (size_t i = 0; i < suite->check_count; i++) {
            if (!in_stage(&suite->checks[i], &suite->stages[s]) || !report->wanted[i] ||
                ((!is_bad(report->verdicts[i].status) || same_cause(report, i) >= 0) &&
                 !report->session->verbose))
                continue;
            fputs("   ", report->output);
            print_mark(report, report->verdicts[i].status);
            fprintf(report->output, " %-*s  %s", width, suite->checks[i].id, suite->checks[i].title);
            if (report->session->verbose)
                fprintf(report->output, " (%d points, %.2f s)", suite->checks[i].points,
                        report->verdicts[i].seconds);
            fputc('\n', report->output);
        }
        if (!report->session->verbose) {
            print_names(report, &suite->stages[s], STATUS_FAIL);
            print_names(report, &suite->stages[s], STATUS_CRASH);
            print_names(report, &suite->stages[s], STATUS_TIMEOUT);
            print_names(report, &suite->stages[s], STATUS_TODO);
            print_names(report, &suite->stages[s], STATUS_SKIP);
            print_names(report, &suite->stages[s], STATUS_PASS);
        }
    }
}

static void print_part(const struct report *report, const char *lead, const char *text) {
    if (text[0] == '\0')
        return;
    char *whole = format_text("%s%s", lead, text);
    print_wrapped(report->output, whole, 2);
    free(whole);
}

/* What others than the checker said: no line of it can be taken for one of the report's. */
static void print_behind_bar(FILE *output, const char *bar, const char *text) {
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        fprintf(output, "%s%.*s\n", bar, length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_printed(const struct report *report, const char *text) {
    if (text[0] == '\0')
        return;
    fprintf(report->output, "  Your program printed:\n");
    for (int line = 0; *text; line++) {
        if (line == PRINTED_LINES && !report->session->verbose) {
            fprintf(report->output, "    | ... (V=1 shows all of it)\n");
            return;
        }
        const int length = (int)strcspn(text, "\n");
        fprintf(report->output, "    | %.*s\n", length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_in_full(const struct report *report, const struct verdict *verdict) {
    print_part(report, "", verdict->found);
    print_part(report, "Where: ", verdict->where);
    print_part(report, "What it usually means: ", verdict->means);
    print_part(report, "Read: ", verdict->read);
    print_part(report, "", verdict->notes);
    print_printed(report, verdict->printed);
}

/* "The same in merge.rows, merge.widths and 3 more." */
static void print_same(const struct report *report, size_t check) {
    const struct check *checks = report->session->suite->checks;
    char *same = copy_text("");
    size_t count = 0;
    for (size_t i = 0; i < report->session->suite->check_count; i++) {
        if (i == check || !is_bad(report->verdicts[i].status) || same_cause(report, i) != (long)check ||
            ++count > SAME_NAMED)
            continue;
        char *longer = format_text("%s%s%s", same, count > 1 ? ", " : "", checks[i].id);
        free(same);
        same = longer;
    }
    if (count > SAME_NAMED)
        fprintf(report->output, "  The same in %s and %zu more.\n", same, count - SAME_NAMED);
    else if (count > 0)
        fprintf(report->output, "  The same in %s.\n", same);
    free(same);
}

/* A failure after those that are told in full: what was found, cut to one line. */
static void print_shortly(const struct report *report, size_t check, bool first) {
    enum { FOUND_BYTES = 64 };
    const struct verdict *verdict = &report->verdicts[check];
    const int length = (int)strcspn(verdict->found, "\n");
    if (first)
        fputc('\n', report->output);
    print_mark(report, verdict->status);
    fprintf(report->output, " %s: %.*s%s\n", report->session->suite->checks[check].id,
            length > FOUND_BYTES ? FOUND_BYTES : length, verdict->found, length > FOUND_BYTES ? "..." : "");
}

static void print_failures(const struct report *report) {
    const struct check *checks = report->session->suite->checks;
    size_t full = 0, left_out = 0;
    for (size_t place = 0; place < report->session->suite->check_count; place++) {
        const size_t i = told_at(report, place);
        const struct verdict *verdict = &report->verdicts[i];
        if (!is_bad(verdict->status) || (same_cause(report, i) >= 0 && !report->session->verbose))
            continue;
        if (full == FULL_FAILURES && !report->session->verbose) {
            if (left_out++ < SHORT_FAILURES) {
                print_shortly(report, i, left_out == 1);
                print_same(report, i);
            }
            continue;
        }
        fputc('\n', report->output);
        print_mark(report, verdict->status);
        fprintf(report->output, " %s: %s\n", checks[i].id, checks[i].title);
        print_in_full(report, verdict);
        full++;
        if (!report->session->verbose)
            print_same(report, i);
    }
    if (left_out > SHORT_FAILURES)
        fprintf(report->output, "and %zu more.\n", left_out - SHORT_FAILURES);
    if (left_out > 0)
        fprintf(report->output,
                "\nThe first %d failures are told in full; CASE=<id> tells of one, V=1 of all.\n",
                (int)FULL_FAILURES);
}

static bool has_notes(const struct report *report, size_t check) {
    return !is_bad(report->verdicts[check].status) && report->verdicts[check].notes[0] != '\0';
}

/* Whether a check that passed says this line. */
static bool says(const struct report *report, size_t check, const char *line, size_t length) {
    if (!has_notes(report, check))
        return false;
    for (const char *at = report->verdicts[check].notes; *at;) {
        const size_t bytes = strcspn(at, "\n");
        if (bytes == length && strncmp(at, line, length) == 0)
            return true;
        at += bytes + (at[bytes] == '\n');
    }
    return false;
}

/* What checks that passed have to say: each line once, with the checks that say it. */
static void print_notes(const struct report *report) {
    const struct suite *suite = report->session->suite;
    for (size_t i = 0; i < suite->check_count; i++) {
        size_t told = SIZE_MAX; /* the head above names so many more checks */
        for (const char *line = has_notes(report, i) ? report->verdicts[i].notes : ""; *line;) {
            const size_t length = strcspn(line, "\n");
            size_t before = 0, more = 0;
            for (size_t k = 0; k < suite->check_count; k++) {
                before += k < i && says(report, k, line, length);
                more += k > i && says(report, k, line, length);
            }
            if (before == 0 && length > 0) {
                if (more != told) {
                    fprintf(report->output, "\nnote  %s", suite->checks[i].id);
                    if (more > 0)
                        fprintf(report->output, " and %zu more", more);
                    fprintf(report->output, ": %s\n", suite->checks[i].title);
                    told = more;
                }
                char *text = format_text("%.*s", (int)length, line);
                print_wrapped(report->output, text, 2);
                free(text);
            }
            line += length + (line[length] == '\n');
        }
    }
}

/* With V=1, what the program printed while a check was made that passed. */
static void print_what_passed_printed(const struct report *report) {
    const struct suite *suite = report->session->suite;
    for (size_t i = 0; i < suite->check_count && report->session->verbose; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (is_bad(verdict->status) || verdict->printed[0] == '\0')
            continue;
        fprintf(report->output, "\n%s: %s\n", suite->checks[i].id, suite->checks[i].title);
        print_printed(report, verdict->printed);
    }
}

/* Whether make map has something to show: kernels of the student's own files, at a shape of which single elements can be
 * seen. Validation launches none, and the operator's shapes are large. */
static bool has_picture(const struct report *report, size_t check) {
    const char *id = report->session->suite->checks[check].id;
    return is_bad(report->verdicts[check].status) && report->session->ready.runtime == RUNTIME_SIMULATOR &&
           strcmp(report->session->implementation, "exercise") == 0 && strncmp(id, "validation.", 11) != 0 &&
           strncmp(id, "operator.", 9) != 0;
}

/* What failed comes before what is not written yet, so that "told above" is the first that is told. */
static void print_next(const struct report *report) {
    const struct suite *suite = report->session->suite;
    bool any_bad = false;
    for (size_t i = 0; i < suite->check_count; i++)
        any_bad |= is_bad(report->verdicts[i].status);
    for (size_t place = 0; place < suite->check_count; place++)
        for (size_t s = 0; s < suite->stage_count; s++) {
            const size_t i = told_at(report, place);
            const enum status status = report->verdicts[i].status;
            if (!in_stage(&suite->checks[i], &suite->stages[s]) ||
                (any_bad ? !is_bad(status) : status != STATUS_TODO))
                continue;
            if (status == STATUS_TODO)
                fprintf(report->output, "Next: %s (%s). %s\n", suite->stages[s].name, suite->stages[s].title,
                        report->verdicts[i].found[0] ? report->verdicts[i].found : "It is not written yet.");
            else
                fprintf(report->output, "Next: %s, told above.\n", suite->checks[i].id);
            fprintf(report->output, "A hint: make hint EX=%s STAGE=%s\n", suite->exercise,
                    suite->stages[s].name);
            if (is_bad(status) && report->session->ready.runtime != RUNTIME_CUDA &&
                strcmp(report->session->implementation, "exercise") == 0)
                fprintf(report->output, "gdb, where it failed: make debug EX=%s CASE=%s\n", suite->exercise,
                        suite->checks[i].id);
            if (has_picture(report, i))
                fprintf(report->output, "A picture of who touched what: make map EX=%s CASE=%s\n",
                        suite->exercise, suite->checks[i].id);
            return;
        }
}

/* After a full score: the lesson that follows, and what else there is to learn here. */
static void print_onward(const struct report *report) {
    const struct suite *suite = report->session->suite, *next = NULL;
    for (size_t i = 0; all_suites[i]; i++)
        if (all_suites[i] == suite)
            next = all_suites[i + 1];
    if (next)
        fprintf(report->output, "Next: %s, make check EX=%s\n", next->checks[0].lesson, next->exercise);
    fprintf(report->output, "What the solution does otherwise: make compare EX=%s\n", suite->exercise);
}

/* Never more than was looked at. */
static void print_end(const struct report *report) {
    const struct suite *suite = report->session->suite;
    size_t ran = 0, passed = 0, skipped = 0, left_out = 0;
    for (size_t i = 0; i < suite->check_count; i++) {
        left_out += !report->wanted[i];
        skipped += report->wanted[i] && report->verdicts[i].status == STATUS_SKIP;
        ran += report->verdicts[i].status != STATUS_SKIP;
        passed += report->verdicts[i].status == STATUS_PASS;
    }
    fputc('\n', report->output);
    const bool own = strncmp(report->session->implementation, "solution", 8) != 0;

    const bool full =
        strcmp(report->session->implementation, "exercise") == 0 && left_out == 0 && ran > 0 && passed == ran;
    if (own)
        print_next(report);
    if (full)
        print_onward(report);
    fprintf(report->output, "%s%d of %d points (%zu of %zu checks passed)",
            own ? "Score: " : "Score of the solution: ", score_of(suite, report->verdicts),
            max_score_here(suite, report->verdicts), passed, ran);
    if (left_out > 0)
        fprintf(report->output, "; %zu left out by CASE", left_out);
    if (skipped > 0)
        fprintf(report->output, "; %zu could not be made here (%d points left out)", skipped,
                max_score_of(suite) - max_score_here(suite, report->verdicts));
    fputc('\n', report->output);
    const char *not_checked = report->session->ready.runtime == RUNTIME_CUDA ? suite->not_checked_cuda
                                                                             : suite->not_checked_simulator;
    fprintf(report->output, "Not checked here: %s.\n", not_checked ? not_checked : "speed");
}

/* Every check has the same verdict: it is told once. */
static void print_cause(const struct report *report) {
    size_t check = 0;
    while (check + 1 < report->session->suite->check_count && !is_bad(report->verdicts[check].status))
        check++;
    const struct verdict *verdict = &report->verdicts[check];
    fprintf(report->output, "\n%s %s\n\n", verdict->found, verdict->means);
    print_behind_bar(report->output, "| ", verdict->where);
    print_printed(report, verdict->printed);
    fprintf(report->output, "\nScore: 0 of %d points: no check could be made.\n",
            max_score_here(report->session->suite, report->verdicts));
}

void report_print(const struct report *report) {
    char *first = report_first_line(report->session);
    fprintf(report->output, "%s\n", first);
    free(first);
    if (report->nothing_ran) {
        print_cause(report);
        fflush(report->output);
        return;
    }
    print_stages(report);
    print_failures(report);
    print_notes(report);
    print_what_passed_printed(report);
    print_end(report);
    fflush(report->output);
}
