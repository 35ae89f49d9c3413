/* Writing and reading bench.json (see document.h). */
#include "document.h"
#include "base/memory.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Lines of a file as they are, without their ends; an empty list where there is no file. */
static json_t *lines_of(const char *path) {
    json_t *lines = json_array();
    FILE *file = path ? fopen(path, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) != -1) {
        line[strcspn(line, "\r\n")] = '\0';
        make_plain(line);
        if (line[0])
            json_array_append_new(lines, json_string(line));
    }
    free(line);
    if (file)
        fclose(file);
    return lines;
}

/* "DIGEST  NAME" lines to objects. */
json_t *document_sources(const char *path) {
    json_t *lines = lines_of(path), *sources = json_array(), *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        const char *text = json_string_value(line);
        const size_t digest = strcspn(text, " ");
        json_array_append_new(sources,
                              json_pack("{s:s, s:s#}", "file", text + digest + strspn(text + digest, " *"),
                                        "sha256", text, (int)digest));
    }
    json_decref(lines);
    return sources;
}

static json_t *environment_of(const char *path) {
    json_t *lines = lines_of(path), *environment = json_object(), *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        const char *text = json_string_value(line), *colon = strstr(text, ": ");
        if (colon) {
            char *name = format_text("%.*s", (int)(colon - text), text);
            json_object_set_new(environment, name, json_string(colon + 2));
            free(name);
        }
    }
    json_decref(lines);
    return environment;
}

json_t *document_new(const struct settings *settings, const char *measures, const char *runtime) {
    const struct bench_exercise *exercise = settings->exercise;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:o, s:o, s:o}", "format",
                     FORMAT_NAME, "format_version", FORMAT_VERSION, "method_version", METHOD_VERSION,
                     "exercise", exercise->name, "parameter", exercise->parameter, "symbol", exercise->symbol,
                     "implementation", settings->implementation, "measures", measures, "runtime", runtime,
                     "date", date, "seed", (json_int_t)settings->seed, "command", settings->command,
                     "environment", environment_of(settings->environment), "sources",
                     document_sources(settings->sources), "cases", json_array());
}

json_t *document_case(json_t *document, const struct shape *shape, enum element_type type) {
    json_t *of_case =
        json_pack("{s:I, s:I, s:I, s:s, s:I, s:o}", "rows", (json_int_t)shape->rows, "cols",
                  (json_int_t)shape->cols, "pitch", (json_int_t)shape->pitch, "type", element_name(type),
                  "contract_bytes", (json_int_t)(2 * shape_bytes(shape, type)), "variants", json_array());
    json_array_append_new(json_object_get(document, "cases"), of_case);
    return of_case;
}

json_t *document_variant(json_t *of_case, const char *name, const char *role, int parameter) {
    json_t *variant = json_pack("{s:s, s:s, s:i}", "name", name, "role", role, "parameter", parameter);
    json_array_append_new(json_object_get(of_case, "variants"), variant);
    return variant;
}

/* As json_dumpf with JSON_INDENT(1), but for arrays of numbers, the samples: each on one line. */
static void write_value(FILE *file, const json_t *value, int depth) {
    const bool is_object = json_is_object(value);
    const size_t count = is_object ? json_object_size(value) : json_array_size(value);
    if (count == 0 || (!is_object && json_is_number(json_array_get(value, 0)))) {
        json_dumpf(value, file, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
        return;
    }
    void *member = is_object ? json_object_iter((json_t *)(uintptr_t)value) : NULL;
    fputc(is_object ? '{' : '[', file);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s\n%*s", i ? "," : "", depth + 1, "");
        if (is_object) {
            json_t *name = json_string(json_object_iter_key(member));
            json_dumpf(name, file, JSON_ENCODE_ANY);
            json_decref(name);
            fputs(": ", file);
            write_value(file, json_object_iter_value(member), depth + 1);
            member = json_object_iter_next((json_t *)(uintptr_t)value, member);
        } else {
            write_value(file, json_array_get(value, i), depth + 1);
        }
    }
    fprintf(file, "\n%*s%c", depth, "", is_object ? '}' : ']');
}

