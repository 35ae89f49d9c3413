/* Rules for the CPU while a call of the submission runs. What y holds is the kernels' work: so a call copies
 * nothing from the device to the host and nothing from the host to a buffer of its caller, queues no function
 * of the host, and leaves managed memory to the kernels. Without these a host never learns a value of x, and
 * a softmax that the CPU has computed cannot be right. */
#include "simulator.h"
#include <stdio.h>
#include <string.h>

static const char *name_of(uintptr_t address) {
    const struct region *region = memory_find(address);
    if (!region)
        region = variable_find(address);
    return region ? region->name : "device memory";
}

static void report(enum finding_kind kind, const void *pc, const char *text) {
    struct finding finding = finding_new(kind, pc);
    finding_text(&finding, "%s", text);
    finding_send(&finding);
}

void host_work_copy(uintptr_t to, uintptr_t from, size_t bytes, bool to_device, bool from_device,
                    const void *pc) {
    char text[TEXT_BYTES];
    if (!runtime_in_call())
        return;
    const struct region *target = memory_find(to);
    if (from_device && !to_device) {
        snprintf(text, sizeof text,
                 "the call copies %zu bytes of %s to the host: what they say is for kernels to use", bytes,
                 name_of(from));
        report(FINDING_HOST_WORK, pc, text);
    } else if (!from_device && target && target->buffer >= 0) {
        snprintf(text, sizeof text,
                 "the call copies %zu bytes from the host into %s: what it holds is for kernels to compute",
                 bytes, target->name);
        report(FINDING_HOST_WORK, pc, text);
    }
}

void host_work_function(const void *pc) {
    if (runtime_in_call())
        report(FINDING_HOST_WORK, pc,
               "the call queues a function of the host (cudaLaunchHostFunc): the stages are kernels");
}

void host_work_managed(const struct region *region, const struct access *access) {
    char text[TEXT_BYTES];
    if (!runtime_in_call())
        return;
    snprintf(text, sizeof text, "host code %s %s, managed memory, during the call: that is for kernels to do",
             access->kind == ACCESS_READ ? "reads" : "writes", region->name);
    report(FINDING_HOST_WORK, access->pc, text);
}
