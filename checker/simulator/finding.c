/* From a broken rule to a record: where it was, and that it is said once.
 *
 * One mistake in a kernel is made by thousands of threads. A finding is sent when none of its kind has been
 * sent from the same instruction about the same buffer, and a case says a limited number in all: so many
 * faults and so many warnings, each for themselves, so that no flood of warnings keeps a fault from being
 * told. */
#include "simulator.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SENT_MAX = 40 };

struct sent {
    uint32_t kind;
    uint64_t pc;
    char buffer[64];
};

static struct {
    struct sent finding[SENT_MAX];
    unsigned count;
} sent[2]; /* faults, warnings */
static unsigned faults;

void finding_reset(void) {
    sent[false].count = sent[true].count = faults = 0;
}

unsigned finding_faults(void) {
    return faults;
}

void finding_thread(struct place_in_code *place, unsigned thread, const unsigned block[3], const void *pc) {
    place->known = 1;
    memcpy(place->block, block, sizeof place->block);
    place->thread[0] = sim_block.thread[thread].x;
    place->thread[1] = sim_block.thread[thread].y;
    place->thread[2] = sim_block.thread[thread].z;
    place->pc = runtime_pc(pc);
}

struct finding finding_new(enum finding_kind kind, const void *pc) {
    struct finding finding = {.kind = kind, .step = runtime_step()};
    if (sim_current) {
        const struct launch *launch = sim_block.launch;
        memcpy(finding.kernel, launch->name, sizeof finding.kernel);
        finding.step = launch->step;
        finding_thread(&finding.at, block_thread_number(sim_current), sim_block.index, pc);
    } else {
        finding.at.pc = runtime_pc(pc);
    }
    return finding;
}

void finding_text(struct finding *finding, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

bool finding_send(const struct finding *finding) {
    const bool warning = finding->warning != 0;
    struct sent *list = sent[warning].finding;
    unsigned *count = &sent[warning].count;
    if (!warning)
        faults++;
    for (unsigned i = 0; i < *count; i++)
        if (list[i].kind == finding->kind && list[i].pc == finding->at.pc &&
            !strcmp(list[i].buffer, finding->buffer))
            return false;
    if (*count == SENT_MAX)
        return false;
    list[*count].kind = finding->kind;
    list[*count].pc = finding->at.pc;
    memcpy(list[(*count)++].buffer, finding->buffer, sizeof finding->buffer);
    runtime_record(RECORD_FINDING, finding, sizeof *finding);
    return true;
}
