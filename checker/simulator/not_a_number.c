/* NaN as a GPU writes it. What its arithmetic and exponentials yield has all bits set but the sign (PTX ISA,
 * "NaN payloads": canonical, 0x7fffffff), where this processor's has few. It matters to code that rounds to
 * BF16 by adding to the bits: without a test for NaN, the addition carries into the sign and a NaN becomes
 * -0. The exponentials are where a softmax meets NaN, so these are the submission's (the linker's --wrap). */
#include "simulator.h"
#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static float as_a_gpu_has_it(float value) {
    const uint32_t canonical = 0x7fffffff;
    if (isnan(value))
        memcpy(&value, &canonical, sizeof value);
    return value;
}

float __wrap_expf(float x) {
    return as_a_gpu_has_it(expf(x));
}

float __wrap_exp2f(float x) {
    return as_a_gpu_has_it(exp2f(x));
}

float __wrap_exp10f(float x) {
    return as_a_gpu_has_it(exp10f(x));
}
