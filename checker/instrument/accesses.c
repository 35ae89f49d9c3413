/* Before each load, store, atomic operation and copy a call of the simulator: which address, how many bytes,
 * which alignment the language promises. The module is as clang wrote it down, so these are the accesses that
 * stand in the source, each at its line; what is optimised later cannot take the calls away, or merge two.
 *
 * Left out is what no one but the thread can see: its local variables, taken by name, as long as the index
 * stays inside of them. An access to a local variable through a pointer is seen, and passed over by the
 * simulator. */
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
    LLVMValueRef arguments[4] = {LLVMBuildPointerCast(to->builder, address, to->byte_pointer, "")};
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

/* ---- what no one but the thread can see ---- */

/* The place of an access in a variable of this very function, a parameter that was copied for it, or a
 * constant of the program: `offset` bytes into one of `bytes` bytes. base is NULL where it is none of these.
 */
struct local {
    LLVMValueRef base, offset, bytes;
};

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static LLVMTypeRef by_value_type(LLVMValueRef parameter) {
    LLVMValueRef function = LLVMGetParamParent(parameter);
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMAttributeRef attribute =
            LLVMGetParam(function, i) == parameter
                ? LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("byval"))
                : NULL;
        if (attribute)
            return LLVMGetTypeAttributeValue(attribute);
    }
    return NULL;
}

/* How many bytes the variable has, or NULL: others may see it. Only a load leaves a constant as it is. */
static LLVMValueRef local_bytes(const struct instrumenter *to, LLVMValueRef base, bool write) {
    if (LLVMIsAAllocaInst(base)) {
        LLVMValueRef count = LLVMBuildIntCast2(to->builder, LLVMGetOperand(base, 0), to->size, false, "");
        return LLVMBuildMul(to->builder, count,
                            number(to, LLVMABISizeOfType(to->layout, LLVMGetAllocatedType(base))), "");
    }
    if (LLVMIsAArgument(base)) {
        LLVMTypeRef type = by_value_type(base);
        return type ? number(to, LLVMABISizeOfType(to->layout, type)) : NULL;
    }
    /* Private are clang's own, such as the values of `double pad[3]` in `pad{0, 0, 0}`, which it does not call constant. */
    if (!write && LLVMIsAGlobalVariable(base) && !variable_is_shared(base) &&
        (LLVMIsGlobalConstant(base) || LLVMGetLinkage(base) == LLVMPrivateLinkage)) {
        const uint64_t bytes = LLVMABISizeOfType(to->layout, LLVMGlobalGetValueType(base));
        return bytes ? number(to, bytes) : NULL;
    }
    return NULL;
}

/* The bytes that one address computation adds. */
static LLVMValueRef added_offset(const struct instrumenter *to, LLVMValueRef address) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    LLVMValueRef sum = number(to, 0);
    for (int i = 1; i < LLVMGetNumOperands(address); i++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
            return NULL;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            sum =
                LLVMBuildAdd(to->builder, sum, number(to, LLVMOffsetOfElement(to->layout, type, field)), "");
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        index = LLVMBuildIntCast2(to->builder, index, to->size, true, "");
        sum = LLVMBuildAdd(
            to->builder, sum,
            LLVMBuildMul(to->builder, index, number(to, LLVMABISizeOfType(to->layout, type)), ""), "");
    }
    return sum;
}

static bool is_address_computation(LLVMValueRef value) {
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static bool is_cast(LLVMValueRef value) {
    return LLVMIsABitCastInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast);
}

static struct local local_of(const struct instrumenter *to, LLVMValueRef pointer, bool write) {
    LLVMValueRef base = pointer;
    while (is_cast(base) || is_address_computation(base))
        base = LLVMGetOperand(base, 0);
    struct local local = {NULL, number(to, 0), local_bytes(to, base, write)};
    if (!local.bytes)
        return local;
    for (; pointer != base; pointer = LLVMGetOperand(pointer, 0))
        if (is_address_computation(pointer)) {
            LLVMValueRef added = added_offset(to, pointer);
            if (!added)
                return local;
            local.offset = LLVMBuildAdd(to->builder, local.offset, added, "");
        }
    local.base = base;
    return local;
}

