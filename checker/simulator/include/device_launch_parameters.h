/* Builtin variables: all of it is in cuda_runtime.h. */
#ifndef DEVICE_LAUNCH_PARAMETERS_H
#define DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
