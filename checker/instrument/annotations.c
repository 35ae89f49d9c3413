/* __attribute__((annotate("name", number))): how a header tells this program what a qualifier said. */
#include "instrument.h"
#include <string.h>

static bool is_text(LLVMValueRef value, const char *name) {
    LLVMValueRef global = plain_value(value);
    size_t length;
    if (!LLVMIsAGlobalVariable(global) || !LLVMGetInitializer(global))
        return false;
    LLVMValueRef text = LLVMGetInitializer(global);
    if (!LLVMIsConstantString(text))
        return false;
    const char *bytes = LLVMGetAsString(text, &length);
    return length == strlen(name) + 1 && !memcmp(bytes, name, length);
}

static uint64_t first_number(LLVMValueRef value) {
    LLVMValueRef global = plain_value(value);
    if (!LLVMIsAGlobalVariable(global) || !LLVMGetInitializer(global))
        return 0;
    LLVMValueRef numbers = LLVMGetInitializer(global);
    LLVMValueRef first = LLVMGetNumOperands(numbers) > 0 ? LLVMGetOperand(numbers, 0) : NULL;
    return first && LLVMIsAConstantInt(first) ? LLVMConstIntGetZExtValue(first) : 0;
}

void annotations_each(LLVMModuleRef module, const char *name,
                      void (*each)(LLVMValueRef annotated, uint64_t argument, void *context), void *context) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global.annotations");
    if (!list)
        return;
    LLVMValueRef entries = LLVMGetInitializer(list);
    for (int i = 0; i < LLVMGetNumOperands(entries); i++) {
        LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);
        if (LLVMGetNumOperands(entry) >= 5 && is_text(LLVMGetOperand(entry, 1), name))
            each(plain_value(LLVMGetOperand(entry, 0)), first_number(LLVMGetOperand(entry, 4)), context);
    }
}
