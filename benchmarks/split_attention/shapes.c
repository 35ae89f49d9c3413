/* The command line and the record of what is measured of split_attention (see shapes.h). */
#include "shapes.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int attention_bench_chunks[ATTENTION_CHUNKS] = {64, 256, 1024};

void attention_stop(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(3);
}

static void add_shape(struct attention_settings *settings, int64_t heads, int64_t keys, int dim) {
    if (settings->shape_count == MOST_ATTENTION_SHAPES || heads < 1 || keys < 1 || keys > 131072 ||
        (dim != 64 && dim != 128) || heads > INT32_MAX / (keys * dim))
        attention_stop(
            "SHAPES is HEADSxKEYS,HEADSxKEYSxDIM ... (%d at most) with at most 131072 keys, dim 64 or 128, "
            "and heads * keys * dim below 2^31.",
            MOST_ATTENTION_SHAPES);
    settings->shapes[settings->shape_count++] = (struct attention_shape){heads, keys, dim};
}

/* "8x4096" is both dims. */
static void read_shapes(struct attention_settings *settings, const char *text) {
    for (const char *at = text; *at != '\0';) {
        long long heads = 0, keys = 0;
        int dim = 0, end = 0;
        if (sscanf(at, "%lldx%lldx%d%n", &heads, &keys, &dim, &end) == 3) {
            add_shape(settings, heads, keys, dim);
        } else if (sscanf(at, "%lldx%lld%n", &heads, &keys, &end) == 2) {
            add_shape(settings, heads, keys, 64);
            add_shape(settings, heads, keys, 128);
        }
        if (end == 0 || (at[end] != ',' && at[end] != '\0'))
            add_shape(settings, 0, 0, 0);
        at += end + (at[end] == ',');
    }
}

static uint64_t read_number(const char *name, const char *text, uint64_t least, uint64_t most) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < least || number > most)
        attention_stop("%s is a whole number from %llu to %llu, not '%s'.", name, (unsigned long long)least,
                       (unsigned long long)most, text);
    return number;
}

struct attention_settings attention_settings_read(int count, char **arguments, const char *usual) {
    static const struct option known[] = {
        {"implementation", required_argument, NULL, 'i'}, {"submission", required_argument, NULL, 's'},
        {"runner", required_argument, NULL, 'r'},         {"output", required_argument, NULL, 'o'},
        {"torch", required_argument, NULL, 't'},          {"command", required_argument, NULL, 'c'},
        {"shapes", required_argument, NULL, 'm'},         {"seed", required_argument, NULL, 'S'},
        {"samples", required_argument, NULL, 'n'},        {0}};
    struct attention_settings settings = {
        .implementation = "exercise", .torch = "", .command = "", .seed = 1, .samples = 21};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 'i':
            settings.implementation = optarg;
            break;
        case 's':
            settings.submission = optarg;
            break;
        case 'r':
            settings.runner = optarg;
            break;
        case 'o':
            settings.output = optarg;
            break;
        case 't':
            settings.torch = optarg;
            break;
        case 'c':
            settings.command = optarg;
            break;
        case 'm':
            usual = optarg;
            break;
        case 'S':
            settings.seed = read_number("SEED", optarg, 0, INT64_MAX);
            break;
        case 'n':
            settings.samples = (int)read_number("SAMPLES", optarg, 5, 1000);
            break;
        default:
            exit(3);
        }
    }
    if (settings.submission == NULL || settings.output == NULL)
        attention_stop("--submission and --output are missing: make bench gives them.");
    read_shapes(&settings, usual);
    return settings;
}

uint64_t attention_floor_bytes(const struct attention_shape *shape, enum element_type type) {
    return 2 * (uint64_t)(shape->heads * shape->keys * shape->dim) * element_bytes(type);
}

json_t *attention_record(const struct attention_settings *settings, const char *measures) {
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:I, s:[]}", "format",
                     "softmax-workshop attention bench", "format_version", 1, "exercise", "split_attention",
                     "measures", measures, "implementation", settings->implementation, "command",
                     settings->command, "seed", (json_int_t)settings->seed, "cases");
}

json_t *attention_case(json_t *record, const struct attention_shape *shape, enum element_type type) {
    json_t *of_case = json_pack("{s:I, s:I, s:i, s:s, s:I, s:[]}", "heads", (json_int_t)shape->heads, "keys",
                                (json_int_t)shape->keys, "dim", shape->dim, "type", element_name(type),
                                "floor_bytes", (json_int_t)attention_floor_bytes(shape, type), "variants");
    json_array_append_new(json_object_get(record, "cases"), of_case);
    return of_case;
}

/* An object without its list, on one line but for the closing brace; then the list. */
static void write_head(FILE *file, const json_t *object, const char *list) {
    json_t *head = json_copy((json_t *)(void *)(uintptr_t)object);
    json_object_del(head, list);
    char *text = json_dumps(head, JSON_PRESERVE_ORDER);
    fprintf(file, "%.*s, \"%s\": [", (int)strlen(text) - 1, text, list);
    free(text);
    json_decref(head);
}

void attention_record_write(const json_t *record, const char *path) {
    char *beside = malloc(strlen(path) + 5);
    FILE *file = beside ? fopen(strcat(strcpy(beside, path), ".new"), "w") : NULL;
    if (file == NULL)
        attention_stop("%s cannot be written.", path);
    const json_t *of_case, *variant;
    size_t i, j;
    write_head(file, record, "cases");
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        fputs(i ? ",\n " : "\n ", file);
        write_head(file, of_case, "variants");
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            char *line = json_dumps(variant, JSON_PRESERVE_ORDER);
            fprintf(file, "%s\n  %s", j ? "," : "", line);
            free(line);
        }
        fputs("]}", file);
    }
    fputs("\n]}\n", file);
    if (fclose(file) != 0 || rename(beside, path) != 0)
        attention_stop("%s cannot be written.", path);
    free(beside);
}
