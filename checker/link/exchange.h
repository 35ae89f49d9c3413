/* Sending bytes to a runner and taking its records, with a deadline, whatever the runner does. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "base/memory.h"
#include "link/runner_process.h"
#include <stdbool.h>

enum exchange_end {
    EXCHANGE_DONE,    /* take() said that the answer is complete */
    EXCHANGE_ENDED,   /* the runner ended first; its wait_status says how */
    EXCHANGE_LATE,    /* the deadline passed; it was killed */
    EXCHANGE_FLOODED, /* it has printed without end, and was stopped */
    EXCHANGE_DAMAGED, /* a record made no sense; it was killed */
    EXCHANGE_FORGED,  /* a record was well formed and not the runner's: its seal is wrong; it was killed */
};

enum taken { TAKEN_MORE, TAKEN_LAST, TAKEN_DAMAGED };

/* How many bytes the payload of a record of this header must have is for the reader of records to say: */
struct record_reader {
    void *state;
    struct seal_key key;
    /* Whether such a record may come now; false means damaged. */
    bool (*expected)(void *state, const struct record_header *header);
    enum taken (*take)(void *state, uint32_t type, const void *payload, uint32_t bytes);
};

/* seconds: how long the runner may take. That is processor time, so that a busy machine fails no one; one
 * that uses hardly any waits for something, and has as much time by the clock. */
enum exchange_end exchange(struct runner *runner, const void *message, size_t bytes, double seconds,
                           const struct record_reader *reader);

/* Starts the runner where needed and waits until it has loaded the submission. Returns true when it is ready
 * for cases. Else *reason is a sentence from malloc, *end says how the wait ended (EXCHANGE_DONE: the
 * submission was refused by the loader), and the runner is stopped. */
bool runner_ready(struct runner *runner, double seconds, struct ready *ready, enum exchange_end *end,
                  char **reason);

#endif
