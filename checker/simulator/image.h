/* Where a submission keeps the variables that CUDA puts into memory spaces of their own.
 *
 * Compiled into every submission by image.c, and read by the simulator, which looks the object up by its
 * name, sim_submission_image. */
#ifndef SIMULATOR_IMAGE_H
#define SIMULATOR_IMAGE_H

/* The bounds of sections of the loaded submission, stop excluded. Both are NULL for a section that it does
 * not have. */
struct sim_image {
    char *shared_start, *shared_stop;     /* sim_shared: static __shared__ variables */
    char *device_start, *device_stop;     /* sim_device: __device__ variables, unless they are const */
    char *constant_start, *constant_stop; /* sim_constant: __constant__ variables, likewise */
};

#endif
