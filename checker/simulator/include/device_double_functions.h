/* Double precision in device code: all of it is in cuda_runtime.h. */
#ifndef DEVICE_DOUBLE_FUNCTIONS_H
#define DEVICE_DOUBLE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
