/* What has to be shown by running the calls of a case again, once its steps are done and its buffers sent
 * back. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "runner.h"

void evidence_of_case(const struct running_case *running, const struct step *steps);

/* The checker has closed the socket: the runner ends. */
void evidence_end(void);

#endif
