/* How a function is called, as a number: what it takes and gives back, and how each of these is passed. A call by another
 * signature than the function's own would have it take memory of its caller for its own arguments. */
#include "instrument.h"
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

static void add(uint64_t *hash, uint64_t number) {
    *hash = (*hash ^ number) * 0x100000001b3u; /* FNV-1a */
}

/* Pointers are all alike. */
static void add_type(uint64_t *hash, LLVMTypeRef type, LLVMTargetDataRef layout) {
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    add(hash, (uint64_t)kind);
    if (kind != LLVMVoidTypeKind && kind != LLVMPointerTypeKind && LLVMTypeIsSized(type))
        add(hash, LLVMABISizeOfType(layout, type));
}

static void add_by_value(uint64_t *hash, LLVMAttributeRef attribute, LLVMTargetDataRef layout) {
    if (attribute)
        add(hash, LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(attribute)));
}

/* Of a function, or of a call. */
static uint64_t signature(LLVMTypeRef type, LLVMValueRef value, bool is_call, LLVMModuleRef module) {
    static const char name[] = "byval";
    const unsigned by_value = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    const unsigned count = LLVMCountParamTypes(type);
    uint64_t hash = 0xcbf29ce484222325u;
    add(&hash, count);
    add(&hash, LLVMIsFunctionVarArg(type) != 0);
    add_type(&hash, LLVMGetReturnType(type), layout);
    LLVMTypeRef *parameters = calloc(count + 1, sizeof *parameters);
    LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; i < count; i++) {
        add_type(&hash, parameters[i], layout);
        add_by_value(&hash,
                     is_call ? LLVMGetCallSiteEnumAttribute(value, i + 1, by_value)
                             : LLVMGetEnumAttributeAtIndex(value, i + 1, by_value),
                     layout);
    }
    free(parameters);
    return hash;
}

uint64_t signature_of_function(LLVMValueRef function) {
    return signature(LLVMGlobalGetValueType(function), function, false, LLVMGetGlobalParent(function));
}

uint64_t signature_of_call(LLVMValueRef call) {
    LLVMValueRef inside = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    return signature(LLVMGetCalledFunctionType(call), call, true, LLVMGetGlobalParent(inside));
}
