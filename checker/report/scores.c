/* make list: the last full check of each exercise, and the best. */
#include "base/memory.h"
#include "check/check.h"
#include "report/results.h"
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

/* What a file says; the texts are to be freed. */
struct score {
    char *status, *whose;
    int points, most;
};

/* Whether the file is there; *score has no status where it is damaged. */
static bool read_score(const char *path, struct score *score) {
    json_error_t error;
    const char *status, *whose;
    *score = (struct score){0};
    if (access(path, F_OK) != 0)
        return false;
    json_t *root = json_load_file(path, 0, &error);
    if (json_unpack(root, "{ss ss si si}", "status", &status, "implementation", &whose, "score",
                    &score->points, "max_score", &score->most) == 0) {
        score->status = plain_copy(status);
        score->whose = plain_copy(whose);
    }
    json_decref(root);
    return true;
}

static void score_free(struct score *score) {
    free(score->status);
    free(score->whose);
}

static void print_score(FILE *output, const char *folder, const char *exercise, const struct score *score) {
    const bool own = strcmp(score->whose, "exercise") == 0;
    char *path = format_text("%s/%s/best.json", folder, exercise);
    struct score best;
    read_score(path, &best);
    fprintf(output, "  %-16s %3d of %d points, %s%s%s", exercise, score->points, score->most, score->status,
            own ? "" : ", not your files but: ", own ? "" : score->whose);
    if (own && best.status && best.points > score->points)
        fprintf(output, "; your best: %d", best.points);
    fputc('\n', output);
    score_free(&best);
    free(path);
}

/* The last full check of the student's own files; where there is none, what was checked last. */
static void list_one(FILE *output, const char *folder, const char *exercise) {
    char *last = format_text("%s/%s/last.json", folder, exercise),
         *other = format_text("%s/%s/check.json", folder, exercise);
    struct score score;
    const char *path = access(last, F_OK) == 0 ? last : other;
    if (!read_score(path, &score))
        fprintf(output, "  %-16s not checked yet: make check EX=%s\n", exercise, exercise);
    else if (score.status == NULL)
        fprintf(output, "  %-16s %s is damaged; make check EX=%s writes it anew.\n", exercise, path,
                exercise);
    else
        print_score(output, folder, exercise, &score);
    score_free(&score);
    free(last);
    free(other);
}

void results_list(FILE *output, const char *folder) {
    for (size_t i = 0; all_suites[i]; i++)
        list_one(output, folder, all_suites[i]->exercise);
}
