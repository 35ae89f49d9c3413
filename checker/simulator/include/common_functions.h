/* Functions of every program: all of it is in cuda_runtime.h. */
#ifndef COMMON_FUNCTIONS_H
#define COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
