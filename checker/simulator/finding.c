/* From a broken rule to a record: where it was, and that it is said once.
 *
 * One mistake in a kernel is made by thousands of threads. A finding is sent when none of its kind has been
 * sent from the same instruction about the same buffer, and a case says a limited number in all. */
#include "simulator.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SENT_MAX = 40 };

static struct {
    uint32_t kind, warning;
    uint64_t pc;
    char buffer[64];
} sent[SENT_MAX];
static unsigned sent_count, faults;

void finding_reset(void) {
    sent_count = faults = 0;
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
    if (!finding->warning)
        faults++;
    for (unsigned i = 0; i < sent_count; i++)
        if (sent[i].kind == finding->kind && sent[i].warning == finding->warning &&
            sent[i].pc == finding->at.pc && !strcmp(sent[i].buffer, finding->buffer))
            return false;
    if (sent_count == SENT_MAX)
        return false;
    sent[sent_count].kind = finding->kind;
    sent[sent_count].warning = finding->warning;
    sent[sent_count].pc = finding->at.pc;
    memcpy(sent[sent_count++].buffer, finding->buffer, sizeof finding->buffer);
    runtime_record(RECORD_FINDING, finding, sizeof *finding);
    return true;
}
