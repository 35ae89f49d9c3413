/* What is known of functions that do not end (see late.h). */
#include "check/late.h"
#include "check/case.h"
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

static atomic_size_t *in_check; /* [FUNCTIONS]: index of the check, plus 1 */

void late_open(void) {
    if (in_check == NULL) {
        void *shared = mmap(NULL, FUNCTIONS * sizeof *in_check, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        in_check = shared == MAP_FAILED ? NULL : shared;
    }
    for (int i = 0; i < FUNCTIONS && in_check != NULL; i++)
        atomic_init(&in_check[i], 0);
}

/* Whether a call of function runs part as well: the whole operator is made of its stages. */
static bool runs(uint32_t function, uint32_t part) {
    const struct function_entry *called = function_entry(function), *inside = function_entry(part);
    return function == part || (called->is_operator && strcmp(called->exercise, inside->exercise) == 0);
}

const char *late_known(const struct suite *suite, const struct test_case *test_case) {
    for (uint32_t s = 0; s < test_case->header.steps && in_check != NULL; s++)
        for (uint32_t part = 0; part < FUNCTIONS && test_case->steps[s].kind == STEP_CALL; part++) {
            const size_t check = atomic_load(&in_check[part]);
            if (check > 0 && runs(test_case->steps[s].function, part))
                return suite->checks[check - 1].id;
        }
    return NULL;
}

void late_note(const struct suite *suite, const struct check *check, const struct outcome *outcome,
               int32_t step) {
    const struct test_case *test_case = outcome->test_case;
    for (int32_t s = 0; s < (int32_t)test_case->header.steps && in_check != NULL; s++) {
        const struct step *called = &test_case->steps[s];
        const bool is_this = step >= 0 ? s == step : outcome_return(outcome, s) == NULL;
        if (called->kind != STEP_CALL || called->function >= FUNCTIONS || !is_this)
            continue;
        size_t none = 0;
        atomic_compare_exchange_strong(&in_check[called->function], &none,
                                       (size_t)(check - suite->checks) + 1);
        return;
    }
}
