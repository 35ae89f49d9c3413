/* What every header of the simulator asks of the compiler: how its small functions are inlined, and how a
 * name that CUDA has and the simulator has not turns into a compile error that says what to do.
 *
 * SIM_INLINE leaves no trace of a header's function in the debug information: instructions and calls that
 * come from it carry the line of the student's call, which is the line a report has to name. */
#ifndef SIM_COMPILER_H
#define SIM_COMPILER_H

#ifdef __clang__
#define SIM_INLINE inline __attribute__((always_inline, nodebug))
#else
#define SIM_INLINE inline __attribute__((always_inline))
#endif

#ifdef __clang__
#define SIM_ABSENT(what)                                                                                     \
    __attribute__((                                                                                          \
        unavailable("the CPU simulator does not offer " what ": check on a GPU with RUNTIME=cuda")))
#else
#define SIM_ABSENT(what)
#endif

#endif
