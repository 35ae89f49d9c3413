/* What each instruction asks of memory, and every access, where a case asks for it (protocol.h, enum watch). */
#ifndef SIMULATOR_WATCH_H
#define SIMULATOR_WATCH_H

#include "simulator.h"

void watch_reset(void);
void watch_access(const struct region *region, const struct access *access);
/* A request of a warp is complete. address: in the first sector that it touches; 0 for shared memory. */
void watch_request(const void *pc, bool write, uintptr_t address, uint32_t lanes, uint32_t sectors,
                   uint32_t conflicts);
void watch_launch_ends(const struct launch *launch);
void watch_send(void);

#endif
