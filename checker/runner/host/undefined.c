/* An index outside an array whose size is known, in the host side: as simulator/undefined.c has it for kernels. */
#include "../../simulator/undefined.h"
#include "client.h"
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *data, uintptr_t index) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "index %lld of an array of type %s", (long long)(intptr_t)index,
             data->array->name);
    end_with_finding(FINDING_OUT_OF_BOUNDS, (uintptr_t)__builtin_return_address(0), text);
}
