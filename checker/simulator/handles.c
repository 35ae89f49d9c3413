/* Streams and events that the calls of a submission leave behind.
 *
 * One that is made once and kept for all calls is a design. One more with each call is a leak, which only
 * repetition shows: so the makers, the lines of the submission that create streams and events, are remembered
 * for the whole process. One is told where every call of a case, and the case has many, left more than it
 * found, and more are left by now than anybody keeps. */
#include "simulator.h"

enum { MAX_MAKERS = 16, MANY_CALLS = 8, KEPT_AT_MOST = 64 };

static struct maker {
    const void *pc; /* of the call in the submission */
    const char *call;
    unsigned left;        /* made here and not destroyed */
    unsigned left_before; /* when the call in progress began */
    unsigned calls;       /* of this case that left more than they found */
} makers[MAX_MAKERS];

static int maker_count;
static unsigned calls;

int handle_made(const char *call, const void *pc) {
    if (!runtime_in_call())
        return -1;
    int i = 0;
    while (i < maker_count && makers[i].pc != pc)
        i++;
    if (i == MAX_MAKERS)
        return -1;
    if (i == maker_count)
        makers[maker_count++] = (struct maker){.pc = pc, .call = call};
    makers[i].left++;
    return i;
}

void handle_destroyed(int maker) {
    if (maker >= 0)
        makers[maker].left--;
}

void handles_case_begin(void) {
    calls = 0;
    for (int i = 0; i < maker_count; i++) {
        makers[i].calls = 0;
        makers[i].left_before = makers[i].left;
    }
}

void handles_call_end(void) {
    calls++;
    for (int i = 0; i < maker_count; i++) {
        makers[i].calls += makers[i].left > makers[i].left_before;
        makers[i].left_before = makers[i].left;
    }
}

void handles_report(void) {
    for (int i = 0; i < maker_count; i++) {
        const struct maker *maker = &makers[i];
        if (calls < MANY_CALLS || maker->calls < calls || maker->left <= KEPT_AT_MOST)
            continue;
        struct finding finding = finding_new(FINDING_LEAK, maker->pc);
        finding_text(&finding, "each call leaves behind what %s made: %u of them are there by now",
                     maker->call, maker->left);
        finding_send(&finding);
    }
}
