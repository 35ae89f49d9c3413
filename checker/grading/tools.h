/* A check under compute-sanitizer: performed once under each of its tools, whose reports join the verdict. */
#ifndef WATCHED_H
#define WATCHED_H

#include "grading/run_check.h"

/* As perform(), which it is where no tool was asked for (session->tools). With tools, the runner is started
 * anew for each of them and has ended when this returns. */
struct verdict watched_perform(const struct session *session, const struct check *check,
                               struct runner *runner, struct symbols *symbols);

#endif
