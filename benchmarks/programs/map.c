/* map: make map. Runs a submission in the simulator with every access noted, and draws who touched what (map.h).
 *
 *   map --exercise EX --implementation I --submission SO --source FOLDER --runner PROGRAM --output FOLDER [--seed N]
 *       (--shape ROWSxCOLS [--parameter N] [--type FP32] | --case ID)
 *   of online_softmax --shape VALUES [--parameter CHUNK]
 *
 * Ends with 0; 2: nothing is written yet; 3: nothing was drawn. */
#include "map/map.h"
#include "base/memory.h"
#include "exercises/exercises.h"
#include "map/list.h"
#include "settings.h"
#include <getopt.h>
#include <string.h>

struct wanted {
    const char *exercise, *shape, *id, *output, *type;
    int parameter;
};

static const struct suite *suite_of(const char *exercise) {
    for (size_t i = 0; all_suites[i]; i++)
        if (strcmp(all_suites[i]->exercise, exercise) == 0)
            return all_suites[i];
    stop("There is no exercise '%s'.", exercise);
}

static struct setting read_setting(const struct wanted *wanted) {
    const struct bench_exercise *exercise = bench_exercise_find(wanted->exercise);
    struct setting setting = {.type = TYPE_FP32};
    struct shape shapes[MOST_SHAPES];
    char *trouble = NULL;
    if (exercise == NULL)
        stop("%s launches no kernel: make map draws those of split_softmax and fused_softmax.",
             wanted->exercise);
    const bool is_split = strcmp(wanted->exercise, "split_softmax") == 0;
    const char *shape = wanted->shape ? wanted->shape : is_split ? "2x1025" : "5x61";
    if (strcmp(shape, "all") == 0 || strchr(shape, ',') ||
        shapes_read(exercise, shape, shapes, &trouble) != 1)
        stop("SHAPE is ROWSxCOLS, with at most %lld columns, not '%s'.", (long long)exercise->max_cols,
             shape);
    setting.shape = shapes[0];
    if (setting.shape.rows * setting.shape.pitch > MOST_CELLS)
        stop("SHAPE=%s has %lld elements, and single ones are seen up to %d: take fewer rows or columns.",
             shape, (long long)(setting.shape.rows * setting.shape.pitch), (int)MOST_CELLS);
    setting.parameter = wanted->parameter ? wanted->parameter : is_split ? 1024 : 2;
    bool known = false;
    for (size_t i = 0; i < exercise->parameter_count; i++)
        known |= exercise->parameters[i] == setting.parameter;
    if (!known)
        stop("%s=%d is none of those that the contract allows (%s.h).", is_split ? "CHUNK" : "ROWS_PER_BLOCK",
             setting.parameter, wanted->exercise);
    known = false;
    for (int i = 0; i < 3; i++)
        if (strcmp(element_name(supported_types[i]), wanted->type) == 0) {
            setting.type = supported_types[i];
            known = true;
        }
    if (!known)
        stop("TYPE is FP32, FP16 or BF16, not '%s'.", wanted->type);
    return setting;
}

/* Says what each panel says, so that the picture can be read without eyes. Returns whether anything is written. */
static bool print_panels(const struct sightings *sightings) {
    struct panel_map panels[MOST_PANELS];
    size_t left_out, todo = 0;
    const size_t count = panels_of(sightings, panels, &left_out);
    for (size_t i = 0; i < count; i++) {
        const struct panel_map *panel = &panels[i];
        char *words = panel_words(panel);
        printf("  %s %s %s: %s\n", panel->sighting->kernels[panel->kernel].name,
               panel->writes ? "writes" : "reads", panel->buffer->name, words);
        free(words);
        free(panel->cells);
    }
    for (size_t i = 0; i < sightings->count; i++) {
        const struct sighting *sighting = &sightings->items[i];
        if (sighting->reason[0])
            printf("  %s: %s\n", sighting->title, sighting->reason);
        todo += strcmp(sighting->reason, "not written yet") == 0;
        if (sighting->cut)
            printf("  %s: only the first accesses were noted; a smaller shape shows all\n", sighting->title);
    }
    if (left_out)
        printf("  %zu panels are left out: their buffers are too large to see single elements\n", left_out);
    return todo < sightings->count;
}

