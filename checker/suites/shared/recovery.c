/* A call after a failed one. */
#include "recovery.h"

void check_recovered(struct context *context, const struct outcome *outcome, int step, const char *function,
                     const char *where) {
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL || returned->value == 0)
        return;
    locate(context, "%s", where);
    explain(context, "cudaPeekAtLastError() looks at the last error and leaves it where it is: the next call "
                     "finds it, though "
                     "its own launch went well. cudaGetLastError() takes it away.");
    check_fail(context, "%s returned %s for the call after the one that failed, in which nothing went wrong.",
               function, cuda_error_name(context, returned->value));
}
