/* bench-simulator: make bench without a GPU. Counts what the simulator can count (launches, blocks, bytes,
 * barriers, shuffles, scratch) for every shape, type and value of the parameter, and records it. No times:
 * the simulator is no timing model. */
#include "clock.h"
#include "count_table.h"
#include "counting.h"
#include "document.h"
#include "memory.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

/* Returns how many variants were counted. */
static int count_case(const struct settings *settings, struct runner *runner, json_t *document,
                      const struct shape *shape, enum element_type type) {
    const struct bench_exercise *exercise = settings->exercise;
    struct workload workload = workload_new(shape, type, settings->seed);
    json_t *of_case = document_case(document, shape, type);
    int counted = 0;
    for (size_t i = 0; i < exercise->parameter_count; i++) {
        char *name = format_text("%s=%d", exercise->symbol, exercise->parameters[i]);
        char *words = format_text("counting %lld x %lld %s %s ...", (long long)shape->rows,
                                  (long long)shape->cols, element_name(type), name);
        progress(words);
        json_t *variant = document_variant(of_case, name, "submission", exercise->parameters[i]);
        count_call(settings, runner, &workload, exercise->parameters[i], variant);
        counted += json_object_get(variant, "counts") != NULL;
        free(words);
        free(name);
    }
    workload_free(&workload);
    return counted;
}

int main(int count, char **arguments) {
    const struct settings settings = settings_read(count, arguments);
    if (settings.runner == NULL)
        stop("--runner is missing: make bench gives it.");
    signal(SIGINT, end_early);
    signal(SIGTERM, end_early);
    signal(SIGPIPE, SIG_IGN);
    static struct runner runner;
    runner.program = settings.runner;
    runner.submission = settings.submission;
    json_t *document = document_new(&settings, "counts", "simulator");
    json_object_set_new(document, "device", json_pack("{s:s}", "name", "simulator, on the CPU"));
    int counted = 0;
    for (size_t i = 0; i < settings.shape_count; i++)
        for (size_t t = 0; t < 3; t++)
            counted += count_case(&settings, &runner, document, &settings.shapes[i], supported_types[t]);
    runner_stop(&runner);
    progress("");
    count_table_print(stdout, document);
    if (counted == 0)
        stop("\nNothing could be counted, and no record was written: make check EX=%s says what is wrong.",
             settings.exercise->name);
    char *trouble = document_write(document, settings.output);
    if (trouble)
        stop("%s", trouble);
    json_decref(document);
    return 0;
}
