/* What launches.c wants of the process that it is linked into. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* A launch, as the host side asks for it. */
struct asked_launch {
    const void *stub;
    const cudaLaunchConfig_t *wanted;
    void **arguments;
    const void *pc;      /* where it is asked for */
    bool by_stub;        /* by <<<...>>>, which tells nobody whether it failed */
    cudaError_t refused; /* what is wrong with it, as far as that shows here */
};

cudaError_t launch_asked(const struct asked_launch *asked);

#endif
