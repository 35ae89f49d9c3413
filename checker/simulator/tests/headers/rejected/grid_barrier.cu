/* expect: does not offer a barrier of the whole grid (cooperative launches) */
#include <cooperative_groups.h>
__global__ void kernel() {
    cooperative_groups::this_grid().sync();
}