/* online_softmax: SHAPE is how many values, the parameter the chunk. */
static int draw_list(const struct session *session, const struct wanted *wanted) {
    static struct list_map map;
    char *end = "";
    const long long count = wanted->shape ? strtoll(wanted->shape, &end, 10) : 45,
                    chunk = wanted->parameter ? wanted->parameter : 10;
    if (wanted->id)
        stop("%s is drawn as a list: make map EX=%s SHAPE=45 CHUNK=10, without CASE.", wanted->exercise,
             wanted->exercise);
    if (*end != '\0' || count < 1 || count > MOST_VALUES)
        stop("SHAPE is how many values the list has, from 1 to %d, not '%s'.", (int)MOST_VALUES,
             wanted->shape);
    if (chunk < 1 || (count + chunk - 1) / chunk > MOST_CHUNKS)
        stop("CHUNK=%lld cuts %lld values into more than %d chunks: take a larger one.", chunk, count,
             (int)MOST_CHUNKS);
    list_take(session, (size_t)count, (size_t)chunk, &map);
    char *title = format_text("%s: %lld values in chunks of %lld", wanted->exercise, count, chunk);
    printf("%s\n", title);
    list_print(stdout, &map);
    if (map.no_summary && strcmp(map.no_summary, "not written yet") == 0) {
        printf("Nothing is drawn: make check EX=%s says where to begin.\n", wanted->exercise);
        return 2;
    }
    fflush(stdout);
    char *trouble = list_draw(&map, title, wanted->output);
    if (trouble)
        stop("%s", trouble);
    printf("drawn: %s/map.png and .svg\n", wanted->output);
    return 0;
}

static int draw(const struct session *session, const struct wanted *wanted) {
    struct sightings sightings;
    char *title;
    if (wanted->id) {
        sightings = take_check(session, wanted->id);
        if (sightings.count == 0)
            stop("%s has no check '%s': make check EX=%s names them.", wanted->exercise, wanted->id,
                 wanted->exercise);
        title = format_text("%s: who touched what in %s", wanted->exercise, wanted->id);
    } else {
        const struct setting setting = read_setting(wanted);
        sightings = take_functions(session, wanted->exercise, &setting);
        title = format_text("%s: who touched what, %lld x %lld %s, %s = %d", wanted->exercise,
                            (long long)setting.shape.rows, (long long)setting.shape.cols,
                            element_name(setting.type), bench_exercise_find(wanted->exercise)->parameter,
                            setting.parameter);
    }
    printf("%s\n", title);
    if (!print_panels(&sightings)) {
        printf("Nothing is drawn: make check EX=%s says where to begin.\n", wanted->exercise);
        return 2;
    }
    fflush(stdout);
    char *trouble = map_draw(&sightings, title, wanted->output);
    if (trouble)
        stop("%s", trouble);
    printf("drawn: %s/map.png and .svg\n", wanted->output);
    return 0;
}

int main(int count, char **arguments) {
    static const struct option known[] = {
        {"exercise", required_argument, NULL, 'e'},   {"implementation", required_argument, NULL, 'i'},
        {"submission", required_argument, NULL, 's'}, {"source", required_argument, NULL, 'f'},
        {"runner", required_argument, NULL, 'r'},     {"output", required_argument, NULL, 'o'},
        {"shape", required_argument, NULL, 'm'},      {"parameter", required_argument, NULL, 'p'},
        {"type", required_argument, NULL, 't'},       {"case", required_argument, NULL, 'c'},
        {"seed", required_argument, NULL, 'S'},       {0}};
    struct session session = {.implementation = "exercise",
                              .source = "",
                              .seed = 1,
                              .patience = 1,
                              .jobs = 1,
                              .ready.runtime = RUNTIME_SIMULATOR};
    struct wanted wanted = {.exercise = "", .type = "FP32"};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 'e':
            wanted.exercise = optarg;
            break;
        case 'i':
            session.implementation = optarg;
            break;
        case 's':
            session.submission = optarg;
            break;
        case 'f':
            session.source = optarg;
            break;
        case 'r':
            session.runner = optarg;
            break;
        case 'o':
            wanted.output = optarg;
            break;
        case 'm':
            wanted.shape = optarg;
            break;
        case 'p':
            wanted.parameter = atoi(optarg);
            break;
        case 't':
            wanted.type = optarg;
            break;
        case 'c':
            wanted.id = optarg;
            break;
        case 'S':
            session.seed = strtoull(optarg, NULL, 10);
            break;
        default:
            return 3;
        }
    }
    if (!session.submission || !session.runner || !wanted.output)
        stop("make map calls this program, with --submission, --runner and --output.");
    session.suite = suite_of(wanted.exercise);
    const struct exercise_entry *entry = exercise_entry(wanted.exercise);
    if (entry && runtime_named(entry->runner) == RUNTIME_HOST) {
        session.ready.runtime = RUNTIME_HOST;
        return draw_list(&session, &wanted);
    }
    return draw(&session, &wanted);
}
