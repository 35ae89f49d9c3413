/* Launches. The translator turns kernel<<<grid, block, shared, stream>>>(a, b) into sim::launch(), which
 * keeps copies of the arguments until the simulator runs the kernel, once for each thread. */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include <new>
#include <stdlib.h>
#include <type_traits>

#include "../cuda_runtime_api.h"
#include "device.h"

namespace sim {

struct configuration {
    dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
    configuration(dim3 grid, dim3 block, size_t dynamic_shared = 0, cudaStream_t stream = nullptr)
        : grid(grid), block(block), dynamic_shared(dynamic_shared), stream(stream) {}
};

/* The literal 0 or NULL as an argument: it becomes the number or the null pointer that the kernel's parameter
 * is. */
template <class Integer> struct zero_or_null {
    Integer value;
    SIM_INLINE operator Integer() const { return value; }
    template <class Pointee> SIM_INLINE operator Pointee *() const { return nullptr; }
};

template <class Argument, bool fits> struct adapted { typedef Argument type; };
template <> struct adapted<int, false> { typedef zero_or_null<int> type; };
template <> struct adapted<long, false> { typedef zero_or_null<long> type; };

#define SIM_UNSEEN __attribute__((no_sanitize("thread", "alignment", "bounds"), nodebug))

/* One launch's kernel and arguments. The copies are host memory that a kernel may read, so what touches them
 * is not instrumented. */
template <class Body> struct closure {
    static SIM_UNSEEN void run(void *body) { (*static_cast<Body *>(body))(); }
    static SIM_UNSEEN void destroy(void *body) { static_cast<Body *>(body)->~Body(); }
};

struct kept_call {
    void (*run)(void *);
    void *closure;
    void (*destroy)(void *);
};

/* The closure is the simulator's from here on: it destroys it and frees it. */
template <class Kernel, class... Arguments> SIM_UNSEEN kept_call keep(Kernel kernel, Arguments... arguments) {
    auto body = [kernel, arguments...]() SIM_UNSEEN { kernel(arguments...); };
    typedef decltype(body) body_type;
    void *kept = malloc(sizeof(body_type));
    if (!kept)
        abort();
    new (kept) body_type(body);
    return {closure<body_type>::run, kept, closure<body_type>::destroy};
}

#undef SIM_UNSEEN

SIM_INLINE struct sim_launch describe(const char *name, const configuration &where, const void *function) {
    return {{where.grid.x, where.grid.y, where.grid.z},
            {where.block.x, where.block.y, where.block.z},
            where.dynamic_shared,
            where.stream,
            name,
            function};
}

/* What a launch in a student's file becomes. The kernel is a generic lambda around the call, so that
 * templates and overloads resolve as they do in a call. */
template <class Kernel, class... Arguments>
SIM_INLINE void launch(const char *name, const configuration &where, Kernel kernel, Arguments... arguments) {
    constexpr bool fits = std::is_invocable<Kernel, Arguments...>::value;
    static_assert(
        std::is_invocable<Kernel, typename adapted<Arguments, fits>::type...>::value,
        "the arguments of this launch do not fit the kernel's parameters: compare their number and types "
        "with the kernel's declaration");
    const struct sim_launch described = describe(name, where, nullptr);
    const kept_call call = keep(kernel, typename adapted<Arguments, fits>::type{arguments}...);
    sim_launch(&described, call.run, call.closure, call.destroy);
}

} // namespace sim

#endif
