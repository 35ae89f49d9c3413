/* See patience.h. A process that hangs in a call or in a wait still takes its alarm signal. */
#include "patience.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60, NOTHING_MEASURED = 3 };

static char words[512]; /* made beforehand: a signal's handler can do little more than write */

static void give_up(int signal_number) {
    (void)signal_number;
    (void)!write(STDERR_FILENO, words, strlen(words));
    _exit(NOTHING_MEASURED);
}

void patience_begin(const struct bench_case *bench, const struct variant *variant) {
    const struct shape *shape = &bench->workload.shape;
    snprintf(
        words, sizeof words,
        "\n%s on %lld x %lld %s did not come to an end within %d seconds: a call of it does not return, or a "
        "kernel does not end. make check says more. Nothing was written; an earlier record is as it was.\n",
        variant->name, (long long)shape->rows, (long long)shape->cols, element_name(bench->workload.type),
        PATIENCE_SECONDS);
    signal(SIGALRM, give_up);
    alarm(PATIENCE_SECONDS);
}

void patience_over(void) {
    alarm(0);
}
