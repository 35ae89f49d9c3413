#include "device/rows.cuh"
#include "fused_softmax.h"
#include "host/check.hpp"
#include "launch.inc.cu"
