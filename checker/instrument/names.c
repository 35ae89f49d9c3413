/* Names: what a submission may declare, what it may define, and what only the compiler calls. A label may
 * give anything any name, so it is looked at in what the compiler made. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

/* What device code may call outside itself: the simulator's device.h, and the part of the C library that CUDA
 * has too. The compiler's checks call the handlers. */
static const char *const device_functions[] = {"sim_barrier",
                                               "sim_warp_barrier",
                                               "sim_shuffle",
                                               "sim_vote",
                                               "sim_match",
                                               "sim_reduce",
                                               "sim_activemask",
                                               "sim_atomic_begin",
                                               "sim_atomic_end",
                                               "sim_fence",
                                               "sim_yield",
                                               "sim_trap",
                                               "sim_clock",
                                               "sim_malloc",
                                               "sim_free",
                                               "sim_print",
                                               "sim_nothing_offered",
                                               "__ubsan_handle_out_of_bounds",
                                               "__assert_fail",
                                               "memcpy",
                                               "memmove",
                                               "memset",
                                               "abs",
                                               "labs",
                                               "llabs",
                                               "__cxa_pure_virtual",
                                               "acos",
                                               "acosf",
                                               "acosh",
                                               "acoshf",
                                               "asin",
                                               "asinf",
                                               "asinh",
                                               "asinhf",
                                               "atan",
                                               "atan2",
                                               "atan2f",
                                               "atanf",
                                               "atanh",
                                               "atanhf",
                                               "cbrt",
                                               "cbrtf",
                                               "ceil",
                                               "ceilf",
                                               "copysign",
                                               "copysignf",
                                               "cos",
                                               "cosf",
                                               "cosh",
                                               "coshf",
                                               "erf",
                                               "erfc",
                                               "erfcf",
                                               "erff",
                                               "exp",
                                               "exp10",
                                               "exp10f",
                                               "exp2",
                                               "exp2f",
                                               "expf",
                                               "expm1",
                                               "expm1f",
                                               "fabs",
                                               "fabsf",
                                               "fdim",
                                               "fdimf",
                                               "floor",
                                               "floorf",
                                               "fma",
                                               "fmaf",
                                               "fmax",
                                               "fmaxf",
                                               "fmin",
                                               "fminf",
                                               "fmod",
                                               "fmodf",
                                               "frexp",
                                               "frexpf",
                                               "hypot",
                                               "hypotf",
                                               "ilogb",
                                               "ilogbf",
                                               "j0",
                                               "j0f",
                                               "j1",
                                               "j1f",
                                               "ldexp",
                                               "ldexpf",
                                               "lgamma",
                                               "lgammaf",
                                               "llrint",
                                               "llrintf",
                                               "llround",
                                               "llroundf",
                                               "log",
                                               "log10",
                                               "log10f",
                                               "log1p",
                                               "log1pf",
                                               "log2",
                                               "log2f",
                                               "logb",
                                               "logbf",
                                               "logf",
                                               "lrint",
                                               "lrintf",
                                               "lround",
                                               "lroundf",
                                               "modf",
                                               "modff",
                                               "nearbyint",
                                               "nearbyintf",
                                               "nextafter",
                                               "nextafterf",
                                               "pow",
                                               "powf",
                                               "remainder",
                                               "remainderf",
                                               "remquo",
                                               "remquof",
                                               "rint",
                                               "rintf",
                                               "round",
                                               "roundf",
                                               "scalbln",
                                               "scalblnf",
                                               "scalbn",
                                               "scalbnf",
                                               "sin",
                                               "sincos",
                                               "sincosf",
                                               "sinf",
                                               "sinh",
                                               "sinhf",
                                               "sqrt",
                                               "sqrtf",
                                               "tan",
                                               "tanf",
                                               "tanh",
                                               "tanhf",
                                               "tgamma",
                                               "tgammaf",
                                               "trunc",
                                               "truncf",
                                               "y0",
                                               "y0f",
                                               "y1",
                                               "y1f"};

/* Intrinsics that touch no memory, or whose accesses accesses.c sees. */
static const char *const intrinsics[] = {"dbg.",
                                         "lifetime.",
                                         "memcpy.p",
                                         "memmove.p",
                                         "memset.p",
                                         "expect.",
                                         "assume",
                                         "trap",
                                         "ubsantrap",
                                         "donothing",
                                         "stacksave",
                                         "stackrestore",
                                         "invariant.",
                                         "launder.",
                                         "strip.",
                                         "sideeffect",
                                         "objectsize.",
                                         "is.constant.",
                                         "experimental.noalias.",
                                         "va_start",
                                         "va_end",
                                         "va_copy",
                                         "fabs.",
                                         "fma.",
                                         "fmuladd.",
                                         "sqrt.",
                                         "floor.",
                                         "ceil.",
                                         "trunc.",
                                         "rint.",
                                         "round.",
                                         "roundeven.",
                                         "nearbyint.",
                                         "minnum.",
                                         "maxnum.",
                                         "minimum.",
                                         "maximum.",
                                         "copysign.",
                                         "exp.",
                                         "exp2.",
                                         "log.",
                                         "log2.",
                                         "log10.",
                                         "pow.",
                                         "powi.",
                                         "sin.",
                                         "cos.",
                                         "ctpop.",
                                         "ctlz.",
                                         "cttz.",
                                         "bswap.",
                                         "bitreverse.",
                                         "fshl.",
                                         "fshr.",
                                         "abs.",
                                         "smax.",
                                         "smin.",
                                         "umax.",
                                         "umin.",
                                         "sadd.",
                                         "uadd.",
                                         "ssub.",
                                         "usub.",
                                         "smul.",
                                         "umul.",
                                         "is.fpclass.",
                                         "threadlocal.address.",
                                         "vector.reduce.",
                                         "prefetch.",
                                         "canonicalize.",
                                         "lround.",
                                         "llround.",
                                         "lrint.",
                                         "llrint.",
                                         "ptrmask.",
                                         "allow.",
                                         "ptr.annotation.",
                                         "var.annotation",
                                         "annotation.",
                                         "convert.",
                                         "ldexp.",
                                         "frexp."};

