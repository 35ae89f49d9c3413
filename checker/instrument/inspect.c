/* What is refused, because nobody could see what it does: assembly, memory that other instructions reach, names
 * of the simulator's own, and in device code functions that nobody offers there. What is looked at is what the
 * compiler made of the source, so no way of writing it down hides anything. */
#include "instrument.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

/* What device code may call outside itself: the simulator's device.h, and the part of the C library that CUDA
 * has too. The compiler's checks call the handlers. */
static const char *const device_functions[] = {
    "sim_barrier", "sim_warp_barrier", "sim_shuffle", "sim_vote", "sim_match", "sim_reduce", "sim_activemask",
    "sim_atomic_begin", "sim_atomic_end", "sim_fence", "sim_yield", "sim_trap", "sim_clock", "sim_malloc",
    "sim_free", "sim_print", "sim_nothing_offered", "__ubsan_handle_out_of_bounds", "__assert_fail", "memcpy", "memmove",
    "memset", "abs", "labs", "llabs", "__cxa_pure_virtual",
    "acos", "acosf", "acosh", "acoshf", "asin", "asinf", "asinh", "asinhf", "atan", "atan2", "atan2f", "atanf",
    "atanh", "atanhf", "cbrt", "cbrtf", "ceil", "ceilf", "copysign", "copysignf", "cos", "cosf", "cosh", "coshf",
    "erf", "erfc", "erfcf", "erff", "exp", "exp10", "exp10f", "exp2", "exp2f", "expf", "expm1", "expm1f", "fabs",
    "fabsf", "fdim", "fdimf", "floor", "floorf", "fma", "fmaf", "fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf",
    "frexp", "frexpf", "hypot", "hypotf", "ilogb", "ilogbf", "j0", "j0f", "j1", "j1f", "ldexp", "ldexpf", "lgamma",
    "lgammaf", "llrint", "llrintf", "llround", "llroundf", "log", "log10", "log10f", "log1p", "log1pf", "log2",
    "log2f", "logb", "logbf", "logf", "lrint", "lrintf", "lround", "lroundf", "modf", "modff",
    "nearbyint", "nearbyintf", "nextafter", "nextafterf", "pow", "powf", "remainder", "remainderf", "remquo",
    "remquof", "rint", "rintf", "round", "roundf", "scalbln", "scalblnf", "scalbn", "scalbnf", "sin", "sincos",
    "sincosf", "sinf", "sinh", "sinhf", "sqrt", "sqrtf", "tan", "tanf", "tanh", "tanhf", "tgamma", "tgammaf",
    "trunc", "truncf", "y0", "y0f", "y1", "y1f"};

/* Where the running thread is: what device code sees of the simulator's variables, each of 4 bytes. */
static const char *const device_variables[] = {
    "sim_thread_x", "sim_thread_y", "sim_thread_z", "sim_block_x", "sim_block_y", "sim_block_z", "sim_block_dim_x",
    "sim_block_dim_y", "sim_block_dim_z", "sim_grid_dim_x", "sim_grid_dim_y", "sim_grid_dim_z"};

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
    "var.annotation", "annotation.", "convert.", "ldexp.", "frexp."};

/* The same for host code: exceptions, rounding modes, what a debugger or a profiler asks. */
static const char *const host_intrinsics[] = {
    "eh.typeid.for", "experimental.constrained.", "flt.rounds", "get.rounding", "set.rounding", "debugtrap",
    "readcyclecounter", "memcpy.inline.p", "memset.inline.p", "returnaddress", "frameaddress", "arithmetic.fence",
    "global.annotations", "thread.pointer"};

static bool refused;

static LLVMValueRef first_instruction(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAConstantExpr(user))
            user = first_instruction(user);
        if (user && LLVMIsAInstruction(user))
            return user;
    }
    return NULL;
}

/* Of what has no place in the source itself: where it is used, or the function that it stands in. */
static LLVMValueRef with_place(LLVMValueRef where) {
    if (where && LLVMIsAGlobalAlias(where))
        where = plain_value(LLVMAliasGetAliasee(where));
    if (where && LLVMIsAGlobalVariable(where) && LLVMIsDeclaration(where))
        where = first_instruction(where);
    if (where && LLVMIsAInstruction(where) && !LLVMInstructionGetDebugLoc(where))
        where = LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
    return where;
}

static void refuse(LLVMValueRef where, const char *what) {
    place_print(stderr, with_place(where));
    fprintf(stderr, "error: %s\n", what);
    refused = true;
}

static bool is_among(const char *name, const char *const *names, size_t count, bool prefixes) {
    for (size_t i = 0; i < count; i++)
        if (prefixes ? !strncmp(name, names[i], strlen(names[i])) : !strcmp(name, names[i]))
            return true;
    return false;
}

#define AMONG(name, list, prefixes) is_among(name, list, sizeof(list) / sizeof *(list), prefixes)

