/* Linked into every submission: the bounds of its sections, which the linker defines as __start_NAME and
 * __stop_NAME. They are weak, because a submission need not have every section, and hidden, because each
 * submission means its own. */
#include "image.h"

#define BOUNDS(section)                                                                                      \
    extern char __start_##section[] __attribute__((weak, visibility("hidden")));                             \
    extern char __stop_##section[] __attribute__((weak, visibility("hidden")))

BOUNDS(sim_shared);
BOUNDS(sim_device);
BOUNDS(sim_constant);

extern const struct sim_image sim_submission_image;

const struct sim_image sim_submission_image = {
    .shared_start = __start_sim_shared,
    .shared_stop = __stop_sim_shared,
    .device_start = __start_sim_device,
    .device_stop = __stop_sim_device,
    .constant_start = __start_sim_constant,
    .constant_stop = __stop_sim_constant,
};
