/* One of clang's undefined-behaviour checks, with our own words: an index outside an array whose size is known. The
 * structures are those that the compiler passes (LLVM, compiler-rt/lib/ubsan). */
#include "simulator.h"

struct source_location {
    const char *file;
    uint32_t line, column;
};

struct type_descriptor {
    uint16_t kind, info;
    char name[];
};

struct out_of_bounds {
    struct source_location location;
    const struct type_descriptor *array, *index;
};

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *data, uintptr_t index) {
    struct finding finding = finding_new(FINDING_SHARED_OUT_OF_BOUNDS, __builtin_return_address(0));
    finding_text(&finding, "index %lld of an array of type %s", (long long)(intptr_t)index,
                 data->array->name);
    finding_send(&finding);
    if (!sim_current)
        return;
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}
