/* The device side's variables, by memory space.
 *
 * On this processor all of them are plain data; what tells them apart is what clang and the simulator's headers
 * leave behind: a __shared__ variable has no initial value (undef, CUDA C++ Programming Guide, B.2.3), an
 * `extern __shared__` array is declared and never defined, __constant__ is annotated. Each kind gets a section of
 * its own, and a row in the table of the submission. */
#include "../simulator/image.h"
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

static const char *const sections[] = {
    [SIM_IN_SHARED] = "sim_shared", [SIM_IN_DEVICE] = "sim_device", [SIM_IN_CONSTANT] = "sim_constant"};

bool variable_is_shared(LLVMValueRef global) {
    LLVMValueRef initial = LLVMGetInitializer(global);
    return initial && LLVMIsUndef(initial);
}

/* LLVM's own lists, and what the compiler made up: strings, the descriptions of its checks. */
static bool is_nameless(LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    const LLVMLinkage linkage = LLVMGetLinkage(global);
    return length == 0 || !strncmp(name, "llvm.", 5) || linkage == LLVMPrivateLinkage ||
           linkage == LLVMAppendingLinkage;
}

/* `extern __shared__` arrays are one place, as large as the launch says. */
static void name_dynamic(LLVMModuleRef device, LLVMValueRef global) {
    LLVMContextRef context = LLVMGetModuleContext(device);
    LLVMValueRef area = LLVMGetNamedGlobal(device, "sim_dynamic_shared");
    if (!area)
        area = LLVMAddGlobal(device, LLVMArrayType(LLVMInt8TypeInContext(context), 0), "sim_dynamic_shared");
    if (area != global)
        LLVMReplaceAllUsesWith(global, LLVMConstBitCast(area, LLVMTypeOf(global)));
}

static void note_constant(LLVMValueRef global, uint64_t argument, void *context) {
    (void)argument;
    struct variables *variables = context;
    for (size_t i = 0; i < variables->count; i++)
        if (variables->variable[i].global == global)
            variables->variable[i].kind = SIM_IN_CONSTANT;
}

/* The simulator's own: the place of the running thread. */
static bool is_simulators(LLVMValueRef global) {
    size_t length;
    return !strncmp(LLVMGetValueName2(global, &length), "sim_", 4);
}

void variables_place(LLVMModuleRef device, struct variables *variables) {
    *variables = (struct variables){0};
    for (LLVMValueRef global = LLVMGetFirstGlobal(device); global; global = LLVMGetNextGlobal(global)) {
        if (is_nameless(global))
            continue;
        if (LLVMIsDeclaration(global)) {
            if (!is_simulators(global))
                name_dynamic(device, global);
            continue;
        }
        if (LLVMIsGlobalConstant(global) && !variable_is_shared(global))
            continue;
        variables->variable = realloc(variables->variable, (variables->count + 1) * sizeof(struct variable));
        variables->variable[variables->count++] =
            (struct variable){global, variable_is_shared(global) ? SIM_IN_SHARED : SIM_IN_DEVICE};
    }
    annotations_each(device, "sim_constant", note_constant, variables);
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->variable[i];
        if (variable->kind == SIM_IN_SHARED)
            LLVMSetInitializer(variable->global, LLVMConstNull(LLVMGlobalGetValueType(variable->global)));
        LLVMSetSection(variable->global, sections[variable->kind]);
    }
}
