/* Functions of device code: all of it is in cuda_runtime.h. */
#ifndef DEVICE_FUNCTIONS_H
#define DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
