/* A pool of workers, each with a runner of its own, takes the checks from a shared counter. */
#ifndef WORKERS_H
#define WORKERS_H

#include "check/context.h"

/* Called in the parent when a check begins (verdict null) and when its verdict is there. */
struct progress {
    void *state;
    void (*tell)(void *state, size_t check, const struct verdict *verdict);
};

/* Runs the checks with wanted[i] and replaces their verdicts[i]. A worker that dies costs its check only.
 * Ends early, with the verdicts that there are, once workers_stop() was called. Returns NULL, or a sentence
 * (from malloc) that says why no worker could be started. */
char *workers_run(const struct session *session, const bool *wanted, struct verdict *verdicts,
                  const struct progress *progress);

/* Ends workers_run() soon: no further check is begun, and those that run are ended without a verdict. May be
 * called from a signal handler. */
void workers_stop(void);
bool workers_stopped(void);

#endif
