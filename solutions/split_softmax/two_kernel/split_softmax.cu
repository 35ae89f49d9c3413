/* split_softmax in two kernels: the merge has none of its own. The row's states are few (32 for 131072 columns in chunks of
 * 4096) and lie in the L2: each warp of the second kernel reads them all and merges them itself, which is quicker than to
 * launch a kernel that tells it.
 *
 *   x    | chunk 0 | chunk 1 | ... | chunk 31 |    partials, as in wide_loads
 *             |         |               |
 *         (max, sum) (max, sum)  ... (max, sum)    in scratch memory
 *             +---------+------ ... -----+
 *             |         |               |          every warp reads all of them
 *           merge     merge           merge
 *             |         |               |
 *   y    | chunk 0 | chunk 1 | ... | chunk 31 |    x is read a second time
 *
 * The second kernel starts while the first one ends, and loads its x before it waits for the states: see
 * dependent.cuh. The stages of the contract are those of wide_loads. */
#include "two_kernel.h"

#include "stages.cuh"

#include "merge_and_normalize.cuh"
