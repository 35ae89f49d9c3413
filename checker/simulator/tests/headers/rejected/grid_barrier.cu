/* expect: does not offer a barrier of the whole grid (cooperative launches): check on a GPU with RUNTIME=cuda */
#include <cooperative_groups.h>
__global__ void kernel() { cooperative_groups::this_grid().sync(); }
