/* make list: what check.json said last of each exercise. */
#include "memory.h"
#include "results.h"
#include "suite.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void list_one(const char *folder, const char *exercise) {
    char *path = format_text("%s/%s/check.json", folder, exercise);
    json_error_t error;
    const char *status, *implementation;
    int score, max_score;
    json_t *root = json_load_file(path, 0, &error);
    if (access(path, F_OK) != 0)
        printf("  %-16s not checked yet: make check EX=%s\n", exercise, exercise);
    else if (json_unpack(root, "{ss ss si si}", "status", &status, "implementation", &implementation, "score",
                         &score, "max_score", &max_score) != 0)
        printf("  %-16s %s is damaged; make check EX=%s writes it anew.\n", exercise, path, exercise);
    else
        printf("  %-16s %3d of %d points, %s%s%s\n", exercise, score, max_score, status,
               strcmp(implementation, "exercise") == 0 ? "" : ", not your files but: ",
               strcmp(implementation, "exercise") == 0 ? "" : implementation);
    json_decref(root);
    free(path);
}

void results_list(const char *folder) {
    for (size_t i = 0; all_suites[i]; i++)
        list_one(folder, all_suites[i]->exercise);
}