/* void inside(offset, bytes, size): calls the simulator where the access is not inside. Inlined everywhere,
 * so that what is known of an index takes it away again. */
static LLVMValueRef inside_function(struct instrumenter *to) {
    static const char name[] = "sim_inside", always[] = "alwaysinline";
    LLVMValueRef function = LLVMGetNamedFunction(to->module, name);
    if (function)
        return function;
    LLVMContextRef context = LLVMGetModuleContext(to->module);
    LLVMTypeRef types[] = {to->size, to->size, to->size};
    LLVMTypeRef type = LLVMFunctionType(to->nothing, types, 3, false);
    LLVMValueRef outside = LLVMAddFunction(to->module, SIM_NAME_OUTSIDE, type);
    function = LLVMAddFunction(to->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, attribute_kind(always), 0));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMValueRef offset = LLVMGetParam(function, 0), bytes = LLVMGetParam(function, 1),
                 size = LLVMGetParam(function, 2);
    LLVMPositionBuilderAtEnd(builder, first);
    LLVMValueRef past =
        LLVMBuildICmp(builder, LLVMIntUGT, offset, LLVMBuildSub(builder, size, bytes, ""), "");
    LLVMValueRef large = LLVMBuildICmp(builder, LLVMIntUGT, bytes, size, "");
    LLVMBuildCondBr(builder, LLVMBuildOr(builder, past, large, ""), bad, good);
    LLVMPositionBuilderAtEnd(builder, bad);
    LLVMValueRef arguments[] = {offset, bytes, size};
    LLVMBuildCall2(builder, type, outside, arguments, 3, "");
    LLVMBuildBr(builder, good);
    LLVMPositionBuilderAtEnd(builder, good);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return function;
}

/* An index may still lead out of the variable, to anything. */
static void check_local(struct instrumenter *to, const struct local *local, LLVMValueRef bytes) {
    if (LLVMIsAConstantInt(local->offset) && LLVMIsAConstantInt(local->bytes) && LLVMIsAConstantInt(bytes)) {
        const uint64_t size = LLVMConstIntGetZExtValue(local->bytes),
                       length = LLVMConstIntGetZExtValue(bytes);
        if (length <= size && LLVMConstIntGetZExtValue(local->offset) <= size - length)
            return;
    }
    LLVMValueRef function = inside_function(to);
    LLVMValueRef arguments[] = {local->offset, bytes, local->bytes};
    LLVMBuildCall2(to->builder, LLVMGlobalGetValueType(function), function, arguments, 3, "");
}

/* ---- accesses ---- */

static void access_of(struct instrumenter *to, const char *name, LLVMValueRef pointer, LLVMValueRef bytes,
                      uint64_t alignment, bool write) {
    bytes = LLVMBuildIntCast2(to->builder, bytes, to->size, false, "");
    const struct local local = local_of(to, pointer, write);
    if (local.base) {
        check_local(to, &local, bytes);
        return;
    }
    LLVMValueRef numbers[] = {bytes, number(to, alignment)};
    call(to, name, pointer, numbers, 2);
}

static void access(struct instrumenter *to, const char *name, LLVMValueRef pointer, uint64_t bytes,
                   uint64_t alignment, bool write) {
    access_of(to, name, pointer, number(to, bytes), alignment, write);
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
    const uint64_t alignment = promised_alignment(call_made, operand);
    access_of(to, name, LLVMGetOperand(call_made, operand), LLVMGetOperand(call_made, 2),
              alignment < VECTOR_BYTES ? alignment : VECTOR_BYTES, operand == 0);
}

