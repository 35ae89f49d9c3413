/* What is refused, because nobody could see what it does: assembly, memory that other instructions reach, names
 * of the simulator's own, and in device code functions that nobody offers there. What is looked at is what the
 * compiler made of the source, so no way of writing it down hides anything. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

/* What device code may call outside itself: the simulator's device.h, and the part of the C library that CUDA
 * has too. The compiler's checks call the handlers. */
static const char *const device_functions[] = {
    "sim_barrier", "sim_warp_barrier", "sim_shuffle", "sim_vote", "sim_match", "sim_reduce", "sim_activemask",
    "sim_atomic_begin", "sim_atomic_end", "sim_fence", "sim_yield", "sim_trap", "sim_clock", "sim_malloc",
    "sim_free", "sim_nothing_offered", "__ubsan_handle_out_of_bounds", "__assert_fail", "printf", "vprintf", "puts",
    "putchar", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strncmp", "strcpy", "strncpy", "abs",
    "labs", "llabs", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "__cxa_pure_virtual", "sim_sincosf",
    "acos", "acosf", "acosh", "acoshf", "asin", "asinf", "asinh", "asinhf", "atan", "atan2", "atan2f", "atanf",
    "atanh", "atanhf", "cbrt", "cbrtf", "ceil", "ceilf", "copysign", "copysignf", "cos", "cosf", "cosh", "coshf",
    "erf", "erfc", "erfcf", "erff", "exp", "exp10", "exp10f", "exp2", "exp2f", "expf", "expm1", "expm1f", "fabs",
    "fabsf", "fdim", "fdimf", "floor", "floorf", "fma", "fmaf", "fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf",
    "frexp", "frexpf", "hypot", "hypotf", "ilogb", "ilogbf", "j0", "j0f", "j1", "j1f", "ldexp", "ldexpf", "lgamma",
    "lgammaf", "llrint", "llrintf", "llround", "llroundf", "log", "log10", "log10f", "log1p", "log1pf", "log2",
    "log2f", "logb", "logbf", "logf", "lrint", "lrintf", "lround", "lroundf", "modf", "modff", "nan", "nanf",
    "nearbyint", "nearbyintf", "nextafter", "nextafterf", "pow", "powf", "remainder", "remainderf", "remquo",
    "remquof", "rint", "rintf", "round", "roundf", "scalbln", "scalblnf", "scalbn", "scalbnf", "sin", "sincos",
    "sincosf", "sinf", "sinh", "sinhf", "sqrt", "sqrtf", "tan", "tanf", "tanh", "tanhf", "tgamma", "tgammaf",
    "trunc", "truncf", "y0", "y0f", "y1", "y1f"};

/* Intrinsics that touch no memory, or whose accesses accesses.c sees. */
static const char *const intrinsics[] = {
    "dbg.", "lifetime.", "memcpy.p", "memmove.p", "memset.p", "expect.", "assume", "trap", "ubsantrap", "donothing",
    "stacksave", "stackrestore", "invariant.", "launder.", "strip.", "sideeffect", "objectsize.", "is.constant.",
    "experimental.noalias.", "va_start", "va_end", "va_copy", "fabs.", "fma.", "fmuladd.", "sqrt.", "floor.",
    "ceil.", "trunc.", "rint.", "round.", "roundeven.", "nearbyint.", "minnum.", "maxnum.", "minimum.", "maximum.",
    "copysign.", "exp.", "exp2.", "log.", "log2.", "log10.", "pow.", "powi.", "sin.", "cos.", "ctpop.", "ctlz.",
    "cttz.", "bswap.", "bitreverse.", "fshl.", "fshr.", "abs.", "smax.", "smin.", "umax.", "umin.", "sadd.",
    "uadd.", "ssub.", "usub.", "smul.", "umul.", "is.fpclass.", "threadlocal.address.", "vector.reduce.", "prefetch.",
    "canonicalize.", "lround.", "llround.", "lrint.", "llrint.", "ptrmask.", "allow.", "ptr.annotation.",
    "var.annotation", "annotation."};

static bool refused;

static void refuse(LLVMValueRef where, const char *what) {
    place_print(stderr, where);
    fprintf(stderr, "error: %s\n", what);
    refused = true;
}

