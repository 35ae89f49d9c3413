/* make list: what check.json said last of each exercise. */
#include "memory.h"
#include "results.h"
#include "suite.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file may come from anywhere: what is shown of it must not steer the terminal. */
static char *plain_copy(const char *text) {
    char *copy = copy_text(text);
    make_plain(copy);
    return copy;
}

static void list_one(FILE *output, const char *folder, const char *exercise) {
    char *path = format_text("%s/%s/check.json", folder, exercise);
    json_error_t error;
    const char *status, *implementation;
    int score, max_score;
    json_t *root = json_load_file(path, 0, &error);
    if (access(path, F_OK) != 0)
        fprintf(output, "  %-16s not checked yet: make check EX=%s\n", exercise, exercise);
    else if (json_unpack(root, "{ss ss si si}", "status", &status, "implementation", &implementation, "score",
                         &score, "max_score", &max_score) != 0)
        fprintf(output, "  %-16s %s is damaged; make check EX=%s writes it anew.\n", exercise, path,
                exercise);
    else {
        char *plain_status = plain_copy(status), *whose = plain_copy(implementation);
        const bool own = strcmp(whose, "exercise") == 0;
        fprintf(output, "  %-16s %3d of %d points, %s%s%s\n", exercise, score, max_score, plain_status,
                own ? "" : ", not your files but: ", own ? "" : whose);
        free(plain_status);
        free(whose);
    }
    json_decref(root);
    free(path);
}

void results_list(FILE *output, const char *folder) {
    for (size_t i = 0; all_suites[i]; i++)
        list_one(output, folder, all_suites[i]->exercise);
}