/* The same for host code: exceptions, rounding modes, what a debugger or a profiler asks. */
static const char *const host_intrinsics[] = {
    "eh.typeid.for", "experimental.constrained.", "flt.rounds",         "get.rounding",    "set.rounding",
    "debugtrap",     "readcyclecounter",          "memcpy.inline.p",    "memset.inline.p", "returnaddress",
    "frameaddress",  "arithmetic.fence",          "global.annotations", "thread.pointer"};

static void inspect_intrinsic(LLVMValueRef function, const char *name, bool device) {
    if (AMONG(name + 5, intrinsics, true) || (!device && AMONG(name + 5, host_intrinsics, true)))
        return;
    inspect_refuse_name(
        first_instruction(function),
        "this needs an instruction of this computer's processor (%s), which a GPU does not have", name);
}

/* A function of this name that the module does not define. */
void inspect_declared(LLVMValueRef function, const char *name, bool device) {
    if (!LLVMGetFirstUse(function))
        return;
    if (!strncmp(name, "llvm.", 5))
        inspect_intrinsic(function, name, device);
    else if (device && !AMONG(name, device_functions, false))
        inspect_refuse_name(
            first_instruction(function),
            "device code calls %s, which is defined nowhere in this file and which the simulator does not "
            "offer to kernels: if it is CUDA's, check on a GPU with RUNTIME=cuda",
            name);
    else if (!device && !strncmp(name, "sim_", 4))
        inspect_refuse_name(first_instruction(function),
                            "%s belongs to the simulator: a submission does not call it", name);
}

/* The compiler's own, of a file with kernels. Should a student define one too, the compiler's gets a number. */
static const char *const compilers_names[] = {"__cuda_register_globals", "__cuda_module_ctor",
                                              "__cuda_module_dtor", "__cuda_fatbin_wrapper",
                                              "__cuda_gpubin_handle"};

/* A label may say anything. The linker takes what follows an @ for a version, and the compiler a first \1 for
 * nothing; letters of other alphabets are fine. */
static bool is_a_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || name[i] == '@' || name[i] == '"' || name[i] == '\\' ||
            name[i] == 127)
            return false;
    return true;
}

void inspect_name(LLVMValueRef value, bool defined) {
    static const char *const reserved[] = {"sim_",    "__tsan_",  "llvm.",   "__wrap_",
                                           "__real_", "__ubsan_", "__asan_", "__sanitizer_"};
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (!is_a_name(name, length))
        inspect_refuse(value, "a label that is no name");
    if (defined && AMONG(name, reserved, true) && LLVMGetLinkage(value) != LLVMAppendingLinkage &&
        !AMONG(name, ((const char *const[]){"llvm.used", "llvm.compiler.used", "llvm.global"}), true))
        inspect_refuse_name(value, "%s is a name of the simulator's own: give your function another", name);
    if (!strncmp(name, "__safestack_", 12))
        inspect_refuse_name(LLVMIsAFunction(value) ? first_instruction(value) : value,
                            "%s is a name of the simulator's own", name);
    if (!strncmp(name, "__wrap_", 7) || !strncmp(name, "__real_", 7))
        inspect_refuse_name(LLVMIsAFunction(value) ? first_instruction(value) : value,
                            "%s is the linker's name for a function that the checker watches", name);
    if (defined && !strncmp(name, "__cuda", 6) &&
        !(AMONG(name, compilers_names, false) && LLVMGetLinkage(value) == LLVMInternalLinkage))
        inspect_refuse_name(value, "%s is a name of CUDA's own: give it another", name);
}

/* What only the compiler calls: the registration of kernels and variables stands in the one function that it
 * wrote. */
void inspect_registration(LLVMValueRef function, const char *name) {
    if (strncmp(name, "__cudaRegister", 14) != 0 && strncmp(name, "__cudaUnregister", 16) != 0 &&
        strcmp(name, "__cudaPopCallConfiguration") != 0)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        size_t length;
        const char *by =
            LLVMIsAInstruction(user)
                ? LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &length)
                : "";
        const bool pops = !strcmp(name, "__cudaPopCallConfiguration");
        if (pops ? !strstr(by, "__device_stub__") : !AMONG(by, compilers_names, false)) {
            inspect_refuse_name(
                LLVMIsAInstruction(user) ? user : NULL,
                "%s is called by what the compiler writes around a launch, and by nobody else", name);
            return;
        }
    }
}
