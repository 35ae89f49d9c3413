/* Static shared memory of a kernel: its own variables, and those of each function that it may call. */
#include "instrument.h"
#include <llvm-c/Target.h>
#include <stdlib.h>

struct found {
    LLVMValueRef *value;
    size_t count;
};

static bool add(struct found *found, LLVMValueRef value) {
    for (size_t i = 0; i < found->count; i++)
        if (found->value[i] == value)
            return false;
    found->value = realloc(found->value, (found->count + 1) * sizeof *found->value);
    found->value[found->count++] = value;
    return true;
}

/* Globals that a value names: itself, or in an expression of constants. */
static void look(LLVMValueRef value, struct found *functions, struct found *variables) {
    if (LLVMIsAFunction(value)) {
        add(functions, value);
    } else if (LLVMIsAGlobalVariable(value)) {
        if (variable_is_shared(value))
            add(variables, value);
    } else if (LLVMIsAConstantExpr(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantStruct(value)) {
        for (int i = 0; i < LLVMGetNumOperands(value); i++)
            look(LLVMGetOperand(value, (unsigned)i), functions, variables);
    }
}

static void look_through(LLVMValueRef function, struct found *functions, struct found *variables) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
                if (operand && LLVMIsAConstant(operand))
                    look(operand, functions, variables);
            }
}

/* Called before variables are placed: shared ones are known by their missing value. */
void shared_measure(LLVMModuleRef device, struct kernels *kernels) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(device);
    for (size_t i = 0; i < kernels->count; i++) {
        struct found functions = {0}, variables = {0};
        add(&functions, kernels->kernel[i].function);
        for (size_t next = 0; next < functions.count; next++)
            look_through(functions.value[next], &functions, &variables);
        uint64_t bytes = 0;
        for (size_t k = 0; k < variables.count; k++)
            bytes += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variables.value[k]));
        kernels->kernel[i].shared_bytes = (uint32_t)bytes;
        free(functions.value);
        free(variables.value);
    }
}
