/* The proof that a result was computed from its input: kernels of the call have read it. What a call answers
 * without that comes from elsewhere (a table of the checks' inputs, an earlier result, the CPU), however
 * right it may be. The simulator counts who read which byte; a GPU run cannot tell.
 *
 * One byte read is enough here. How much has to be read is for single checks to ask: a row that holds a NaN
 * may be given up early. */
#include "check/inputs_read.h"
#include <string.h>

/* Operands that a function cannot do without one of, from the first; 0: it has none on the device. */
static int inputs_of(const struct step *step) {
    const struct function_entry *entry = function_entry(step->function);
    const bool counted = entry->work == WORK_COUNTED;
    const int64_t rows = counted ? step->number[0] : step->operand[0].rows;
    const int64_t cols = counted ? step->number[1] : step->operand[0].cols;
    return rows > 0 && cols > 0 ? entry->inputs : 0;
}

static bool read_by_its_kernels(const struct outcome *outcome, int index, int32_t buffer) {
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        if (traffic->buffer == buffer && traffic->kernel < outcome->kernel_count &&
            outcome->kernels[traffic->kernel].step == index &&
            traffic->bytes_read + traffic->bytes_atomic > 0)
            return true;
    }
    return false;
}

static bool launched(const struct outcome *outcome, int index) {
    for (size_t i = 0; i < outcome->kernel_count; i++)
        if (outcome->kernels[i].step == index)
            return true;
    return false;
}

void check_inputs_read(struct context *context, const struct outcome *outcome) {
    if (!accesses_are_seen(context))
        return;
    const struct test_case *test_case = outcome->test_case;
    for (int s = 0; s < (int)test_case->header.steps; s++) {
        const struct step *step = &test_case->steps[s];
        const int inputs = step->kind == STEP_CALL ? inputs_of(step) : 0;
        const struct returned *returned = outcome_return(outcome, s);
        bool read = inputs == 0 || returned == NULL || returned->value != 0;
        for (int i = 0; i < inputs && !read; i++)
            read = read_by_its_kernels(outcome, s, step->operand[i].buffer);
        if (read)
            continue;
        if (!launched(outcome, s))
            check_fail(context,
                       "The call returned cudaSuccess and launched nothing, though it had work to do.");
        explain(context,
                "Every kernel of the call was watched: what they wrote was not computed from the input "
                "that this call was given.");
        check_fail(context, "The call returned cudaSuccess, and none of its kernels read %s.",
                   step->operand[0].buffer >= 0 ? test_case->buffers[step->operand[0].buffer].name
                                                : "its input");
    }
}
