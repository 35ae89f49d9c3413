/* One of clang's undefined-behaviour checks, with our own words: an index outside an array whose size is known. */
#include "undefined.h"
#include "simulator.h"

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
