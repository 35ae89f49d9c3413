/* A check performed with one seed after another: each must pass. */
#ifndef SEEDS_H
#define SEEDS_H

#include "grading/run_check.h"

/* As watched_perform() with the seeds session->seed and those after it, session->seeds in all (0: one). The
 * verdict is the first that is no pass, and names its seed; else the last, with the notes of the one that had
 * most to note. */
struct verdict seeds_perform(const struct session *session, const struct check *check, struct runner *runner,
                             struct symbols *symbols);

#endif
