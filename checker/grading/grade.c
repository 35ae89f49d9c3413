/* Grading: a submission is loaded once to see that it can be, the checks go to the workers, check.json is
 * kept up to date after each verdict, and the report is printed. */
#include "grading/grade.h"
#include "base/memory.h"
#include "grading/workers.h"
#include "link/exchange.h"
#include "link/runner_process.h"
#include "report/report.h"
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { EXIT_STOPPED = 130 }; /* as a shell says of a command that Ctrl-C ended */

struct run {
    struct session *session;
    struct verdict *verdicts;
    bool *wanted;
    size_t wanted_count, finished;
    bool on_terminal, write_failed;
};

static void write_results(struct run *run, enum grade grade) {
    char *trouble = results_write(run->session, run->verdicts, grade);
    if (trouble && !run->write_failed)
        fprintf(stderr, "checker: %s\n", trouble);
    run->write_failed |= trouble != NULL;
    free(trouble);
}

static void tell(void *state, size_t check, const struct verdict *verdict) {
    struct run *run = state;
    if (verdict) {
        run->finished++;
        write_results(run, grade_of(run->session->suite, run->verdicts, run->wanted));
    }
    if (run->on_terminal) {
        fprintf(stderr, "\r\033[K%zu of %zu checks; %s", run->finished, run->wanted_count,
                run->session->suite->checks[check].id);
        fflush(stderr);
    }
}

static int finish(struct run *run, enum grade grade, bool nothing_ran) {
    if (run->on_terminal)
        fputs("\r\033[K", stderr);
    write_results(run, grade);
    char *trouble = results_keep(run->session, run->verdicts, grade);
    if (trouble)
        fprintf(stderr, "checker: %s\n", trouble);
    free(trouble);
    const struct report report = {
        run->session, run->verdicts, run->wanted, grade, stdout, report_may_colour(stdout), nothing_ran};
    report_print(&report);
    for (size_t i = 0; i < run->session->suite->check_count; i++)
        verdict_free(&run->verdicts[i]);
    free(run->verdicts);
    free(run->wanted);
    return run->write_failed ? EX_SOFTWARE : (int)grade;
}

/* Every wanted check gets the same verdict: nothing could be run. where, means, printed: as in struct
 * verdict. */
static void judge_all(struct run *run, enum status status, const char *found, const char *where,
                      const char *means, const char *printed) {
    for (size_t i = 0; i < run->session->suite->check_count; i++) {
        if (!run->wanted[i])
            continue;
        verdict_free(&run->verdicts[i]);
        run->verdicts[i] = verdict_new(status, true, found);
        free(run->verdicts[i].where);
        run->verdicts[i].where = copy_text(where);
        free(run->verdicts[i].means);
        run->verdicts[i].means = copy_text(means);
        free(run->verdicts[i].printed);
        run->verdicts[i].printed = copy_text(printed);
    }
}

/* Nothing can be graded: one sentence, in check.json too, and no report that looks like one. */
static int unavailable(struct run *run, const char *why) {
    run->session->ready.runtime = RUNTIME_CUDA;
    judge_all(run, STATUS_SKIP, why, "", "", "");
    write_results(run, GRADE_UNAVAILABLE);
    puts(why);
    for (size_t i = 0; i < run->session->suite->check_count; i++)
        verdict_free(&run->verdicts[i]);
    free(run->verdicts);
    free(run->wanted);
    return GRADE_UNAVAILABLE;
}

static int did_not_compile(struct run *run, const char *path) {
    FILE *file = fopen(path, "r");
    char *log = get_memory(PRINTED_LIMIT + 1);
    const size_t bytes = file ? fread(log, 1, PRINTED_LIMIT, file) : 0;
    if (file)
        fclose(file);
    log[bytes] = '\0';
    make_plain(log);
    char *where = bytes ? format_text("%s", log) : copy_text("");
    judge_all(run, STATUS_FAIL, "Your files do not compile.", where,
              "Begin with the first message; the others often follow from it.", "");
    free(where);
    free(log);
    return finish(run, GRADE_FAILED, true);
}

