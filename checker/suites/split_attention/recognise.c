/* Suspects of one wrong number (see parts.h). */
#include "parts.h"

#include <math.h>

/* A NaN is near nothing: it says that something went wrong, and not what. */
static bool is_near(double a, double b, double rtol) {
    if (isnan(a) || isnan(b))
        return false;
    if (isinf(a) || isinf(b))
        return a == b;
    return a == b || fabs(a - b) <= rtol * fmax(fabs(a), fabs(b));
}

bool attention_recognise(struct context *context, double got, double right, const struct suspect *suspects,
                         size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double rtol = suspects[i].rtol > 0 ? suspects[i].rtol : 1e-4;
        if (!is_near(got, suspects[i].value, rtol) || is_near(right, suspects[i].value, rtol))
            continue;
        explain(context, "%s", suspects[i].means);
        read_next(context, ATTENTION_LESSON, suspects[i].section);
        return true;
    }
    return false;
}
