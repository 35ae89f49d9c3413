/* What fences and atomics order, inside a block and between blocks. The running thread acquires when it comes to a word by an
 * atomic operation or a volatile load, and releases by an atomic operation or a volatile store. */
#ifndef FENCE_ORDER_H
#define FENCE_ORDER_H

#include "simulator.h"

uint32_t fence_count(void);
bool fence_done(void); /* has the running thread passed a fence in this block? */
void fence_order_launch(void);
void fence_order_block(void);
void fence_order_acquire(uintptr_t address);
void fence_order_release(uintptr_t address);
bool fence_order_before(const struct mark *mark); /* of a thread of the running block */
void grid_order_launch(void);
void grid_order_block(void);
void grid_order_acquire(uintptr_t address);
void grid_order_release(uintptr_t address);
bool grid_order_before(const struct mark *mark); /* of another block of this launch */

#endif
