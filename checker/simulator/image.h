/* What the simulator knows of the device side of a submission: a table that build/instrument defines in it, under the
 * name sim_submission_image. Names are mangled, as the host side registers them. */
#ifndef SIMULATOR_IMAGE_H
#define SIMULATOR_IMAGE_H

#include <stdint.h>

enum sim_variable_kind { SIM_IN_SHARED, SIM_IN_DEVICE, SIM_IN_CONSTANT };

struct sim_kernel {
    const char *name;
    void (*run)(void **arguments);  /* the body, for the running thread; arguments[i] points to argument i */
    const uint32_t *argument_bytes; /* of each */
    uint32_t arguments;
    uint32_t shared_bytes; /* static shared memory */
    uint32_t max_threads;  /* __launch_bounds__, or 0 */
};

struct sim_variable {
    const char *name;
    void *start;
    uint64_t bytes;
    uint64_t kind;
};

struct sim_function {
    const void *start;
    uint64_t signature; /* what it takes and gives back, as a number */
};

struct sim_image {
    const struct sim_kernel *kernels;
    const struct sim_variable *variables;
    const struct sim_function *functions; /* that device code may call by address */
    uint64_t kernel_count, variable_count, function_count;
};

#endif
