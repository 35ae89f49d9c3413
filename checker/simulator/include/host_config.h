/* The compiler: all of it is in cuda_runtime.h. */
#ifndef HOST_CONFIG_H
#define HOST_CONFIG_H

#include "cuda_runtime.h"

#endif