/* A structure given by value is copied by the call itself. */
static void given_by_value(struct instrumenter *to, LLVMValueRef call_made) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call_made); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call_made, i + 1, attribute_kind("byval"));
        if (!attribute)
            continue;
        const uint64_t alignment = promised_alignment(call_made, i);
        access(to, SIM_NAME_COPY_READ, LLVMGetOperand(call_made, i),
               LLVMABISizeOfType(to->layout, LLVMGetTypeAttributeValue(attribute)),
               alignment < VECTOR_BYTES ? alignment : VECTOR_BYTES, false);
    }
}

/* Functions of the mathematical library that write through a pointer, and what the compiler writes for a list
 * of arguments (System V ABI, AMD64: 24 bytes). */
static const struct {
    const char *name;
    unsigned operand, bytes;
} writing[] = {{"frexp", 1, 4},   {"frexpf", 1, 4},  {"modf", 1, 8},           {"modff", 1, 4},
               {"remquo", 2, 4},  {"remquof", 2, 4}, {"sincos", 1, 8},         {"sincos", 2, 8},
               {"sincosf", 1, 4}, {"sincosf", 2, 4}, {"llvm.va_start", 0, 24}, {"llvm.va_copy", 0, 24}};

static void written_by_library(struct instrumenter *to, LLVMValueRef call_made, LLVMValueRef called) {
    size_t length;
    const char *name = LLVMGetValueName2(called, &length);
    for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
        if (LLVMIsDeclaration(called) && !strcmp(name, writing[i].name) &&
            writing[i].operand < LLVMGetNumArgOperands(call_made))
            access(to, SIM_NAME_WRITE, LLVMGetOperand(call_made, writing[i].operand), writing[i].bytes,
                   writing[i].bytes < 8 ? writing[i].bytes : 8, true);
    if (!strcmp(name, "llvm.va_copy"))
        access(to, SIM_NAME_READ, LLVMGetOperand(call_made, 1), 24, 8, false);
}

/* The function that a call names, as it is: an address that was computed from one may lead into its middle. */
static LLVMValueRef named_function(LLVMValueRef called) {
    while (is_cast(called))
        called = LLVMGetOperand(called, 0);
    return LLVMIsAFunction(called) ? called : NULL;
}

/* Whether the array whose index clang's check (fsanitize=bounds) found too large lies in this function: behind the call of the
 * handler comes the address that is computed with that index. */
static bool is_index_of_local(LLVMValueRef handler_call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(handler_call));
    if (!end || LLVMGetNumSuccessors(end) == 0)
        return false;
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetSuccessor(end, 0));
    while (at && !is_address_computation(at))
        at = LLVMGetNextInstruction(at);
    while (at && (is_cast(at) || is_address_computation(at)))
        at = LLVMGetOperand(at, 0);
    return at && LLVMIsAAllocaInst(at);
}

/* An array of the thread's own has words of its own: it is not shared memory. */
static void rename_handler(struct instrumenter *to, LLVMValueRef handler_call) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(handler_call);
    LLVMValueRef function = LLVMGetNamedFunction(to->module, SIM_NAME_LOCAL_INDEX);
    if (!function)
        function = LLVMAddFunction(to->module, SIM_NAME_LOCAL_INDEX, type);
    LLVMSetOperand(handler_call, (unsigned)LLVMGetNumOperands(handler_call) - 1, function);
}

static void instrument_call(struct instrumenter *to, LLVMValueRef instruction) {
    LLVMValueRef called = LLVMGetCalledValue(instruction), function = named_function(called);
    given_by_value(to, instruction);
    if (!function) {
        if (to->device && !LLVMIsAInlineAsm(called))
            call(to, SIM_NAME_CALL, called, (LLVMValueRef[]){number(to, signature_of_call(instruction))}, 1);
        return;
    }
    if (to->device && is_named(function, "__ubsan_handle_out_of_bounds") && is_index_of_local(instruction)) {
        rename_handler(to, instruction);
        return;
    }
    if (is_named(function, "llvm.memcpy.") || is_named(function, "llvm.memmove.")) {
        copied(to, instruction, 1, SIM_NAME_COPY_READ);
        copied(to, instruction, 0, SIM_NAME_COPY_WRITE);
    } else if (is_named(function, "llvm.memset.")) {
        copied(to, instruction, 0, SIM_NAME_COPY_WRITE);
    } else {
        written_by_library(to, instruction, function);
    }
}

