/* Counts what a record says, and prints it as Markdown. */
#include "table.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A column of the table of operators: mutants with this outcome (null: all). */
static const struct {
    const char *title, *outcome;
} COLUMNS[] = {{"made", NULL},
               {"did not compile", "not_compiled"},
               {"found", "killed"},
               {"same code", "same_code"},
               {"survived", "survived"}};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static const char *field(const json_t *mutant, const char *name) {
    const char *text = json_string_value(json_object_get(mutant, name));
    return text ? text : "";
}

/* Adds one to counts[row][column]. */
static void count_one(json_t *counts, const char *row, size_t column) {
    json_t *numbers = json_object_get(counts, row);
    if (!numbers) {
        numbers = json_array();
        for (size_t i = 0; i < COLUMN_COUNT; i++)
            json_array_append_new(numbers, json_integer(0));
        json_object_set_new(counts, row, numbers);
    }
    json_t *number = json_array_get(numbers, column);
    json_integer_set(number, json_integer_value(number) + 1);
}

static void count_mutant(json_t *counts, const char *row, const json_t *mutant) {
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (!COLUMNS[i].outcome || strcmp(COLUMNS[i].outcome, field(mutant, "outcome")) == 0)
            count_one(counts, row, i);
}

static void print_row(const char *name, const json_t *numbers) {
    printf("| %s |", name);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        printf(" %lld |", (long long)json_integer_value(json_array_get(numbers, i)));
    putchar('\n');
}

static void print_operators(const json_t *mutants) {
    json_t *counts = json_object(), *numbers;
    const char *name;
    size_t i;
    json_t *mutant;
    json_array_foreach(mutants, i, mutant) {
        count_mutant(counts, field(mutant, "operator"), mutant);
        count_mutant(counts, "all", mutant);
    }
    printf("| operator |");
    for (i = 0; i < COLUMN_COUNT; i++)
        printf(" %s |", COLUMNS[i].title);
    printf("\n| --- |");
    for (i = 0; i < COLUMN_COUNT; i++)
        printf(" ---: |");
    putchar('\n');
    char *sorted = json_dumps(counts, JSON_SORT_KEYS);
    json_t *in_order = json_loads(sorted, 0, NULL); /* jansson keeps the order of insertion */
    json_object_foreach(in_order, name, numbers) {
        if (strcmp(name, "all") != 0)
            print_row(name, numbers);
    }
    print_row("**all**", json_object_get(counts, "all"));
    json_decref(in_order);
    json_decref(counts);
    free(sorted);
}

static void print_checks(const json_t *mutants) {
    json_t *counts = json_object(), *count, *mutant;
    const char *check;
    size_t i;
    json_array_foreach(mutants, i, mutant) {
        if (strcmp(field(mutant, "outcome"), "killed") != 0)
            continue;
        const json_int_t before = json_integer_value(json_object_get(counts, field(mutant, "check")));
        json_object_set_new(counts, field(mutant, "check"), json_integer(before + 1));
    }
    char *sorted = json_dumps(counts, JSON_SORT_KEYS);
    json_t *in_order = json_loads(sorted, 0, NULL);
    bool first = true;
    json_object_foreach(in_order, check, count) {
        printf("%s`%s` %lld", first ? "" : ", ", check, (long long)json_integer_value(count));
        first = false;
    }
    puts(".");
    json_decref(in_order);
    json_decref(counts);
    free(sorted);
}

static void print_survivors(const json_t *mutants) {
    const json_t *mutant;
    size_t i;
    const char *last = "";
    json_array_foreach(mutants, i, mutant) {
        if (strcmp(field(mutant, "outcome"), "survived") != 0)
            continue;
        if (strcmp(last, field(mutant, "reason")) != 0 || !*last)
            printf("\n%s\n\n",
                   *field(mutant, "reason") ? field(mutant, "reason") : "**No reason is known.**");
        last = field(mutant, "reason");
        printf("    %s:%lld %s\n    - %s\n    + %s\n", field(mutant, "file"),
               (long long)json_integer_value(json_object_get(mutant, "line")), field(mutant, "operator"),
               field(mutant, "before"), field(mutant, "after"));
    }
}

int table_print(char **paths, size_t count) {
    for (size_t i = 0; i < count; i++) {
        json_error_t error;
        json_t *record = json_load_file(paths[i], 0, &error);
        if (!record) {
            fprintf(stderr, "mutants: %s: %s.\n", paths[i], error.text);
            return 2;
        }
        const json_t *mutants = json_object_get(record, "mutants");
        const long long step = json_integer_value(json_object_get(record, "step"));
        printf("## %s\n\n", field(record, "exercise"));
        if (step > 1)
            printf("A sample: one mutant in %lld.\n\n", step);
        print_operators(mutants);
        printf("\nThe first check to find a mutant, and how many it found: ");
        print_checks(mutants);
        puts("\n### Survivors");
        print_survivors(mutants);
        putchar('\n');
        json_decref(record);
    }
    return 0;
}
