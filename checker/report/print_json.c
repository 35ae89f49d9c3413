/* A JSON file as lines for scripts (see results.h). */
#include "report/results.h"
#include <jansson.h>
#include <string.h>

static void print_text(FILE *output, const char *text) {
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", output);
        else
            fputc(*text == '\t' || *text == '\r' ? ' ' : *text, output);
}

/* A list of texts is its words with ", " between them. */
static void print_value(FILE *output, const json_t *value) {
    if (json_is_string(value)) {
        print_text(output, json_string_value(value));
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            fputs(i ? ", " : "", output);
            print_value(output, json_array_get(value, i));
        }
    } else {
        json_dumpf(value, output, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
    }
}

static void print_rows(FILE *output, const char *name, const json_t *rows) {
    size_t i;
    json_t *row, *value;
    const char *key;
    json_array_foreach(rows, i, row) {
        fputs(name, output);
        json_object_foreach(row, key, value) {
            fprintf(output, "\t%s=", key);
            print_value(output, value);
        }
        fputc('\n', output);
    }
}

bool results_print(FILE *output, const char *file) {
    json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, NULL), *value;
    const char *key;
    const bool good = json_is_object(root);
    json_object_foreach(root, key,
                        value) if (json_is_array(value) && json_is_object(json_array_get(value, 0))) {
        print_rows(output, key, value);
    }
    else {
        fprintf(output, "%s\t", key);
        print_value(output, value);
        fputc('\n', output);
    }
    json_decref(root);
    return good;
}
