/* bench-simulator: make bench without a GPU. Counts what the simulator can count (launches, blocks, bytes,
 * barriers, shuffles, scratch) for every shape, type and value of the parameter, and records it. No times:
 * the simulator is no timing model. */
#include "base/clock.h"
#include "base/memory.h"
#include "count_table.h"
#include "counting.h"
#include "document.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void end_early(int signal_number) {
    static const char words[] = "\nStopped. Nothing was written; an earlier record is as it was.\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(128 + signal_number);
}

static void progress(const char *words) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", words);
}

/* Counts every variant of a case. Returns the case as JSON. */
static json_t *count_case(const struct settings *settings, const struct shape *shape,
                          enum element_type type) {
    const struct bench_exercise *exercise = settings->exercise;
    static struct runner runner;
    struct workload workload = workload_new(shape, type, settings->seed);
    json_t *cases = json_pack("{s:[]}", "cases"), *of_case = document_case(cases, shape, type);
    runner.program = settings->runner;
    runner.submission = settings->submission;
    for (size_t i = 0; i < exercise->parameter_count; i++) {
        char *name = format_text("%s=%d", exercise->symbol, exercise->parameters[i]);
        json_t *variant = document_variant(of_case, name, "submission", exercise->parameters[i]);
        count_call(settings, &runner, &workload, exercise->parameters[i], variant);
        free(name);
    }
    runner_stop(&runner);
    workload_free(&workload);
    json_incref(of_case);
    json_decref(cases);
    return of_case;
}

/* A process that counts one case and writes it to a pipe. */
struct worker {
    pid_t process;
    int pipe;
};

static struct worker start_worker(const struct settings *settings, const struct shape *shape,
                                  enum element_type type) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        stop("No pipe could be made: %s.", strerror(errno));
    const pid_t process = fork();
    if (process < 0)
        stop("No process could be started: %s.", strerror(errno));
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGINT, SIG_DFL); /* the parent says that it was stopped */
        signal(SIGTERM, SIG_DFL);
        close(ends[0]);
        _exit(json_dumpfd(count_case(settings, shape, type), ends[1], JSON_COMPACT) != 0);
    }
    close(ends[1]);
    return (struct worker){process, ends[0]};
}

static json_t *finish_worker(struct worker worker) {
    json_t *of_case = json_loadfd(worker.pipe, 0, NULL);
    close(worker.pipe);
    waitpid(worker.process, NULL, 0);
    if (of_case == NULL)
        stop("A process that counted ended early: is there enough memory? Nothing was written.");
    return of_case;
}

static size_t types_of(const struct settings *settings) {
    return settings->fp32_alone ? 1 : 3;
}

/* Seconds that one element takes in one call, by the slower of the exercises: measured, and rough. */
static double work_of(const struct settings *settings, const struct shape *shape) {
    static const double seconds = 0.55e-6;
    return seconds * (double)(shape->rows * shape->cols) * (double)settings->exercise->parameter_count;
}

static long processors_of(size_t cases) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > (long)cases ? (long)cases : processors;
}

/* How long it will take; said before it begins, where it is long enough to wonder. */
static double announce(const struct settings *settings) {
    double work = 0;
    for (size_t i = 0; i < settings->shape_count; i++)
        work += (double)types_of(settings) * work_of(settings, &settings->shapes[i]);
    const double seconds = work / (double)processors_of(settings->shape_count * types_of(settings));
    if (seconds >= 1 && !settings->quiet) {
        printf("This takes about %.0f seconds on this machine when it is idle.\n", 5 * ceil(seconds / 5));
        fflush(stdout);
    }
    return work;
}

static void show_progress(double done, double all, double since, const struct shape *shape,
                          enum element_type type) {
    enum { WIDTH = 24 };
    static const char bar[] = "########################", rest[] = "........................";
    const int full = (int)(WIDTH * done / all);
    const double seconds = clock_seconds() - since;
    char left[48] = "";
    if (done > 0)
        snprintf(left, sizeof left, ", about %.0f s left", seconds * (all - done) / done);
    char *words =
        format_text("[%.*s%.*s] %3.0f %%%s: %lld x %lld %s", full, bar, WIDTH - full, rest, 100 * done / all,
                    left, (long long)shape->rows, (long long)shape->cols, element_name(type));
    progress(words);
    free(words);
}

/* Counts all cases, as many at a time as there are processors. */
static void count_all(const struct settings *settings, json_t *document) {
    const size_t types = types_of(settings), cases = settings->shape_count * types;
    const long processors = processors_of(cases);
    const double work = announce(settings), since = clock_seconds();
    struct worker workers[MOST_SHAPES * 3];
    size_t started = 0;
    double done = 0;
    for (size_t i = 0; i < cases; i++) {
        for (; started < cases && started < i + (size_t)processors; started++)
            workers[started] =
                start_worker(settings, &settings->shapes[started / types], supported_types[started % types]);
        const struct shape *shape = &settings->shapes[i / types];
        show_progress(done, work, since, shape, supported_types[i % types]);
        json_array_append_new(json_object_get(document, "cases"), finish_worker(workers[i]));
        done += work_of(settings, shape);
    }
    progress("");
}

static bool anything_counted(const json_t *document) {
    const json_t *of_case, *variant;
    size_t i, j;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            if (json_object_get(variant, "counts"))
                return true;
        }
    }
    return false;
}

int main(int count, char **arguments) {
    const struct settings settings = settings_read(count, arguments);
    if (settings.runner == NULL)
        stop("--runner is missing: make bench gives it.");
    signal(SIGINT, end_early);
    signal(SIGTERM, end_early);
    signal(SIGPIPE, SIG_IGN);
    json_t *document = document_new(&settings, "counts", "simulator");
    json_object_set_new(document, "device", json_pack("{s:s}", "name", "simulator, on the CPU"));
    count_all(&settings, document);

    if (!settings.quiet)
        count_table_print(stdout, document);
    fflush(stdout);
    if (!anything_counted(document))
        stop("\nNothing could be counted, and no record was written: make check EX=%s says what is wrong.",
             settings.exercise->name);
    char *trouble = document_write(document, settings.output);
    if (trouble)
        stop("%s", trouble);
    json_decref(document);
    return 0;
}
