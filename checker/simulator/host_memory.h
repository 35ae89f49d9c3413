/* Memory of the host that the device process and the host process both have, at the same addresses: what is pinned, and the
 * buffers of a case that lie on the host. */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_MEMORY_BYTES ((size_t)60 << 20)

extern uintptr_t host_memory_start; /* 0: not there yet */
extern int host_memory_descriptor;

void host_memory_open(void);
void *host_memory_take(size_t bytes); /* NULL: there is not so much */
void host_memory_give(void *start);
bool host_memory_holds(uintptr_t address);

#endif