/* Loads the submission once. Returns -1 to go on, or the exit code. */
static int probe(struct run *run) {
    struct runner *runner = get_memory(sizeof *runner);
    runner->program = run->session->runner;
    runner->submission = run->session->submission;
    enum exchange_end end;
    char *reason = NULL;
    int code = -1;
    if (!runner_ready(runner, 20 * run->session->patience, &run->session->ready, &end, &reason)) {
        const bool no_device = end == EXCHANGE_ENDED && WIFEXITED(runner->wait_status) &&
                               WEXITSTATUS(runner->wait_status) == EXIT_NO_DEVICE;
        if (runner->pid == 0 && runner->wait_status == 0 && end == EXCHANGE_DONE &&
            strncmp(reason, "Your", 4) != 0) {
            fprintf(stderr, "checker: %s\n", reason);
            code = EX_SOFTWARE;
        } else if (no_device) {
            code = unavailable(
                run, "There is no CUDA device here that RUNTIME=cuda could use: nothing was graded.");
        } else {
            const enum status status = end == EXCHANGE_LATE || end == EXCHANGE_FLOODED ? STATUS_TIMEOUT
                                       : end == EXCHANGE_ENDED                         ? STATUS_CRASH
                                                                                       : STATUS_FAIL;
            make_plain(runner->printed);
            judge_all(
                run, status, reason, "",
                strstr(reason, "undefined symbol")
                    ? "A function that your files call is defined in none of them, or its name is misspelt."
                    : "",
                runner->printed);
            code = finish(run, GRADE_FAILED, true);
        }
    }
    free(reason);
    runner_stop(runner);
    free(runner);
    return code;
}

static void hear_stop(int number) {
    (void)number;
    workers_stop();
}

/* Ctrl-C ends the checks, and not this program before it has said what was graded. */
static void listen_for_stop(void) {
    struct sigaction action = {.sa_handler = hear_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* One line, and what was graded stays in check.json. */
static int stopped(struct run *run) {
    const struct suite *suite = run->session->suite;
    if (run->on_terminal)
        fputs("\r\033[K", stderr);
    write_results(run, grade_of(suite, run->verdicts, run->wanted));
    printf("Stopped: %zu of %zu checks were made, %d of %d points so far%s%s.\n", run->finished,
           run->wanted_count, score_of(suite, run->verdicts), max_score_of(suite),
           run->session->output ? "; they are in " : "", run->session->output ? run->session->output : "");
    for (size_t i = 0; i < suite->check_count; i++)
        verdict_free(&run->verdicts[i]);
    free(run->verdicts);
    free(run->wanted);
    return EXIT_STOPPED;
}

int grade_submission(struct session *session, const char *compile_log) {
    const struct suite *suite = session->suite;
    struct run run = {
        .session = session,
        .verdicts = get_memory(suite->check_count * sizeof *run.verdicts),
        .wanted = get_memory(suite->check_count * sizeof *run.wanted),
        .on_terminal = report_may_colour(stderr),
    };
    for (size_t i = 0; i < suite->check_count; i++) {
        const char *pattern = session->pattern;
        run.wanted[i] = pattern == NULL || fnmatch(pattern, suite->checks[i].id, 0) == 0;
        run.wanted_count += run.wanted[i];
        run.verdicts[i] = verdict_new(STATUS_SKIP, false, run.wanted[i] ? "not run yet" : "left out by CASE");
    }
    if (run.wanted_count == 0) {
        fprintf(
            stderr,
            "checker: No check of %s has the id '%s'. An id looks like %s; 'STAGE.*' stands for a stage.\n",
            suite->exercise, session->pattern, suite->checks[0].id);
        return EX_USAGE;
    }
    if (session->unavailable)
        return unavailable(&run, session->unavailable);
    write_results(&run, GRADE_INCOMPLETE);
    if (compile_log && access(session->submission ? session->submission : "", F_OK) != 0)
        return did_not_compile(&run, compile_log);
    const int code = probe(&run);
    if (code >= 0)
        return code;
    listen_for_stop();
    char *trouble = workers_run(run.session, run.wanted, run.verdicts, &(struct progress){&run, tell});
    if (trouble) {
        fprintf(stderr, "checker: %s\n", trouble);
        free(trouble);
        return EX_SOFTWARE;
    }
    if (workers_stopped())
        return stopped(&run);
    return finish(&run, grade_of(suite, run.verdicts, run.wanted), false);
}
