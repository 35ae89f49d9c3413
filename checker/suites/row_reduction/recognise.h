/* Mistakes of row_reduction, recognised by their numbers. The data is a struct judged. */
#ifndef ROW_REDUCTION_RECOGNISE_H
#define ROW_REDUCTION_RECOGNISE_H

#include "suites/shared/comparison.h"

diagnosis recognise_scaled, recognise_max, recognise_sum;

#endif
