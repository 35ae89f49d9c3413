/* make list: one line for each exercise that is named on the command line, with the outcome of its last
 * check, read from results/local/<exercise>/check.json. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The text of a key, or "" where it is absent. */
static const char *text(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* "your files", "the solution", "the solution warp", "a submission". */
static void print_whose(const char *implementation) {
    if (strcmp(implementation, "exercise") == 0)
        printf("your files");
    else if (strcmp(implementation, "solution") == 0)
        printf("the solution");
    else if (strncmp(implementation, "solution/", 9) == 0)
        printf("the solution %s", implementation + 9);
    else
        printf("a submission");
}

/* The first stage of the report with a check that did not pass, or NULL. */
static const char *next_stage(const json_t *checks) {
    size_t index;
    json_t *check;
    json_array_foreach(checks, index, check) {
        const char *status = text(check, "status");
        if (strcmp(status, "pass") != 0 && strcmp(status, "skip") != 0)
            return text(check, "stage");
    }
    return NULL;
}

static void print_exercise(const char *exercise) {
    char path[512];
    snprintf(path, sizeof path, "results/local/%s/check.json", exercise);
    json_t *result = json_load_file(path, 0, NULL);
    printf("  %-16s ", exercise);
    if (!result) {
        printf("not checked yet: make check EX=%s\n", exercise);
        return;
    }
    printf("%-10s %4g of %g points  (", text(result, "status"),
           json_number_value(json_object_get(result, "score")),
           json_number_value(json_object_get(result, "max_score")));
    print_whose(text(result, "implementation"));
    const char *stage = next_stage(json_object_get(result, "checks"));
    if (stage)
        printf("; next: %s", stage);
    printf(")\n");
    json_decref(result);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        print_exercise(argv[i]);
    return 0;
}
