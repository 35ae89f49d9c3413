/* Before each load, store, atomic operation and copy a call of the simulator: which address, how many bytes,
 * which alignment the language promises. The module is as clang wrote it down, so these are the accesses that
 * stand in the source, each at its line; what is optimised later cannot take the calls away, or merge two.
 *
 * Left out is what no one but the thread can see: its local variables, taken by name. An access to a local
 * variable through a pointer is seen, and passed over by the simulator. */
#include "../simulator/include/sim/accesses.h"
#include "instrument.h"
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

enum { VECTOR_BYTES = 16 /* the most that a GPU's thread moves at once */ };

struct instrumenter {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef byte_pointer, size, nothing;
    bool device;
};

/* A call of a function of the simulator: void NAME(address, number, number). The place in the source is that
 * of the instruction before which it stands. */
static void call(struct instrumenter *to, const char *name, LLVMValueRef address, LLVMValueRef *numbers,
                 unsigned count) {
    LLVMTypeRef types[4] = {to->byte_pointer, to->size, to->size, to->size};
    LLVMTypeRef type = LLVMFunctionType(to->nothing, types, count + 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(to->module, name);
    if (!function)
        function = LLVMAddFunction(to->module, name, type);
    LLVMValueRef arguments[4] = {LLVMBuildBitCast(to->builder, address, to->byte_pointer, "")};
    for (unsigned i = 0; i < count; i++)
        arguments[i + 1] = LLVMBuildIntCast2(to->builder, numbers[i], to->size, false, "");
    LLVMValueRef made = LLVMBuildCall2(to->builder, type, function, arguments, count + 1, "");
    static const char no_merge[] = "nomerge";
    LLVMAddCallSiteAttribute(
        made, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(LLVMGetModuleContext(to->module),
                                LLVMGetEnumAttributeKindForName(no_merge, strlen(no_merge)), 0));
}

static LLVMValueRef number(const struct instrumenter *to, uint64_t value) {
    return LLVMConstInt(to->size, value, false);
}

/* A variable of this very function, or a parameter that was copied for it; a constant of the program. */
static bool is_private(LLVMValueRef pointer) {
    for (;;) {
        if (LLVMIsAAllocaInst(pointer))
            return true;
        if (LLVMIsAArgument(pointer)) {
            static const char by_value[] = "byval";
            LLVMValueRef function = LLVMGetParamParent(pointer);
            for (unsigned i = 0; i < LLVMCountParams(function); i++)
                if (LLVMGetParam(function, i) == pointer)
                    return LLVMGetEnumAttributeAtIndex(
                        function, i + 1, LLVMGetEnumAttributeKindForName(by_value, strlen(by_value)));
            return false;
        }
        if (LLVMIsAGlobalVariable(pointer))
            return LLVMIsGlobalConstant(pointer) && !variable_is_shared(pointer);
        if (LLVMIsABitCastInst(pointer) || LLVMIsAGetElementPtrInst(pointer) ||
            LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer))
            pointer = LLVMGetOperand(pointer, 0);
        else
            return false;
    }
}

static void access(struct instrumenter *to, const char *name, LLVMValueRef pointer, uint64_t bytes,
                   uint64_t alignment) {
    if (is_private(pointer))
        return;
    LLVMValueRef numbers[] = {number(to, bytes), number(to, alignment)};
    call(to, name, pointer, numbers, 2);
}

/* The alignment of a pointer operand of a copy or fill, as the call says it. */
static uint64_t promised_alignment(LLVMValueRef call, unsigned operand) {
    static const char align[] = "align";
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(
        call, operand + 1, LLVMGetEnumAttributeKindForName(align, strlen(align)));
    return attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
}

static bool is_named(LLVMValueRef function, const char *prefix) {
    size_t length;
    return !strncmp(LLVMGetValueName2(function, &length), prefix, strlen(prefix));
}

/* A copy or fill by an intrinsic is what clang makes of `structure = structure` and of an array's initial
 * value: a structure of a known size moves in pieces of what its alignment allows. */
static void copied(struct instrumenter *to, LLVMValueRef call_made, unsigned operand, const char *name) {
    LLVMValueRef pointer = LLVMGetOperand(call_made, operand), length = LLVMGetOperand(call_made, 2);
    uint64_t alignment = promised_alignment(call_made, operand);
    if (is_private(pointer))
        return;
    LLVMValueRef numbers[] = {length, number(to, alignment < VECTOR_BYTES ? alignment : VECTOR_BYTES)};
    call(to, name, pointer, numbers, 2);
}

static void instrument_call(struct instrumenter *to, LLVMValueRef instruction) {
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    if (!LLVMIsAFunction(plain_value(called))) {
        if (to->device && !LLVMIsAInlineAsm(called))
            call(to, SIM_NAME_CALL, called, NULL, 0);
        return;
    }
    called = plain_value(called);
    if (is_named(called, "llvm.memcpy.") || is_named(called, "llvm.memmove.")) {
        copied(to, instruction, 1, SIM_NAME_COPY_READ);
        copied(to, instruction, 0, SIM_NAME_COPY_WRITE);
    } else if (is_named(called, "llvm.memset.")) {
        copied(to, instruction, 0, SIM_NAME_COPY_WRITE);
    }
}

static void instrument(struct instrumenter *to, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(to->builder, instruction);
    LLVMSetCurrentDebugLocation2(to->builder, LLVMInstructionGetDebugLoc(instruction));
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: {
        const bool atomic = LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
        access(to,
               atomic                        ? SIM_NAME_ATOMIC_LOAD
               : LLVMGetVolatile(instruction) ? SIM_NAME_VOLATILE_READ
                                              : SIM_NAME_READ,
               LLVMGetOperand(instruction, 0), LLVMStoreSizeOfType(to->layout, LLVMTypeOf(instruction)),
               LLVMGetAlignment(instruction));
        break;
    }
    case LLVMStore: {
        const bool atomic = LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
        access(to,
               atomic                        ? SIM_NAME_ATOMIC
               : LLVMGetVolatile(instruction) ? SIM_NAME_VOLATILE_WRITE
                                              : SIM_NAME_WRITE,
               LLVMGetOperand(instruction, 1),
               LLVMStoreSizeOfType(to->layout, LLVMTypeOf(LLVMGetOperand(instruction, 0))),
               LLVMGetAlignment(instruction));
        break;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: {
        const uint64_t bytes = LLVMStoreSizeOfType(to->layout, LLVMTypeOf(LLVMGetOperand(instruction, 1)));
        access(to, SIM_NAME_ATOMIC, LLVMGetOperand(instruction, 0), bytes, bytes);
        break;
    }
    case LLVMCall:
    case LLVMInvoke:
        instrument_call(to, instruction);
        break;
    default:
        break;
    }
}

void accesses_instrument(LLVMModuleRef module, bool device) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct instrumenter to = {.module = module,
                              .builder = LLVMCreateBuilderInContext(context),
                              .layout = LLVMGetModuleDataLayout(module),
                              .byte_pointer = LLVMPointerType(LLVMInt8TypeInContext(context), 0),
                              .size = LLVMInt64TypeInContext(context),
                              .nothing = LLVMVoidTypeInContext(context),
                              .device = device};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (is_named(function, "__cuda_") || is_named(function, "sim_thunk"))
            continue; /* the compiler's registration, and what kernels.c wrote */
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                instrument(&to, i);
    }
    LLVMDisposeBuilder(to.builder);
}
