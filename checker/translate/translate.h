/* From CUDA C to C++ that the simulator's headers understand.
 *
 *   kernel<T><<<grid, block, shared, stream>>>(a, b)
 *       becomes sim::launch("kernel", sim::configuration(grid, block, shared, stream), a lambda that calls
 *       kernel<T>, a, b): see launches.c
 *   extern __shared__ T name[];      becomes  extern T name[] __asm__("sim_dynamic_shared");
 *   static __shared__ T name[4];     loses its static, which the __shared__ macro brings along
 *   __device__ T name = value;       becomes  __sim_device_variable__ T name = value;
 *   __constant__ const T name;       goes to a section of its own: see variables.c
 *
 * All else stays as it is, byte for byte, and every token stays on its line, except that a kernel's name
 * moves to the line of its `>>>`. The first line of the result is `#line 1 "path"`. */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

struct diagnostic {
    bool error;       /* else a warning */
    int line, column; /* from 1; a column counts bytes */
    const char *id;   /* of a warning: "launch-without-stream", "threadfence-grid-barrier" ... */
    char text[256];   /* one sentence or two */
};

struct diagnostics {
    struct diagnostic *items; /* freed by diagnostics_free */
    size_t count;
};

/* The translated text, followed by a 0, and its size in bytes; freed by the caller. NULL: the text has launch
 * syntax that is not understood, and one of the diagnostics is an error. path is the file's name as the
 * compiler is to report it. diagnostics must be {0} or hold earlier ones. */
char *translate_source(const char *text, size_t length, const char *path, struct diagnostics *diagnostics,
                       size_t *size);

void diagnostics_free(struct diagnostics *diagnostics);

#endif
