/* Memory of a case at different times, and how far two times are apart. */
#ifndef COMPARE_CUDA_H
#define COMPARE_CUDA_H

#include "runner.h"

/* Carries out the copies of the case on the images (runtime_cuda.h), so that a buffer which a step fills
 * holds what it holds when the calls run. */
void images_after_copies(const struct running_case *running, const struct step *steps);

/* Gives every buffer its image again. changed: with the sign of each finite number of the step's operands
 * turned around, which is new input of the same kind. */
void images_restore(bool changed, const struct step *step);

/* The contents of all buffers on the device. NULL where there is no memory. */
struct snapshot *snapshot_take(void);
void snapshot_free(struct snapshot *snapshot);

struct difference {
    const char *buffer;
    int64_t element; /* in the buffer, counted in the type that the step sees it in */
    double first, second;
    size_t count;
    bool far_apart; /* farther than two right results can be, or one was not written at all */
};

/* Whether the contents differ in any bit (but for one NaN and another); tells of the element that is worst. */
bool snapshots_differ(const struct snapshot *a, const struct snapshot *b, const struct step *step,
                      struct difference *difference);

#endif
