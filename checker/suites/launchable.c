/* Launches for more rows than memory holds (see launchable.h). */
#include "launchable.h"

#include <string.h>

bool launchable_is_seen(const struct context *context) {
    return strcmp(check_runtime(context), "simulator") == 0;
}

void check_launchable(struct context *context, const struct outcome *outcome, const char *what) {
    for (size_t i = 0; i < outcome->finding_count; i++) {
        const struct finding *finding = &outcome->findings[i];
        if (finding->warning || (finding->kind != FINDING_BAD_LAUNCH && finding->kind != FINDING_UNDEFINED))
            continue;
        locate(context, "%s", what);
        check_clean_except(context, outcome, FINDING_UNCHECKED_ERROR);
    }
}
