/* One check, many seeds (see seeds.h). Where one fails, the others are not tried: to meet it again takes its
 * seed alone. */
#include "grading/seeds.h"
#include "base/memory.h"
#include "grading/tools.h"
#include <string.h>

static bool is_bad(enum status status) {
    return status == STATUS_FAIL || status == STATUS_CRASH || status == STATUS_TIMEOUT;
}

static void name_seed(struct verdict *verdict, const struct session *session, const struct check *check) {
    char *where = format_text("with seed %llu (SEED=%llu CASE=%s meets it again)%s%s",
                              (unsigned long long)session->seed, (unsigned long long)session->seed, check->id,
                              verdict->where[0] ? "\n" : "", verdict->where);
    free(verdict->where);
    verdict->where = where;
}

struct verdict seeds_perform(const struct session *session, const struct check *check, struct runner *runner,
                             struct symbols *symbols) {
    struct session one = *session;
    double seconds = 0;
    char *notes = copy_text(""); /* of the seed that had most to note */
    for (uint64_t i = 1;; i++, one.seed++) {
        struct verdict verdict = watched_perform(&one, check, runner, symbols);
        seconds += verdict.seconds;
        if (verdict.status == STATUS_PASS && strlen(verdict.notes) < strlen(notes)) {
            char *fewer = verdict.notes;
            verdict.notes = notes;
            notes = fewer;
        }
        if (verdict.status == STATUS_PASS && i < session->seeds) {
            free(notes);
            notes = copy_text(verdict.notes);
            verdict_free(&verdict);
            continue;
        }
        free(notes);
        if (session->seeds > 1 && is_bad(verdict.status))
            name_seed(&verdict, &one, check);
        verdict.seconds = seconds;
        return verdict;
    }
}