/* The same with the student's word for it. */
static void refuse_name(LLVMValueRef where, const char *format, const char *name) {
    char text[1024];
    snprintf(text, sizeof text, format, name);
    refuse(where, text);
}

static void inspect_intrinsic(LLVMValueRef function, const char *name, bool device) {
    if (AMONG(name + 5, intrinsics, true) || (!device && AMONG(name + 5, host_intrinsics, true)))
        return;
    refuse_name(first_instruction(function),
                "this needs an instruction of this computer's processor (%s), which a GPU does not have", name);
}

/* A function of this name that the module does not define. */
static void inspect_declared(LLVMValueRef function, const char *name, bool device) {
    if (!LLVMGetFirstUse(function))
        return;
    if (!strncmp(name, "llvm.", 5))
        inspect_intrinsic(function, name, device);
    else if (device && !AMONG(name, device_functions, false))
        refuse_name(first_instruction(function),
                    "device code calls %s, which is defined nowhere in this file and which the simulator does not "
                    "offer to kernels: if it is CUDA's, check on a GPU with RUNTIME=cuda",
                    name);
    else if (!device && !strncmp(name, "sim_", 4))
        refuse_name(first_instruction(function), "%s belongs to the simulator: a submission does not call it", name);
}

/* ---- names ---- */

/* The compiler's own, of a file with kernels. Should a student define one too, the compiler's gets a number. */
static const char *const compilers_names[] = {
    "__cuda_register_globals", "__cuda_module_ctor", "__cuda_module_dtor", "__cuda_fatbin_wrapper",
    "__cuda_gpubin_handle"};

/* A label may say anything. The linker takes what follows an @ for a version, and the compiler a first \1 for nothing;
 * letters of other alphabets are fine. */
static bool is_a_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || name[i] == '@' || name[i] == '"' || name[i] == '\\' || name[i] == 127)
            return false;
    return true;
}

static void inspect_name(LLVMValueRef value, bool defined) {
    static const char *const reserved[] = {"sim_", "__tsan_", "llvm.", "__wrap_", "__real_", "__ubsan_", "__asan_",
                                           "__sanitizer_"};
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (!is_a_name(name, length))
        refuse(value, "a label that is no name");
    if (defined && AMONG(name, reserved, true) && LLVMGetLinkage(value) != LLVMAppendingLinkage &&
        !AMONG(name, ((const char *const[]){"llvm.used", "llvm.compiler.used", "llvm.global"}), true))
        refuse_name(value, "%s is a name of the simulator's own: give your function another", name);
    if (!strncmp(name, "__wrap_", 7) || !strncmp(name, "__real_", 7))
        refuse_name(LLVMIsAFunction(value) ? first_instruction(value) : value,
                    "%s is the linker's name for a function that the checker watches", name);
    if (defined && !strncmp(name, "__cuda", 6) &&
        !(AMONG(name, compilers_names, false) && LLVMGetLinkage(value) == LLVMInternalLinkage))
        refuse_name(value, "%s is a name of CUDA's own: give it another", name);
}

/* What only the compiler calls: the registration of kernels and variables stands in the one function that it wrote. */
static void inspect_registration(LLVMValueRef function, const char *name) {
    if (strncmp(name, "__cudaRegister", 14) != 0 && strncmp(name, "__cudaUnregister", 16) != 0 &&
        strcmp(name, "__cudaPopCallConfiguration") != 0)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        size_t length;
        const char *by = LLVMIsAInstruction(user)
                             ? LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &length)
                             : "";
        const bool pops = !strcmp(name, "__cudaPopCallConfiguration");
        if (pops ? !strstr(by, "__device_stub__") : !AMONG(by, compilers_names, false)) {
            refuse_name(LLVMIsAInstruction(user) ? user : NULL,
                        "%s is called by what the compiler writes around a launch, and by nobody else", name);
            return;
        }
    }
}

/* ---- functions and variables that are defined ---- */

static bool has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

static void inspect_defined(LLVMValueRef function, bool device) {
    static const char *const places[] = {".text"};
    const char *section = LLVMGetSection(function);
    if (section && section[0] && !AMONG(section, places, true))
        refuse_name(function, "a function in the section %s: code lies with the other code", section);
    if (has_attribute(function, "naked"))
        refuse(function, "a function that is naked is assembly code, and nobody sees what that does");
    if (device && LLVMGetFunctionCallConv(function) != LLVMCCallConv)
        refuse(function, "a function of device code that is called in another way than the others");
}

/* Of a list of { priority, function, ... }. */
static LLVMValueRef first_constructor(LLVMValueRef list) {
    LLVMValueRef entries = LLVMGetInitializer(list);
    if (!entries || LLVMGetNumOperands(entries) < 1 || LLVMGetNumOperands(LLVMGetOperand(entries, 0)) < 2)
        return NULL;
    LLVMValueRef function = plain_value(LLVMGetOperand(LLVMGetOperand(entries, 0), 1));
    return LLVMIsAFunction(function) ? function : NULL;
}

