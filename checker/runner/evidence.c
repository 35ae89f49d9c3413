/* The simulator and the host runner see every access: nothing has to be proved by running a call again. */
#include "evidence.h"

void evidence_of_case(const struct running_case *running, const struct step *steps) {
    (void)running, (void)steps;
}

void evidence_end(void) {}
