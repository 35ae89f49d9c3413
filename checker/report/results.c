/* check.json: computing grade and score, and writing the file atomically. */
#include "report/results.h"
#include "base/memory.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *grade_name(enum grade grade) {
    static const char *const names[] = {"passed", "failed", "incomplete", "unavailable"};
    return names[grade];
}

enum grade grade_of(const struct suite *suite, const struct verdict *verdicts, const bool *wanted) {
    enum grade grade = GRADE_PASSED;
    for (size_t i = 0; i < suite->check_count; i++) {
        const enum status status = verdicts[i].status;
        if (status == STATUS_FAIL || status == STATUS_CRASH || status == STATUS_TIMEOUT)
            return GRADE_FAILED;
        if (status == STATUS_TODO || (wanted[i] && !verdicts[i].finished))
            grade = GRADE_INCOMPLETE;
    }
    return grade;
}

int points_of(const struct check *check, const struct verdict *verdict) {
    return verdict->status == STATUS_PASS ? check->points : 0;
}

int score_of(const struct suite *suite, const struct verdict *verdicts) {
    int score = 0;
    for (size_t i = 0; i < suite->check_count; i++)
        score += points_of(&suite->checks[i], &verdicts[i]);
    return score;
}

bool does_not_apply(const struct verdict *verdict) {
    return verdict->status == STATUS_SKIP && verdict->finished;
}

int max_score_of(const struct suite *suite) {
    int score = 0;
    for (size_t i = 0; i < suite->check_count; i++)
        score += suite->checks[i].points;
    return score;
}

int max_score_here(const struct suite *suite, const struct verdict *verdicts) {
    int applies = 0;
    for (size_t i = 0; i < suite->check_count; i++) {
        applies += does_not_apply(&verdicts[i]) ? 0 : suite->checks[i].points;
    }
    return applies > 0 ? applies : max_score_of(suite);
}

static json_t *check_to_json(const struct check *check, const struct verdict *verdict) {
    char *message = verdict_message(verdict);
    json_t *json = json_pack("{ss ss# ss ss si si ss sf}", "id", check->id, "stage", check->id,
                             (int)strcspn(check->id, "."), "title", check->title, "status",
                             status_name(verdict->status), "points", points_of(check, verdict), "max_points",
                             check->points, "message", message, "seconds", verdict->seconds);
    free(message);
    return json;
}

char *results_write(const struct session *session, const struct verdict *verdicts, enum grade grade) {
    if (session->output == NULL)
        return NULL;
    json_t *checks = json_array();
    for (size_t i = 0; i < session->suite->check_count; i++)
        json_array_append_new(checks, check_to_json(&session->suite->checks[i], &verdicts[i]));
    /* The file knows two runtimes; an exercise without CUDA runs on the CPU like the simulator. */
    const char *runtime = session->ready.runtime == RUNTIME_CUDA ? "cuda" : "simulator";
    json_t *root = json_pack("{ss ss ss ss sI ss si si so}", "exercise", session->suite->exercise,
                             "implementation", session->implementation, "runtime", runtime, "device",
                             session->ready.device, "seed", (json_int_t)session->seed, "status",
                             grade_name(grade), "score", score_of(session->suite, verdicts), "max_score",
                             max_score_here(session->suite, verdicts), "checks", checks);
    char *aside = format_text("%s.%ld", session->output, (long)getpid()), *trouble = NULL;
    if (root == NULL)
        trouble = copy_text("The results could not be put into JSON.");
    else if (json_dump_file(root, aside, JSON_INDENT(2)) != 0 || rename(aside, session->output) != 0) {
        trouble =
            format_text("The results could not be written to %s: %s.", session->output, strerror(errno));
        unlink(aside);
    }
    json_decref(root);
    free(aside);
    return trouble;
}

static bool is_kept(const struct session *session, enum grade grade) {
    return session->output != NULL && strcmp(session->implementation, "exercise") == 0 &&
           session->pattern == NULL && session->seed == 1 && session->seeds <= 1 && session->tools == NULL &&
           !session->stop && grade != GRADE_UNAVAILABLE;
}

/* -1 where there is none that can be read. */
static int score_in(const char *path) {
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *score = json_object_get(root, "score");
    const int points = json_is_integer(score) ? (int)json_integer_value(score) : -1;
    json_decref(root);
    return points;
}

char *results_keep(const struct session *session, const struct verdict *verdicts, enum grade grade) {
    if (!is_kept(session, grade))
        return NULL;
    const char *slash = strrchr(session->output, '/');
    const int folder = slash ? (int)(slash + 1 - session->output) : 0;
    char *last = format_text("%.*slast.json", folder, session->output),
         *best = format_text("%.*sbest.json", folder, session->output);
    struct session kept = *session;
    kept.output = last;
    char *trouble = results_write(&kept, verdicts, grade);
    kept.output = best;
    if (trouble == NULL && score_of(session->suite, verdicts) >= score_in(best))
        trouble = results_write(&kept, verdicts, grade);
    free(last);
    free(best);
    return trouble;
}
