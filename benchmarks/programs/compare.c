/* compare: make compare. Two submissions side by side; compare.h maps the parts.
 *
 *   compare --exercise EX --runner PROGRAM --output FOLDER/compare.json [--seed N] [--recorded BENCH.json] [--all]
 *           --yours SIDE --other SIDE    name, implementation, submission, source, checks: between tabs
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
    const char *exercise, *runner, *output, *recorded;
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

/* "4 x 32769 FP32: C=256 20.1 us, C=1024 ...": what a GPU took for the shapes that were recorded. */
static json_t *recorded_times(const struct request *request) {
    json_t *lines = json_array();
    char *trouble = NULL;
    json_t *record = request->recorded ? document_read(request->recorded, &trouble) : NULL, *of_case,
           *variant;
    size_t i, k;
    free(trouble);
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        char *shape = shape_words(of_case), *words = format_text("%s %s:", shape, text_in(of_case, "type"));
        size_t count = 0;
        json_array_foreach(json_object_get(of_case, "variants"), k, variant) {
            const json_t *time = time_of(variant, "graph", "warm");
            if (strcmp(text_in(variant, "role"), "submission") != 0 || time == NULL)
                continue;
            char *longer = format_text("%s%s %s %.1f us", words, count++ ? "," : "", text_in(variant, "name"),
                                       number_in(time, "median"));
            free(words);
            words = longer;
        }
        if (count > 0 && strcmp(text_in(of_case, "type"), "FP32") == 0)
            json_array_append_new(lines, json_string(words));
        free(shape);
        free(words);
    }
    char *head =
        format_text("times of %s alone, as recorded on %s (no GPU was used here, so yours are not known):",
                    request->sides[1].name, text_in(json_object_get(record, "device"), "name"));
    json_t *times = json_pack("{s:s, s:o}", "head", head, "lines", lines);
    free(head);
    json_decref(record);
    return times;
}

static json_t *make_record(const struct request *request) {
    size_t count;
    const struct setting *settings = settings_of(request->exercise, &count);
    const struct bench_exercise *exercise = bench_exercise_find(request->exercise);
    json_t *record = json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:o, s:o, s:[]}", "format", COMPARE_FORMAT,
                               "format_version", (int)COMPARE_VERSION, "exercise", request->exercise,
                               "parameter", exercise ? exercise->parameter : "", "runtime", "simulator",
                               "seed", (json_int_t)request->seed, "yours", side_to_json(&request->sides[0]),
                               "other", side_to_json(&request->sides[1]), "cases");
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
    json_object_set_new(record, "times", recorded_times(request));
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
        case 'a':
            request.all = true;
            break;
        default:
            return 3;
        }
    }
    if (!request.runner || !request.output || !strchr(request.output, '/') || !request.sides[0].name ||
        !request.sides[1].name)
        stop("make compare calls this program, with --runner, --output, --yours and --other.");
    signal(SIGPIPE, SIG_IGN);
    return compare(&request);
}
