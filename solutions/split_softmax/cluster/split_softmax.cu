/* split_softmax in one launch: a row is spread over a cluster of up to 16 blocks, each element is read once
 * and written once, and in between it stays in the registers of its thread.
 *
 *   x    | part 0     | part 1     | ...  | part 15    |    16 bytes a load, all on their way together
 *            |            |                   |
 *          block 0      block 1             block 15       a part stays in registers
 *            |            |                   |
 *         (max, sum)   (max, sum)          (max, sum)
 *            +---- each to each: st.async into the shared memory of all blocks of the cluster
 *            |            |                   |
 *          merge        merge               merge          every block merges the 16 states itself
 *            |            |                   |
 *   y    | part 0     | part 1     | ...  | part 15    |
 *
 * st.async writes into a peer's shared memory and counts the bytes on an mbarrier there. So a block waits for
 * the states it needs and for nothing else; the cluster's barrier would make every earlier write visible
 * first. That barrier is used once, for what must be known before the first push: all peers have started, and
 * their mbarriers are set up. It is arrived at early and waited for late, so that the loads hide it.
 *
 * A row is counted in groups of 16 bytes from the last multiple of 16 at or before its start. Its first and its last
 * group may be cut; those are moved by elements. plan_for says how many blocks and threads share a row. */
#include "cluster.h"

/* The three stages, where there are no clusters; then what is told above. */
#include "stages.cuh"

#include "row.cuh"
