/* The command line (see settings.h). make bench calls the programs, so there are long options only. */
#include "settings.h"
#include "base/memory.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL_SAMPLES = 21, LEAST_SAMPLES = 15, NOTHING_MEASURED = 3 };

void stop(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(NOTHING_MEASURED);
}

static uint64_t read_number(const char *name, const char *text, uint64_t least, uint64_t most) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < least || number > most)
        stop("%s is a whole number from %llu to %llu, not '%s'.", name, (unsigned long long)least,
             (unsigned long long)most, text);
    return number;
}

struct settings settings_read(int count, char **arguments) {
    static const struct option known[] = {{"exercise", required_argument, NULL, 'e'},
                                          {"implementation", required_argument, NULL, 'i'},
                                          {"submission", required_argument, NULL, 's'},
                                          {"runner", required_argument, NULL, 'r'},
                                          {"sources", required_argument, NULL, 'f'},
                                          {"environment", required_argument, NULL, 'v'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"torch", required_argument, NULL, 't'},
                                          {"shapes", required_argument, NULL, 'm'},
                                          {"seed", required_argument, NULL, 'S'},
                                          {"samples", required_argument, NULL, 'n'},
                                          {"command", required_argument, NULL, 'c'},
                                          {"beside", required_argument, NULL, 'b'},
                                          {"fp32", no_argument, NULL, '3'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {0}};
    struct settings settings = {
        .implementation = "exercise", .seed = 1, .samples = USUAL_SAMPLES, .command = ""};
    const char *exercise = "", *shapes = NULL;
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 'e':
            exercise = optarg;
            break;
        case 'i':
            settings.implementation = optarg;
            break;
        case 's':
            settings.submission = optarg;
            break;
        case 'r':
            settings.runner = optarg;
            break;
        case 'f':
            settings.sources = optarg;
            break;
        case 'v':
            settings.environment = optarg;
            break;
        case 'o':
            settings.output = optarg;
            break;
        case 't':
            settings.torch = optarg;
            break;
        case 'm':
            shapes = optarg;
            break;
        case 'c':
            settings.command = optarg;
            break;
        case 'b':
            settings.beside = optarg;
            break;
        case '3':
            settings.fp32_alone = true;
            break;
        case 'q':
            settings.quiet = true;
            break;
        case 'S':
            settings.seed = read_number("SEED", optarg, 0, INT64_MAX);
            break;
        case 'n':
            settings.samples = (int)read_number("SAMPLES", optarg, LEAST_SAMPLES, 1000);
            break;
        default:
            exit(NOTHING_MEASURED);
        }
    }
    settings.exercise = bench_exercise_find(exercise);
    if (settings.exercise == NULL)
        stop("There is no benchmark of '%s': there are split_softmax and fused_softmax.", exercise);
    if (settings.submission == NULL || settings.output == NULL)
        stop("--submission and --output are missing: make bench gives them.");
    char *trouble = NULL;
    settings.shape_count = shapes_read(settings.exercise, shapes, settings.shapes, &trouble);
    if (trouble)
        stop("%s", trouble);
    return settings;
}
