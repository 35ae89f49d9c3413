/* The catalogue of findings: for each kind, what it usually means and where to read about it. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "link/protocol.h"

struct explanation {
    const char *name;  /* "out of bounds": a heading of docs/findings.md */
    const char *found; /* a sentence for when the runtime gave none */
    const char *means; /* what it usually means */
};

enum { FINDING_KINDS = FINDING_SHARED_UNINITIALISED + 1 };

/* Where every finding is explained at length, under its name. */
extern const char findings_lesson[];

const struct explanation *explanation_of(uint32_t kind);

#endif
