/* What every header of the simulator asks of the compiler: on which side a small function is, how it is inlined,
 * and how a name that CUDA has and the simulator has not turns into a compile error that says what to do.
 *
 * The functions leave no trace in the debug information: instructions and calls that come from one carry the line
 * of the student's call, which is the line a report has to name. */
#ifndef SIM_COMPILER_H
#define SIM_COMPILER_H

/* clang reads a .cu file as CUDA (-x cuda), host and device side each for itself; C sees the host's calls alone. */
#ifdef __CUDA__
#define SIM_ON_HOST __attribute__((host))
#define SIM_ON_DEVICE __attribute__((device))
#else
#define SIM_ON_HOST
#define SIM_ON_DEVICE
#endif

#ifdef __clang__
#define SIM_UNTRACED inline __attribute__((always_inline, nodebug))
#else
#define SIM_UNTRACED inline __attribute__((always_inline))
#endif

/* For both sides, for kernels, for the host. */
#define SIM_INLINE SIM_ON_HOST SIM_ON_DEVICE SIM_UNTRACED
#define SIM_DEVICE SIM_ON_DEVICE SIM_UNTRACED
#define SIM_HOST SIM_ON_HOST SIM_UNTRACED

#ifdef __clang__
#define SIM_ABSENT(what)                                                                                     \
    __attribute__((                                                                                          \
        unavailable("the CPU simulator does not offer " what ": check on a GPU with RUNTIME=cuda")))
#else
#define SIM_ABSENT(what)
#endif

#endif