static void instrument(struct instrumenter *to, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(to->builder, instruction);
    LLVMSetCurrentDebugLocation2(to->builder, LLVMInstructionGetDebugLoc(instruction));
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: {
        const bool atomic = LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
        access(to,
               atomic                         ? SIM_NAME_ATOMIC_LOAD
               : LLVMGetVolatile(instruction) ? SIM_NAME_VOLATILE_READ
                                              : SIM_NAME_READ,
               LLVMGetOperand(instruction, 0), LLVMStoreSizeOfType(to->layout, LLVMTypeOf(instruction)),
               LLVMGetAlignment(instruction), false);
        break;
    }
    case LLVMStore: {
        const bool atomic = LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
        access(to,
               atomic                         ? SIM_NAME_ATOMIC
               : LLVMGetVolatile(instruction) ? SIM_NAME_VOLATILE_WRITE
                                              : SIM_NAME_WRITE,
               LLVMGetOperand(instruction, 1),
               LLVMStoreSizeOfType(to->layout, LLVMTypeOf(LLVMGetOperand(instruction, 0))),
               LLVMGetAlignment(instruction), true);
        break;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: {
        const uint64_t bytes = LLVMStoreSizeOfType(to->layout, LLVMTypeOf(LLVMGetOperand(instruction, 1)));
        access(to, SIM_NAME_ATOMIC, LLVMGetOperand(instruction, 0), bytes, bytes, true);
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

/* ---- promises ---- */

static bool is_assumption(LLVMValueRef instruction) {
    LLVMValueRef called =
        LLVMIsACallInst(instruction) ? named_function(LLVMGetCalledValue(instruction)) : NULL;
    return called && is_named(called, "llvm.assume");
}

static void trap(const struct instrumenter *to, LLVMValueRef before) {
    LLVMValueRef function = LLVMGetNamedFunction(to->module, "llvm.trap");
    LLVMTypeRef type = LLVMFunctionType(to->nothing, NULL, 0, false);
    if (!function)
        function = LLVMAddFunction(to->module, "llvm.trap", type);
    LLVMPositionBuilderBefore(to->builder, before);
    LLVMSetCurrentDebugLocation2(to->builder, LLVMInstructionGetDebugLoc(before));
    LLVMBuildCall2(to->builder, type, function, NULL, 0, "");
}

/* What the optimiser concludes from a student's promises must not take a check away or lead out of the code:
 * a place that no one reaches is a trap, what is assumed is forgotten, and no jump goes through a table.
 * emit.c adds a trap where the optimiser itself finds that no one arrives. */
static void distrust(const struct instrumenter *to, LLVMValueRef function) {
    static const char tables[] = "no-jump-tables", yes[] = "true", range[] = "range";
    LLVMContextRef context = LLVMGetModuleContext(to->module);
    const unsigned range_kind = LLVMGetMDKindIDInContext(context, range, sizeof range - 1);
    if (LLVMIsDeclaration(function))
        return;
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, tables, sizeof tables - 1, yes, sizeof yes - 1));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsALoadInst(i) && LLVMGetMetadata(i, range_kind))
                LLVMSetMetadata(i, range_kind, NULL);
            if (LLVMGetInstructionOpcode(i) == LLVMUnreachable)
                trap(to, i);
            if (is_assumption(i))
                LLVMInstructionEraseFromParent(i);
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
        if (is_named(function, "sim_inside"))
            continue; /* ours, above */
        distrust(&to, function);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                instrument(&to, i);
    }
    LLVMDisposeBuilder(to.builder);
}
