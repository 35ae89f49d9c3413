/* Launches for more rows than memory holds (see launchable.h). */
#include "launchable.h"

void check_launchable(struct context *context, const struct outcome *outcome, const char *what) {
    for (size_t i = 0; i < outcome->finding_count; i++) {
        const struct finding *finding = &outcome->findings[i];
        if (finding->warning || (finding->kind != FINDING_BAD_LAUNCH && finding->kind != FINDING_UNDEFINED))
            continue;
        locate(context, "%s", what);
        check_clean_except(context, outcome, FINDING_UNCHECKED_ERROR);
    }
}

int far_buffer(struct context *context, struct test_case *test_case, const char *name, size_t bytes) {
    const size_t gap = (size_t)5 << 30;
    if (!accesses_are_seen(context))
        return case_buffer(test_case, name, PLACE_MANAGED, 0, bytes, NULL, 0);
    case_buffer(test_case, "nothing", PLACE_DEVICE, 0, gap, NULL, 0);
    return case_buffer(test_case, name, PLACE_DEVICE, 0, bytes, NULL, 0);
}
