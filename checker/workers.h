/* A pool of workers, each with a runner of its own, takes the checks from a shared counter. */
#ifndef WORKERS_H
#define WORKERS_H

#include "context.h"

/* Called in the parent when a check begins (verdict null) and when its verdict is there. */
struct progress {
    void *state;
    void (*tell)(void *state, size_t check, const struct verdict *verdict);
};

/* Runs the checks with wanted[i] and replaces their verdicts[i]. A worker that dies costs its check only.
 * Returns NULL, or a sentence (from malloc) that says why no worker could be started. */
char *workers_run(const struct session *session, const bool *wanted, struct verdict *verdicts,
                  const struct progress *progress);

#endif
