/* bench-simulator: make bench without a GPU. Counts what the simulator can count (launches, blocks, bytes,
 * barriers, shuffles, scratch) for every shape, type and value of the parameter, and records it. No times:
 * the simulator is no timing model. */
#include "count_table.h"
#include "counting.h"
#include "document.h"
#include "memory.h"
#include <errno.h>
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

/* Counts all cases, as many at a time as there are processors. */
static void count_all(const struct settings *settings, json_t *document) {
    const size_t cases = settings->shape_count * 3;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct worker workers[MOST_SHAPES * 3];
    size_t started = 0;
    for (size_t i = 0; i < cases; i++) {
        for (; started < cases && started < i + (size_t)processors; started++)
            workers[started] =
                start_worker(settings, &settings->shapes[started / 3], supported_types[started % 3]);
        const struct shape *shape = &settings->shapes[i / 3];
        char *words = format_text("counting %lld x %lld %s ...", (long long)shape->rows,
                                  (long long)shape->cols, element_name(supported_types[i % 3]));
        progress(words);
        free(words);
        json_array_append_new(json_object_get(document, "cases"), finish_worker(workers[i]));
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
    count_table_print(stdout, document);
    if (!anything_counted(document))
        stop("\nNothing could be counted, and no record was written: make check EX=%s says what is wrong.",
             settings.exercise->name);
    char *trouble = document_write(document, settings.output);
    if (trouble)
        stop("%s", trouble);
    json_decref(document);
    return 0;
}
