/* expect: does not offer tiles of more than a warp: check on a GPU with RUNTIME=cuda */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel() {
    cg::tiled_partition<64>(cg::this_thread_block()).sync();
}
