/* threadIdx, blockIdx, blockDim, gridDim and warpSize.
 *
 * They are objects and not macros, because cudaLaunchConfig_t has members of the same names. Their x, y and z
 * are properties (-fdeclspec): reading one reads the constant that belongs to the running thread.
 * They convert to uint3, and to dim3 by a constructor of its own. */
#ifndef SIM_BUILTIN_VARIABLES_H
#define SIM_BUILTIN_VARIABLES_H

#include "../vector_types.h"
#include "device.h"

namespace sim {

#define SIM_PLACE(type, value_x, value_y, value_z)                                                           \
    struct type {                                                                                            \
        static SIM_DEVICE unsigned get_x() { return value_x; }                                               \
        static SIM_DEVICE unsigned get_y() { return value_y; }                                               \
        static SIM_DEVICE unsigned get_z() { return value_z; }                                               \
        __declspec(property(get = get_x)) unsigned x;                                                        \
        __declspec(property(get = get_y)) unsigned y;                                                        \
        __declspec(property(get = get_z)) unsigned z;                                                        \
        typedef int sim_place;                                                                               \
        SIM_DEVICE operator uint3() const { return {get_x(), get_y(), get_z()}; }                            \
    }

SIM_PLACE(thread_index, sim_thread_x, sim_thread_y, sim_thread_z);
SIM_PLACE(block_index, sim_block_x, sim_block_y, sim_block_z);
SIM_PLACE(block_dimensions, sim_block_dim_x, sim_block_dim_y, sim_block_dim_z);
SIM_PLACE(grid_dimensions, sim_grid_dim_x, sim_grid_dim_y, sim_grid_dim_z);

#undef SIM_PLACE

} // namespace sim

static constexpr sim::thread_index threadIdx{};
static constexpr sim::block_index blockIdx{};
static constexpr sim::block_dimensions blockDim{};
static constexpr sim::grid_dimensions gridDim{};
static constexpr int warpSize = 32;

#endif
