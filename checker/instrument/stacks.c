/* Two stacks for device code: LLVM's SafeStack puts local variables that are reached through pointers on one of their own, so
 * no pointer leads to what a function needs to go on (simulator/fiber.c). What stays on the other is touched page by page
 * where it is large, so that none skips the guard below it; and a function with more than a few variables asks first whether
 * there is room. Done when the optimiser is through, since functions are then what they will be. */
#include "../simulator/include/sim/accesses.h"
#include "instrument.h"
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

enum { FEW_BYTES = 256 }; /* fiber.c counts on it */

static void set(LLVMValueRef function, LLVMAttributeRef attribute) {
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static void separate(LLVMContextRef context, LLVMValueRef function) {
    static const char safe[] = "safestack", probe[] = "probe-stack", within[] = "inline-asm";
    set(function,
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(safe, sizeof safe - 1), 0));
    set(function, LLVMCreateStringAttribute(context, probe, sizeof probe - 1, within, sizeof within - 1));
}

static bool is_static(LLVMValueRef variable) {
    return LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) &&
           LLVMGetInstructionParent(variable) ==
               LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable)));
}

static uint64_t add_up_to_few(uint64_t sum, uint64_t more) {
    return more > FEW_BYTES ? FEW_BYTES + 1 : sum + more;
}

/* With what alignment may add. */
static uint64_t bytes_of(LLVMTargetDataRef layout, LLVMValueRef variable) {
    const uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)),
                   each = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)),
                   alignment = LLVMGetAlignment(variable);
    if (count > FEW_BYTES || each > FEW_BYTES || alignment > FEW_BYTES)
        return FEW_BYTES + 1;
    return count * each + (alignment > 16 ? alignment : 15);
}

static void ask_before(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)), NULL, 0, false);
    LLVMValueRef room = LLVMGetNamedFunction(module, SIM_NAME_ROOM);
    if (!room)
        room = LLVMAddFunction(module, SIM_NAME_ROOM, type);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
    LLVMPositionBuilderBefore(builder, instruction);
    for (LLVMValueRef i = instruction; i && !place; i = LLVMGetNextInstruction(i))
        place = LLVMInstructionGetDebugLoc(i);
    LLVMSetCurrentDebugLocation2(builder, place);
    LLVMBuildCall2(builder, type, room, NULL, 0, "");
}

static void ask_in(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef function) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    uint64_t sum = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i))
                continue;
            if (is_static(i))
                sum = add_up_to_few(sum, bytes_of(layout, i));
            else
                ask_before(builder, module, LLVMGetNextInstruction(i));
        }
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    if (sum > FEW_BYTES)
        ask_before(builder, module, first);
}

/* What a kernel calls by these names is watched. The compiler's own copies, of local variables on the first stack too, are made by
 * the same functions, and were looked at before: the linker does not wrap them (compile/flags.sh). */
static void watch_copies(LLVMModuleRef device) {
    static const char *const names[][2] = {
        {"memcpy", "__wrap_memcpy"}, {"memmove", "__wrap_memmove"}, {"memset", "__wrap_memset"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(device, names[i][0]);
        if (function && LLVMIsDeclaration(function))
            LLVMSetValueName2(function, names[i][1], strlen(names[i][1]));
    }
}

void stacks_separate(LLVMModuleRef device) {
    watch_copies(device);
    LLVMContextRef context = LLVMGetModuleContext(device);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef function = LLVMGetFirstFunction(device); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function)) {
            separate(context, function);
            ask_in(builder, device, function);
        }
    LLVMDisposeBuilder(builder);
}
