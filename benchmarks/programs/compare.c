/* compare: make compare. Two submissions side by side; compare.h maps the parts.
 *
 *   compare --exercise EX --output FOLDER/compare.json --yours SIDE --other SIDE [--seed N] [--all] [--sources DIGESTS]
 *           [--runner PROGRAM] [--recorded BENCH.json | --times BENCH.json]
 *                   SIDE: name, implementation, submission, source, checks, between tabs
 *   compare --functions NAME YOURS OTHERS     one file of theirs beside yours, function by function
 *
 * Ends with 0, or 3: nothing was compared. */
#include "compare/compare.h"
#include "base/memory.h"
#include "document.h"
#include "settings.h"
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct request {
    const char *exercise, *output;
    const char *runner;   /* the simulator's; null: nothing is counted, there are times alone */
    const char *recorded; /* bench.json of the other, from another machine */
    const char *times;    /* bench.json of both, from this one */
    const char *sources;  /* digests of yours */
    struct side sides[2];
    uint64_t seed;
    bool all;
};

static void take_field(char **text, const char **field) {
    *field = *text;
    *text += strcspn(*text, "\t");
    if (**text)
        *(*text)++ = '\0';
}

/* Five fields between tabs, which no folder's name may have here. */
static struct side read_side(char *text) {
    struct side side;
    take_field(&text, &side.name);
    take_field(&text, &side.implementation);
    take_field(&text, &side.submission);
    take_field(&text, &side.source);
    take_field(&text, &side.checks);
    return side;
}

/* ---- both at the same time ---- */

struct worker {
    pid_t process;
    int pipe;
};

static struct worker start(const struct request *request, const struct side *side) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        stop("No pipe could be made: %s.", strerror(errno));
    const pid_t process = fork();
    if (process < 0)
        stop("No process could be started: %s.", strerror(errno));
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        json_t *cases = observe(request->exercise, side, request->runner, request->seed);
        _exit(json_dumpfd(cases, ends[1], JSON_COMPACT) != 0);
    }
    close(ends[1]);
    return (struct worker){process, ends[0]};
}

static json_t *finish(struct worker worker) {
    json_t *cases = json_loadfd(worker.pipe, 0, NULL);
    close(worker.pipe);
    waitpid(worker.process, NULL, 0);
    if (cases == NULL)
        stop("A process that counted ended early: is there enough memory? Nothing was written.");
    return cases;
}

/* ---- the record ---- */

static json_t *side_to_json(const struct side *side) {
    json_t *json = json_pack("{s:s, s:s, s:s}", "name", side->name, "implementation", side->implementation,
                             "source", side->source);
    json_t *checks = side->checks[0] ? json_load_file(side->checks, 0, NULL) : NULL;
    if (checks && json_is_array(json_object_get(checks, "checks")))
        json_object_set(json, "checks", checks);
    json_decref(checks);
    return json;
}

/* One case of both, with the least beside them. */
static json_t *join_case(const struct request *request, json_t *mine, json_t *theirs,
                         const struct setting *setting) {
    json_t *of_case = json_copy(mine), *parts = json_object(), *part;
    const char *name;
    json_object_foreach(json_object_get(mine, "parts"), name, part) {
        json_t *both = json_object();
        json_object_set(both, "yours", part);
        json_object_set(both, "other", json_object_get(json_object_get(theirs, "parts"), name));
        json_object_set_new(both, "least", least_counts(request->exercise, name, setting));
        json_object_set_new(parts, name, both);
    }
    json_object_set_new(of_case, "parts", parts);
    json_t *errors = json_object();
    json_object_set(errors, "yours", json_object_get(mine, "error"));
    json_object_set(errors, "other", json_object_get(theirs, "error"));
    json_object_set_new(of_case, "error", errors);
    return of_case;
}

/* Measured where there is a record of both, else the other's as recorded. */
static json_t *times_of_both(const struct request *request) {
    const char *path = request->times ? request->times : request->recorded;
    char *trouble = NULL;
    json_t *record = path ? document_read(path, &trouble) : NULL;
    if (request->times && record == NULL)
        stop("%s", trouble);
    free(trouble);
    json_t *times = request->times ? times_measured(record, request->sides[1].name)
                                   : times_recorded(record, request->sides[1].name);
    json_decref(record);
    return times;
}

