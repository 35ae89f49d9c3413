/* One of clang's undefined-behaviour checks, with our own words: an index outside an array whose size is known.
 * build/instrument has told apart which arrays are the thread's own. */
#include "undefined.h"
#include "simulator.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static void report(enum finding_kind kind, const char *array, const struct out_of_bounds *data,
                   uintptr_t index, const void *pc) {
    struct finding finding = finding_new(kind, pc);
    finding_text(&finding, "index %lld of %s of type %s", (long long)(intptr_t)index, array,
                 data->array->name);
    finding_send(&finding);
    if (!sim_current)
        return;
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *data, uintptr_t index) {
    report(FINDING_SHARED_OUT_OF_BOUNDS, "an array", data, index, __builtin_return_address(0));
}

void sim_local_index(const struct out_of_bounds *data, uintptr_t index) {
    report(FINDING_OUT_OF_BOUNDS, "a local array", data, index, __builtin_return_address(0));
}
