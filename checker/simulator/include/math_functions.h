/* Mathematical functions: all of it is in cuda_runtime.h. */
#ifndef MATH_FUNCTIONS_H
#define MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