static bool is_among(const char *name, const char *const *names, size_t count, bool prefixes) {
    for (size_t i = 0; i < count; i++)
        if (prefixes ? !strncmp(name, names[i], strlen(names[i])) : !strcmp(name, names[i]))
            return true;
    return false;
}

static LLVMValueRef first_call(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* A function of this name that the module does not define. */
static void inspect_declared(LLVMValueRef function, const char *name, bool device) {
    char text[512];
    if (!LLVMGetFirstUse(function))
        return;
    if (!strncmp(name, "llvm.", 5)) {
        if (!is_among(name + 5, intrinsics, sizeof intrinsics / sizeof *intrinsics, true) &&
            (device || !strncmp(name, "llvm.x86.", 9) || !strncmp(name, "llvm.masked.", 12) ||
             !strncmp(name, "llvm.aarch64.", 13))) {
            snprintf(text, sizeof text,
                     "this needs an instruction of this computer's processor (%s), which a GPU does not have", name);
            refuse(first_call(function), text);
        }
        return;
    }
    if (device && !is_among(name, device_functions, sizeof device_functions / sizeof *device_functions, false)) {
        snprintf(text, sizeof text,
                 "device code calls %s, which is defined nowhere in this file and which the simulator does not "
                 "offer to kernels: if it is CUDA's, check on a GPU with RUNTIME=cuda",
                 name);
        refuse(first_call(function), text);
    }
    if (!device && !strncmp(name, "sim_", 4)) {
        snprintf(text, sizeof text, "%s belongs to the simulator: a submission does not call it", name);
        refuse(first_call(function), text);
    }
}

static void inspect_defined(LLVMValueRef function, const char *name) {
    static const char naked[] = "naked";
    char text[512];
    if (!strncmp(name, "sim_", 4) || !strncmp(name, "__tsan_", 7) || !strncmp(name, "llvm.", 5)) {
        snprintf(text, sizeof text, "%s is a name of the simulator's own: give your function another", name);
        refuse(function, text);
    }
    if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                    LLVMGetEnumAttributeKindForName(naked, strlen(naked))))
        refuse(function, "a function that is naked is assembly code, and nobody sees what that does");
}

/* asm("" ::: "memory") is a word to the compiler alone. */
static bool is_empty_assembly(LLVMValueRef assembly) {
    char *text = LLVMPrintValueToString(assembly);
    const char *quote = strchr(text, '"');
    const bool empty = quote && quote[1] == '"';
    LLVMDisposeMessage(text);
    return empty;
}

static bool in_other_space(LLVMValueRef pointer) {
    LLVMTypeRef type = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) != 0;
}

static void inspect_instruction(LLVMValueRef instruction) {
    if (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)) {
        LLVMValueRef called = LLVMGetCalledValue(instruction);
        if (LLVMIsAInlineAsm(called) && !is_empty_assembly(called))
            refuse(instruction, "inline assembly: nobody sees what it reads and writes. PTX in asm() is for a GPU: check "
                                "with RUNTIME=cuda");
    }
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (operand && in_other_space(operand)) {
            refuse(instruction, "a pointer into another address space of this computer's processor");
            return;
        }
    }
}

/* libstdc++ has one line of assembly in <iostream>: it names a symbol, which then has to be there. */
static bool is_harmless_assembly(const char *text, size_t length) {
    static const char allowed[] = ".globl _ZSt21ios_base_library_initv";
    const char *stop = text + length;
    while (text < stop) {
        const char *end = memchr(text, '\n', (size_t)(stop - text));
        if (!end)
            end = stop;
        if (end > text && ((size_t)(end - text) != sizeof allowed - 1 || memcmp(text, allowed, sizeof allowed - 1)))
            return false;
        text = end + 1;
    }
    return true;
}

bool inspect_module(LLVMModuleRef module, bool device) {
    size_t length;
    refused = false;
    const char *assembly = LLVMGetModuleInlineAsm(module, &length);
    if (length && !is_harmless_assembly(assembly, length))
        refuse(NULL, "assembly code outside of functions: nobody sees what it does");
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        const char *name = LLVMGetValueName2(function, &length);
        if (LLVMIsDeclaration(function)) {
            inspect_declared(function, name, device);
            continue;
        }
        inspect_defined(function, name);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                inspect_instruction(i);
    }
    if (LLVMGetFirstGlobalIFunc(module))
        refuse(NULL, "a function that is chosen while the program is loaded (ifunc)");
    return !refused;
}