static void inspect_variable(LLVMValueRef global, bool device) {
    static const char *const places[] = {".data", ".rodata", ".bss", "llvm.metadata", ".nv_fatbin", "__nv_fatbin",
                                         ".nvFatBinSegment", "__nv_module_id", "__nv_relfatbin"};
    const char *section = LLVMGetSection(global);
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    const bool defined = !LLVMIsDeclaration(global);
    inspect_name(global, defined);
    if (section && section[0] && !AMONG(section, places, true))
        refuse_name(global, "data in the section %s: nobody would see what is made of it there", section);
    if (!device)
        return;
    if (LLVMIsThreadLocal(global))
        refuse(global, "a thread_local variable in device code: a GPU has none");
    if (!defined && !strncmp(name, "sim_", 4) && LLVMGetFirstUse(global) &&
        !(AMONG(name, device_variables, false) && LLVMIsGlobalConstant(global) &&
          LLVMGetTypeKind(LLVMGlobalGetValueType(global)) == LLVMIntegerTypeKind &&
          LLVMGetIntTypeWidth(LLVMGlobalGetValueType(global)) == 32))
        refuse_name(global, "%s belongs to the simulator: device code does not see it", name);
    if (!strcmp(name, "llvm.global_ctors") || !strcmp(name, "llvm.global_dtors"))
        refuse(first_constructor(global),
               "device code that runs while the program is loaded or ends (a constructor): a GPU has none");
}

/* ---- instructions ---- */

/* asm("" ::: "memory") is a word to the compiler alone. */
static bool is_empty_assembly(LLVMValueRef assembly) {
    char *text = LLVMPrintValueToString(assembly);
    const char *word = text;
    bool quoted = false; /* in the name of a structure */
    while (*word && (quoted || strncmp(word, " asm ", 5) != 0))
        quoted ^= *word++ == '"';
    const char *quote = strchr(word, '"');
    const bool empty = quote && quote[1] == '"';
    LLVMDisposeMessage(text);
    return empty;
}

static bool is_call_of(LLVMValueRef value, const char *name) {
    size_t length;
    return value && LLVMIsACallInst(value) && LLVMIsAFunction(LLVMGetCalledValue(value)) &&
           !strcmp(LLVMGetValueName2(LLVMGetCalledValue(value), &length), name);
}

/* llvm.stackrestore as the compiler writes it at the end of a variable array's life: with what llvm.stacksave said, kept
 * in a variable that nothing else touches. Anything else would move the stack. */
static bool restores_what_was_saved(LLVMValueRef call) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    if (is_call_of(value, "llvm.stacksave"))
        return true;
    LLVMValueRef kept = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!kept || !LLVMIsAAllocaInst(kept))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(kept); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsALoadInst(user) &&
            !(LLVMIsAStoreInst(user) && is_call_of(LLVMGetOperand(user, 0), "llvm.stacksave")))
            return false;
    }
    return true;
}

static bool in_other_space(LLVMValueRef pointer) {
    LLVMTypeRef type = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) != 0;
}

static void inspect_instruction(LLVMValueRef instruction, bool device) {
    static const char assembly[] = "inline assembly: nobody sees what it reads and writes. PTX in asm() is for a GPU: "
                                   "check with RUNTIME=cuda";
    const LLVMOpcode code = LLVMGetInstructionOpcode(instruction);
    if (code == LLVMCallBr)
        refuse(instruction, assembly);
    if (code == LLVMCall || code == LLVMInvoke) {
        LLVMValueRef called = LLVMGetCalledValue(instruction);
        if (LLVMIsAInlineAsm(called) && !is_empty_assembly(called))
            refuse(instruction, assembly);
        if (is_call_of(instruction, "llvm.stackrestore") && !restores_what_was_saved(instruction))
            refuse(instruction, "the stack is moved by hand");
    }
    if (code == LLVMVAArg || (device && code == LLVMIndirectBr))
        refuse(instruction, device ? "a jump to a computed label, which a GPU does not have"
                                   : "arguments are read in a way that nobody sees");
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
    for (LLVMValueRef global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global))
        inspect_variable(global, device);
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias; alias = LLVMGetNextGlobalAlias(alias))
        inspect_name(alias, true);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        const bool defined = !LLVMIsDeclaration(function);
        const char *name = LLVMGetValueName2(function, &length);
        inspect_name(function, defined);
        if (!defined) {
            inspect_declared(function, name, device);
            inspect_registration(function, name);
            continue;
        }
        inspect_defined(function, device);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                inspect_instruction(i, device);
    }
    LLVMValueRef chosen = LLVMGetFirstGlobalIFunc(module);
    if (chosen)
        refuse(plain_value(LLVMGetGlobalIFuncResolver(chosen)), "a function that is chosen while the program is loaded (ifunc)");
    return !refused;
}
