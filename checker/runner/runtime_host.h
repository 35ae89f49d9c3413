/* What sanitizer_host.c asks of runtime_host.c. */
#ifndef RUNTIME_HOST_H
#define RUNTIME_HOST_H

#include "link/runtime.h"
#include <stdbool.h>

bool host_is_submission(uintptr_t pc);

/* pc when it lies in the submission, else the first return address in it, from this stack frame outward; 0:
 * none. */
uintptr_t host_caller(uintptr_t pc, const uintptr_t *frame);

/* Names the buffer that the address lies in or near. */
void host_name_place(struct finding *finding, uintptr_t address);

/* sanitizer_host.c: their own reports, which are long and in other words, go nowhere. */
void sanitizers_be_quiet(void);

#endif