char *document_write(const json_t *document, const char *path) {
    char *aside = format_text("%s.%ld", path, (long)getpid()), *trouble = NULL;
    FILE *file = fopen(aside, "w");
    if (file != NULL)
        write_value(file, document, 0);
    if (file == NULL || ferror(file) | fclose(file) || rename(aside, path) != 0) {
        trouble =
            format_text("The record could not be written to %s (%s); what was there before is as it was.",
                        path, strerror(errno));
        unlink(aside);
    }
    free(aside);
    return trouble;
}

/* What else a reader relies on. Returns what is wrong, or null. */
static const char *wrong_with(const json_t *document) {
    if (strcmp(text_in(document, "format"), FORMAT_NAME) != 0)
        return "it is JSON, but no record of make bench";
    if (number_in(document, "format_version") != FORMAT_VERSION)
        return "it is a record of another version of the workshop: measure again, with make bench";
    const json_t *cases = json_object_get(document, "cases"), *of_case, *variant;
    size_t i, j;
    if (json_array_size(cases) == 0)
        return "it holds no cases";
    json_array_foreach(cases, i, of_case) {
        if (number_in(of_case, "rows") < 1 || number_in(of_case, "cols") < 1 ||
            number_in(of_case, "contract_bytes") < 1 || !text_in(of_case, "type")[0])
            return "a case in it has no shape or type";
        json_array_foreach(
            json_object_get(of_case, "variants"), j,
            variant) if (!text_in(variant, "name")[0] ||
                         !text_in(variant, "role")[0]) return "a variant in it has no name or role";
    }
    return NULL;
}

/* A record may come from anywhere, and its texts go to terminals and into plots. */
static void make_texts_plain(json_t *value) {
    const char *key;
    json_t *part;
    size_t i;
    if (json_is_string(value)) {
        char *text = copy_text(json_string_value(value));
        make_plain(text);
        json_string_set(value, text);
        free(text);
    }
    json_object_foreach(value, key, part) {
        make_texts_plain(part);
    }
    json_array_foreach(value, i, part) {
        make_texts_plain(part);
    }
}

json_t *document_read(const char *path, char **trouble) {
    json_error_t error;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        *trouble = format_text("%s cannot be read: %s.", path, strerror(errno));
        return NULL;
    }
    json_t *document = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (document == NULL) {
        *trouble =
            format_text("%s is damaged: it stops being JSON at line %d. Measure again, with make bench.",
                        path, error.line);
        return NULL;
    }
    const char *wrong = wrong_with(document);
    if (wrong == NULL) {
        make_texts_plain(document);
        return document;
    }
    *trouble = format_text("%s cannot be used: %s.", path, wrong);
    json_decref(document);
    return NULL;
}

double number_in(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

const char *text_in(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_t *case_like(const json_t *document, const json_t *of_case) {
    json_t *other;
    size_t i;
    json_array_foreach(json_object_get(document, "cases"), i, other) {
        if (number_in(other, "rows") == number_in(of_case, "rows") &&
            number_in(other, "cols") == number_in(of_case, "cols") &&
            strcmp(text_in(other, "type"), text_in(of_case, "type")) == 0)
            return other;
    }
    return NULL;
}

json_t *variant_named(const json_t *of_case, const char *name) {
    json_t *variant;
    size_t i;
    json_array_foreach(json_object_get(of_case, "variants"), i,
                       variant) if (strcmp(text_in(variant, "name"), name) == 0) return variant;
    return NULL;
}

json_t *time_of(const json_t *variant, const char *mode, const char *cache) {
    json_t *time;
    size_t i;
    json_array_foreach(json_object_get(variant, "times"), i,
                       time) if (strcmp(text_in(time, "mode"), mode) == 0 &&
                                 strcmp(text_in(time, "cache"), cache) == 0) return time;
    return NULL;
}

char *shape_words(const json_t *of_case) {
    const double rows = number_in(of_case, "rows"), cols = number_in(of_case, "cols"),
                 pitch = number_in(of_case, "pitch");
    return pitch == cols ? format_text("%.0f x %.0f", rows, cols)
                         : format_text("%.0f x %.0f (pitch %.0f)", rows, cols, pitch);
}
