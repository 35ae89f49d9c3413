/* One running check: who asked for it, the runner it uses, its memory, its random numbers, its message. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "check/check.h"
#include "check/verdict.h"

struct runner;
struct symbols;

/* What holds for a whole run of the checker. */
struct session {
    const struct suite *suite;
    const char *implementation; /* "exercise", "solution", "solution/<variant>", "submission" */
    const char *submission;     /* the shared object */
    const char *source;         /* the folder of its sources, as the user named it */
    const char *runner;         /* the program */
    const char *pattern;        /* ids to run, a glob; null: all */
    const char *output;         /* check.json; null: none */
    uint64_t seed;
    uint64_t seeds;  /* how many, counted up from seed; 0: one */
    double patience; /* factor on every time limit */
    int jobs;
    bool verbose;
    bool stop; /* at the first check that fails, beginning with the cheapest */
    const char
        *tools; /* compute-sanitizer's, under which each check is run: "memcheck,racecheck"; null: none */
    const char *unavailable; /* why nothing can be graded here; null: it can */
    struct ready ready;      /* what the runner said of itself */
    const char *keep;        /* a folder for the cases and where the check failed (kept.h); null: none */
    unsigned watch;          /* enum watch: of every case */
    void (*watched)(void *state, const struct outcome *outcome); /* is shown every outcome; null: no one is */
    void *watched_state;
};

/* Where a check failed (kept.h). kind: null where nothing is known. */
struct pointed {
    const char *kind;
    int number, index;
    size_t offset;
};

struct context {
    const struct session *session;
    const struct check *check;
    struct runner *runner;
    struct symbols *symbols;
    struct block *memory; /* everything handed out, to be freed at the end */
    uint64_t random;
    bool judged; /* by check_fail and its kin */
    enum status status;
    const char *found, *where, *means, *lesson, *section, *cause, *notes; /* "" when not said */
    int cases;                                                            /* that were sent */
    const struct outcome *last;                                           /* what came of the last of them */
    struct pointed pointed;
    bool means_findings; /* what it means is known, whatever a finding's kind usually means */
    struct {
        uint32_t kind;
        const char *note; /* what was found, and where; "" for none */
    } kept_back;          /* the first warning that is told only where numbers are wrong */
};

void context_begin(struct context *context, const struct session *session, const struct check *check,
                   struct runner *runner, struct symbols *symbols);

/* Frees what was handed out. */
void context_end(struct context *context);

/* Ends the check with this verdict. Everything but found may be said before. */
_Noreturn void check_end(struct context *context, enum status status, const char *found);

/* A case begins: what was said of the place and the meaning of a failure was said of the one before. */
void context_forget_case(struct context *context);

#endif
