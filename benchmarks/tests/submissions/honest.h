/* The solution of fused_softmax under another name, for submissions that cheat the clock to call. */
#include "fused_softmax.h"

#define fused_softmax honest_fused_softmax
#include "../../../solutions/fused_softmax/fused_softmax.cu"
#undef fused_softmax