static json_t *make_record(const struct request *request) {
    size_t count;
    const struct setting *settings = settings_of(request->exercise, &count);
    if (request->runner == NULL)
        count = 0;
    const struct bench_exercise *exercise = bench_exercise_find(request->exercise);
    json_t *record = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:I, s:o, s:o, s:[]}", "format", COMPARE_FORMAT, "format_version",
        (int)COMPARE_VERSION, "exercise", request->exercise, "parameter", exercise ? exercise->parameter : "",
        "runtime", request->runner ? "simulator" : "cuda", "seed", (json_int_t)request->seed, "yours",
        side_to_json(&request->sides[0]), "other", side_to_json(&request->sides[1]), "cases");
    if (count > 0) {
        const struct worker first = start(request, &request->sides[0]),
                            second = start(request, &request->sides[1]);
        json_t *mine = finish(first), *theirs = finish(second);
        for (size_t i = 0; i < count; i++)
            json_array_append_new(
                json_object_get(record, "cases"),
                join_case(request, json_array_get(mine, i), json_array_get(theirs, i), &settings[i]));
        json_decref(mine);
        json_decref(theirs);
    }
    json_object_set_new(json_object_get(record, "yours"), "sources", document_sources(request->sources));
    json_object_set_new(record, "times", times_of_both(request));
    const bool solution = strcmp(request->sides[1].implementation, "solution") == 0;
    json_object_set_new(record, "differences", differences(record, solution));
    return record;
}

static bool is_written(const json_t *record) {
    const json_t *of_case = json_array_get(json_object_get(record, "cases"), 0), *part;
    const char *name;
    json_object_foreach(json_object_get(of_case, "parts"), name, part) {
        if (strcmp(text_in(json_object_get(part, "yours"), "status"), "todo") != 0)
            return true;
    }
    return of_case == NULL; /* nothing is counted for this exercise */
}

static int compare(const struct request *request) {
    json_t *record = make_record(request);

    if (!is_written(record)) {
        printf("\nNothing of %s is written yet, so there is nothing to compare: make check EX=%s says where "
               "to begin.\n",
               request->exercise, request->exercise);
        return 2;
    }
    compare_print(stdout, record, request->all);
    char *trouble = document_write(record, request->output);
    if (trouble)
        stop("%s", trouble);
    printf("\nrecorded: %s\n", request->output);
    fflush(stdout);
    if (json_array_size(json_object_get(record, "cases")) > 0) {
        char *folder =
            format_text("%.*s", (int)(strrchr(request->output, '/') - request->output), request->output);
        trouble = compare_draw(record, folder);
        if (trouble)
            printf("%s\n", trouble);
        else
            printf("drawn: %s/compare.png and .svg\n", folder);
        free(folder);
    }
    json_decref(record);
    return 0;
}

int main(int count, char **arguments) {
    static const struct option known[] = {{"exercise", required_argument, NULL, 'e'},
                                          {"runner", required_argument, NULL, 'r'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"recorded", required_argument, NULL, 't'},
                                          {"yours", required_argument, NULL, 'y'},
                                          {"other", required_argument, NULL, 'w'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"sources", required_argument, NULL, 'd'},
                                          {"times", required_argument, NULL, 'm'},
                                          {"all", no_argument, NULL, 'a'},
                                          {0}};
    struct request request = {.exercise = "", .seed = 1};
    if (count == 5 && strcmp(arguments[1], "--functions") == 0)
        return functions_print(stdout, arguments[3], arguments[4], arguments[2]) ? 3 : 0;
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 'e':
            request.exercise = optarg;
            break;
        case 'r':
            request.runner = optarg;
            break;
        case 'o':
            request.output = optarg;
            break;
        case 't':
            request.recorded = optarg;
            break;
        case 'y':
            request.sides[0] = read_side(optarg);
            break;
        case 'w':
            request.sides[1] = read_side(optarg);
            break;
        case 's':
            request.seed = strtoull(optarg, NULL, 10);
            break;
        case 'd':
            request.sources = optarg;
            break;
        case 'm':
            request.times = optarg;
            break;
        case 'a':
            request.all = true;
            break;
        default:
            return 3;
        }
    }
    if ((!request.runner && !request.times) || !request.output || !strchr(request.output, '/') ||
        !request.sides[0].name || !request.sides[1].name)
        stop("make compare calls this program, with --runner or --times, --output, --yours and --other.");
    signal(SIGPIPE, SIG_IGN);
    return compare(&request);
}
