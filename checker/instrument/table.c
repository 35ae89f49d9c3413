/* The table by which the simulator finds the device side, and the hiding of everything else in it: names of device
 * code can then clash with none of the host side, of the simulator or of the C library. */
#include "../simulator/image.h"
#include "instrument.h"
#include <llvm-c/Comdat.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTypeRef pointer, number32, number64;
};

static LLVMValueRef as_pointer(const struct builder *to, LLVMValueRef value) {
    return LLVMConstBitCast(value, to->pointer);
}

static LLVMValueRef number32(const struct builder *to, uint32_t value) {
    return LLVMConstInt(to->number32, value, false);
}

static LLVMValueRef number64(const struct builder *to, uint64_t value) {
    return LLVMConstInt(to->number64, value, false);
}

/* A constant of the module that nobody else names. */
static LLVMValueRef hidden(const struct builder *to, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(to->module, LLVMTypeOf(value), "");
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    return as_pointer(to, global);
}

static LLVMValueRef text(const struct builder *to, const char *name) {
    return hidden(to, LLVMConstStringInContext(to->context, name, (unsigned)strlen(name), false));
}

static LLVMValueRef structure(const struct builder *to, LLVMValueRef *fields, unsigned count) {
    return LLVMConstStructInContext(to->context, fields, count, false);
}

/* An array of `count` values of one type, or a null pointer for none. */
static LLVMValueRef array(const struct builder *to, LLVMValueRef *values, size_t count) {
    return count ? hidden(to, LLVMConstArray(LLVMTypeOf(values[0]), values, (unsigned)count))
                 : LLVMConstNull(to->pointer);
}

static LLVMValueRef kernel_table(const struct builder *to, const struct kernels *kernels) {
    LLVMValueRef *rows = calloc(kernels->count + 1, sizeof *rows);
    for (size_t i = 0; i < kernels->count; i++) {
        const struct kernel *kernel = &kernels->kernel[i];
        LLVMValueRef *bytes = calloc(kernel->count + 1, sizeof *bytes);
        for (unsigned k = 0; k < kernel->count; k++)
            bytes[k] = number32(to, kernel->bytes[k]);
        LLVMValueRef fields[] = {text(to, kernel->name),
                                 as_pointer(to, kernel->thunk),
                                 array(to, bytes, kernel->count),
                                 number32(to, kernel->count),
                                 number32(to, kernel->shared_bytes),
                                 number32(to, kernel->max_threads)};
        rows[i] = structure(to, fields, 6);
        free(bytes);
    }
    LLVMValueRef table = array(to, rows, kernels->count);
    free(rows);
    return table;
}

static LLVMValueRef variable_table(const struct builder *to, const struct variables *variables) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(to->module);
    LLVMValueRef *rows = calloc(variables->count + 1, sizeof *rows);
    for (size_t i = 0; i < variables->count; i++) {
        LLVMValueRef global = variables->variable[i].global;
        size_t length;
        LLVMValueRef fields[] = {text(to, LLVMGetValueName2(global, &length)), as_pointer(to, global),
                                 number64(to, LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global))),
                                 number64(to, (uint64_t)variables->variable[i].kind)};
        rows[i] = structure(to, fields, 4);
    }
    LLVMValueRef table = array(to, rows, variables->count);
    free(rows);
    return table;
}

/* Is the function used other than by calling it? */
static bool is_taken(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!(LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) || LLVMGetCalledValue(user) != function)
            return true;
    }
    return false;
}

static LLVMValueRef function_table(const struct builder *to, uint64_t *count) {
    LLVMValueRef *rows = NULL;
    size_t taken = 0;
    for (LLVMValueRef function = LLVMGetFirstFunction(to->module); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function) && is_taken(function)) {
            rows = realloc(rows, (taken + 1) * sizeof *rows);
            LLVMValueRef fields[] = {as_pointer(to, function), number64(to, signature_of_function(function))};
            rows[taken++] = structure(to, fields, 2);
        }
    LLVMValueRef table = array(to, rows, taken);
    free(rows);
    *count = taken;
    return table;
}

static void hide(LLVMValueRef value) {
    if (LLVMIsDeclaration(value))
        return;
    LLVMSetComdat(value, NULL);
    if (LLVMGetLinkage(value) != LLVMPrivateLinkage && LLVMGetLinkage(value) != LLVMAppendingLinkage) {
        LLVMSetVisibility(value, LLVMDefaultVisibility);
        LLVMSetLinkage(value, LLVMInternalLinkage);
    }
}

static void hide_all(LLVMModuleRef device) {
    for (LLVMValueRef f = LLVMGetFirstFunction(device); f; f = LLVMGetNextFunction(f))
        hide(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(device); g; g = LLVMGetNextGlobal(g))
        hide(g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(device); a; a = LLVMGetNextGlobalAlias(a))
        LLVMSetLinkage(a, LLVMInternalLinkage);
}

void table_define(LLVMModuleRef device, const struct kernels *kernels, const struct variables *variables) {
    LLVMContextRef context = LLVMGetModuleContext(device);
    const struct builder to = {device, context, LLVMPointerType(LLVMInt8TypeInContext(context), 0),
                               LLVMInt32TypeInContext(context), LLVMInt64TypeInContext(context)};
    LLVMValueRef annotations = LLVMGetNamedGlobal(device, "llvm.global.annotations");
    if (annotations)
        LLVMDeleteGlobal(annotations);
    hide_all(device);
    uint64_t functions;
    LLVMValueRef function_rows = function_table(&to, &functions);
    LLVMValueRef fields[] = {
        kernel_table(&to, kernels),    variable_table(&to, variables),  function_rows,
        number64(&to, kernels->count), number64(&to, variables->count), number64(&to, functions)};
    LLVMValueRef image = structure(&to, fields, 6);
    LLVMValueRef table = LLVMAddGlobal(device, LLVMTypeOf(image), "sim_submission_image");
    LLVMSetInitializer(table, image);
    LLVMSetGlobalConstant(table, true);
}
