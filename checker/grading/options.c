/* The command line, by argp. */
#include "grading/options.h"
#include "base/memory.h"
#include <argp.h>
#include <errno.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum {
    OPTION_SOURCE = 256,
    OPTION_COMPILE_LOG,
    OPTION_LIST,
    OPTION_SCORES,
    OPTION_PRINT,
    OPTION_PATIENCE,
    OPTION_SANITIZE,
    OPTION_SEEDS,
    OPTION_UNAVAILABLE,
    OPTION_STOP,
    OPTION_KEEP
};

static const struct argp_option known[] = {
    {"exercise", 'e', "NAME", 0, "the exercise to grade", 0},
    {"implementation", 'i', "KIND", 0,
     "exercise, solution, solution/VARIANT or submission (default: exercise)", 0},
    {"submission", 's', "FILE", 0, "the shared object to grade", 0},
    {"source", OPTION_SOURCE, "FOLDER", 0, "the folder of its sources, for messages", 0},
    {"runner", 'r', "FILE", 0, "the program that runs it (default: the one beside this program)", 0},
    {"seed", 'S', "N", 0, "where random numbers start (default: 1)", 0},
    {"seeds", OPTION_SEEDS, "N", 0, "make each check with N seeds, counted up from the first (default: 1)",
     0},
    {"case", 'c', "PATTERN", 0, "only checks with this id, such as merge.rescale or merge.*", 0},
    {"jobs", 'j', "N", 0, "checks to run at the same time (default: one for each processor)", 0},
    {"patience", OPTION_PATIENCE, "FACTOR", 0, "multiply every time limit", 0},
    {"output", 'o', "FILE", 0, "write check.json here", 0},
    {"compile-log", OPTION_COMPILE_LOG, "FILE", 0,
     "what the compiler said: shown when there is no shared object", 0},
    {"sanitize", OPTION_SANITIZE, "TOOLS", 0, "run each check under these tools of compute-sanitizer", 0},
    {"unavailable", OPTION_UNAVAILABLE, "WHY", 0, "grade nothing, and say this sentence", 0},
    {"stop", OPTION_STOP, NULL, 0, "end at the first check that fails; begin with those that take least time",
     0},
    {"keep", OPTION_KEEP, "FOLDER", 0, "keep each case in this folder, and where the check failed", 0},
    {"verbose", 'v', NULL, 0, "say more", 0},
    {"list", OPTION_LIST, NULL, 0, "list the checks of the exercise and end", 0},
    {"print", OPTION_PRINT, "FILE", 0, "print a JSON file as lines for scripts and end", 0},
    {"scores", OPTION_SCORES, "FOLDER", 0, "list the last results in FOLDER/EXERCISE/check.json and end", 0},
    {0},
};

static uint64_t read_number(struct argp_state *state, const char *option, const char *text, uint64_t max) {
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number > max)
        argp_failure(state, EX_USAGE, 0, "%s takes a whole number from 0 to %llu, not '%s'.", option,
                     (unsigned long long)max, text);
    return number;
}

static error_t take_option(int key, char *argument, struct argp_state *state) {
    struct options *options = state->input;
    struct session *session = &options->session;
    char *end;
    switch (key) {
    case 'e':
        options->exercise = argument;
        break;
    case 'i':
        session->implementation = argument;
        if (strcmp(argument, "exercise") != 0 && strcmp(argument, "submission") != 0 &&
            strcmp(argument, "solution") != 0 && strncmp(argument, "solution/", 9) != 0)
            argp_failure(state, EX_USAGE, 0,
                         "--implementation is exercise, solution, solution/VARIANT or "
                         "submission, not '%s'.",
                         argument);
        break;
    case 's':
        session->submission = argument;
        break;
    case OPTION_SOURCE:
        session->source = argument;
        break;
    case 'r':
        session->runner = argument;
        break;
    case 'S':
        session->seed = read_number(state, "The seed (SEED=, --seed)", argument, INT64_MAX);
        break;
    case OPTION_SEEDS:
        session->seeds = read_number(state, "The number of seeds (SEEDS=, --seeds)", argument, 100000);
        break;
    case 'c':
        session->pattern = argument[0] ? argument : NULL;
        break;
    case 'j':
        session->jobs = (int)read_number(state, "--jobs", argument, 1024);
        break;
    case OPTION_PATIENCE:
        session->patience = strtod(argument, &end);
        if (*end != '\0' || !(session->patience > 0 && session->patience <= 1000))
            argp_failure(state, EX_USAGE, 0, "--patience takes a number above 0, at most 1000, not '%s'.",
                         argument);
        break;
    case 'o':
        session->output = argument;
        break;
    case OPTION_COMPILE_LOG:
        options->compile_log = argument;
        break;
    case OPTION_SANITIZE:
        session->tools = argument;
        break;
    case OPTION_UNAVAILABLE:
        session->unavailable = argument;
        break;
    case OPTION_KEEP:
        session->keep = argument;
        break;
    case OPTION_STOP:
        session->stop = true;
        break;
    case 'v':
        session->verbose = true;
        break;
    case OPTION_LIST:
        options->list = true;
        break;
    case OPTION_SCORES:
        options->scores = argument;
        break;
    case OPTION_PRINT:
        options->print = argument;
        break;
    case ARGP_KEY_ARG:
        argp_failure(state, EX_USAGE, 0, "'%s' is not an option; --help lists them.", argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* "runner-simulator" in the folder of this program. */
static const char *runner_beside(const char *program, const char *kind) {
    const char *slash = strrchr(program, '/');
    return format_text("%.*srunner-%s", slash ? (int)(slash - program) + 1 : 0, program, kind);
}

static const struct suite *find_suite(const char *exercise) {
    for (size_t i = 0; all_suites[i]; i++)
        if (strcmp(all_suites[i]->exercise, exercise) == 0)
            return all_suites[i];
    return NULL;
}

struct options options_read(int count, char **arguments) {
    const struct argp argp = {
        known, take_option, NULL, "Grades a submission of the Softmax Workshop. `make check` calls it.",
        NULL,  NULL,        NULL};
    struct options options = {.session = {.implementation = "exercise",
                                          .seed = 1,
                                          .patience = 1,
                                          .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)}};
    argp_err_exit_status = EX_USAGE;
    argp_parse(&argp, count, arguments, 0, NULL, &options);
    struct session *session = &options.session;
    if (options.scores || options.print)
        return options;
    const char *wrong = NULL;
    if (options.exercise == NULL)
        wrong = "--exercise is missing: which exercise is to be graded?";
    else if ((session->suite = find_suite(options.exercise)) == NULL)
        wrong = format_text("There are no checks for an exercise '%s'.", options.exercise);
    else if (session->submission == NULL && options.compile_log == NULL && !options.list)
        wrong = "--submission is missing: which shared object is to be graded?";
    if (wrong) {
        fprintf(stderr, "checker: %s\n", wrong);
        exit(EX_USAGE);
    }
    if (session->source == NULL)
        session->source = format_text("exercises/%s", options.exercise);
    if (session->runner == NULL)
        session->runner = runner_beside(arguments[0], exercise_entry(session->suite->exercise)->runner);
    /* Until the runner has said so itself. */
    const bool on_device = strstr(session->runner, "runner-cuda") || strstr(session->runner, "watch_runner");
    session->ready.runtime =
        on_device ? RUNTIME_CUDA : runtime_named(exercise_entry(session->suite->exercise)->runner);
    return options;
}
