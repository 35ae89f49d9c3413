/* Kernels, and for each a thunk that unpacks the arguments of a launch.
 *
 * A launch gives the arguments as an array of pointers, and the kernel wants them as this processor's calling
 * convention has them: in registers, a structure perhaps in two of them, or copied to the stack. The host's
 * stub of the kernel has the same parameters and does the way back: it puts each into memory and makes the
 * array of pointers (clang, CGCUDANV.cpp). So each value that the stub stores is, for the thunk, a value to load
 * from the same place. No type has to be named, so local and unnamed types, templates and overloads are like
 * any other. */
#include "instrument.h"
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef plain_value(LLVMValueRef value) {
    for (;;) {
        const bool cast = LLVMIsABitCastInst(value) || LLVMIsAAddrSpaceCastInst(value) ||
                          (LLVMIsAConstantExpr(value) && (LLVMGetConstOpcode(value) == LLVMBitCast ||
                                                          LLVMGetConstOpcode(value) == LLVMAddrSpaceCast ||
                                                          LLVMGetConstOpcode(value) == LLVMGetElementPtr));
        if (!cast)
            return value;
        value = LLVMGetOperand(value, 0);
    }
}

/* ---- where a stub keeps things ---- */

/* A place in the stub's frame: so many bytes into what `base` (an alloca, or a parameter that is in memory
 * already) points to. */
struct place {
    LLVMValueRef base;
    uint64_t offset;
};

static struct place place_of(LLVMValueRef pointer, LLVMTargetDataRef layout) {
    struct place place = {pointer, 0};
    for (;;) {
        if (LLVMIsABitCastInst(place.base)) {
            place.base = LLVMGetOperand(place.base, 0);
            continue;
        }
        if (!LLVMIsAGetElementPtrInst(place.base))
            return place;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(place.base);
        const int operands = LLVMGetNumOperands(place.base);
        for (int i = 1; i < operands; i++) {
            LLVMValueRef index = LLVMGetOperand(place.base, (unsigned)i);
            if (!LLVMIsAConstantInt(index))
                return (struct place){NULL, 0};
            const uint64_t number = LLVMConstIntGetZExtValue(index);
            if (i == 1) {
                place.offset += number * LLVMABISizeOfType(layout, type);
            } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                place.offset += LLVMOffsetOfElement(layout, type, (unsigned)number);
                type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            } else {
                type = LLVMGetElementType(type);
                place.offset += number * LLVMABISizeOfType(layout, type);
            }
        }
        place.base = LLVMGetOperand(place.base, 0);
    }
}

/* A store into the stub's frame. */
struct stored {
    struct place place;
    LLVMValueRef value;
};

static size_t stores_of(LLVMValueRef stub, LLVMTargetDataRef layout, struct stored **stores) {
    size_t count = 0;
    *stores = NULL;
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(stub);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAStoreInst(i))
            continue;
        *stores = realloc(*stores, (count + 1) * sizeof **stores);
        (*stores)[count++] = (struct stored){place_of(LLVMGetOperand(i, 1), layout), LLVMGetOperand(i, 0)};
    }
    return count;
}

/* The array of pointers to the arguments: the launch's fifth argument from behind the kernel on, whatever the
 * convention made of grid and block. */
static LLVMValueRef array_of(LLVMValueRef stub, LLVMTargetDataRef layout) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(stub); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i))
                continue;
            LLVMValueRef called = plain_value(LLVMGetCalledValue(i));
            size_t length;
            if (!LLVMIsAFunction(called) ||
                strcmp(LLVMGetValueName2(called, &length), "cudaLaunchKernel") != 0)
                continue;
            const unsigned arguments = LLVMGetNumArgOperands(i);
            return place_of(LLVMGetOperand(i, arguments - 3), layout).base;
        }
    return NULL;
}

/* ---- what the host registers ---- */

static const char *string_of(LLVMValueRef value) {
    LLVMValueRef global = plain_value(value);
    size_t length;
    if (!LLVMIsAGlobalVariable(global) || !LLVMGetInitializer(global) ||
        !LLVMIsConstantString(LLVMGetInitializer(global)))
        return NULL;
    return LLVMGetAsString(LLVMGetInitializer(global), &length);
}

static void note_limit(LLVMValueRef function, uint64_t threads, void *context) {
    struct kernels *kernels = context;
    for (size_t i = 0; i < kernels->count; i++)
        if (kernels->kernel[i].function == function)
            kernels->kernel[i].max_threads = (uint32_t)threads;
}

/* ---- thunks ---- */

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* How the kernel's parameters are passed has to stand at its call too. */
static void copy_attributes(LLVMValueRef function, LLVMValueRef call) {
    static const char *const names[] = {"byval", "align", "signext", "zeroext", "inreg"};
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i, attribute_kind(names[k]));
            if (attribute)
                LLVMAddCallSiteAttribute(call, i, attribute);
        }
}

/* The pointer to argument number `index`, so many bytes on, to a value of this type. */
static LLVMValueRef argument_pointer(LLVMBuilderRef builder, LLVMValueRef array, unsigned index,
                                     uint64_t offset, LLVMTypeRef type, LLVMTypeRef byte_pointer) {
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMValueRef number = LLVMConstInt(LLVMInt64TypeInContext(context), index, false);
    LLVMValueRef slot = LLVMBuildGEP2(builder, byte_pointer, array, &number, 1, "");
    LLVMValueRef pointer = LLVMBuildLoad2(builder, byte_pointer, slot, "");
    number = LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);
    pointer = LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), pointer, &number, 1, "");
    return LLVMBuildBitCast(builder, pointer, LLVMPointerType(type, 0), "");
}

struct arguments {
    LLVMValueRef *base; /* of each: the place in the stub's frame */
    unsigned count;
};

static int argument_at(const struct arguments *arguments, LLVMValueRef base) {
    for (unsigned i = 0; i < arguments->count; i++)
        if (arguments->base[i] == base)
            return (int)i;
    return -1;
}

static uint32_t bytes_of(LLVMValueRef base, LLVMTargetDataRef layout) {
    if (LLVMIsAAllocaInst(base))
        return (uint32_t)LLVMABISizeOfType(layout, LLVMGetAllocatedType(base));
    LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(base), 0, 0);
    LLVMValueRef function = LLVMGetParamParent(base);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == base)
            by_value = LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("byval"));
    return by_value ? (uint32_t)LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(by_value)) : 0;
}

/* A structure whose size is no power of two goes through a second place in the frame, which is copied. Where that copy is:
 * the place itself, or what `place` is copied to. */
static struct place after_copy(LLVMValueRef stub, struct place place, const struct arguments *arguments,
                               LLVMTargetDataRef layout) {
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(stub);
    if (argument_at(arguments, place.base) >= 0)
        return place;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        size_t length;
        if (!LLVMIsACallInst(i) || !LLVMIsAFunction(plain_value(LLVMGetCalledValue(i))) ||
            strncmp(LLVMGetValueName2(plain_value(LLVMGetCalledValue(i)), &length), "llvm.memcpy.", 12) != 0)
            continue;
        const struct place to = place_of(LLVMGetOperand(i, 0), layout);
        const struct place from = place_of(LLVMGetOperand(i, 1), layout);
        if (from.base == place.base && argument_at(arguments, to.base) >= 0)
            return (struct place){to.base, to.offset + place.offset - from.offset};
    }
    return place;
}

/* What a store puts away of a parameter: a bool is one bit as a parameter and a byte in memory. */
static bool is_kept(LLVMValueRef stored, LLVMValueRef parameter) {
    return stored == parameter || (LLVMIsAZExtInst(stored) && LLVMGetOperand(stored, 0) == parameter);
}

static bool build_thunk(struct kernel *kernel, LLVMModuleRef device, LLVMTargetDataRef layout) {
    struct stored *stores;
    const size_t store_count = stores_of(kernel->stub, layout, &stores);
    LLVMValueRef array = array_of(kernel->stub, layout);
    struct arguments arguments = {
        calloc(LLVMCountParams(kernel->stub) + store_count + 1, sizeof(LLVMValueRef)), 0};
    for (size_t i = 0; i < store_count; i++)
        if (array && stores[i].place.base == array) {
            const unsigned index = (unsigned)(stores[i].place.offset / 8);
            arguments.base[index] = place_of(stores[i].value, layout).base;
            if (index >= arguments.count)
                arguments.count = index + 1;
        }
    kernel->count = arguments.count;
    kernel->bytes = calloc(arguments.count + 1, sizeof *kernel->bytes);
    for (unsigned i = 0; i < arguments.count; i++)
        kernel->bytes[i] = bytes_of(arguments.base[i], layout);

    LLVMContextRef context = LLVMGetModuleContext(device);
    LLVMTypeRef byte_pointer = LLVMPointerType(LLVMInt8TypeInContext(context), 0);
    LLVMTypeRef array_type = LLVMPointerType(byte_pointer, 0);
    LLVMTypeRef thunk_type = LLVMFunctionType(LLVMVoidTypeInContext(context), &array_type, 1, false);
    kernel->thunk = LLVMAddFunction(device, "sim_thunk", thunk_type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel->thunk, ""));

    LLVMTypeRef kernel_type = LLVMGlobalGetValueType(kernel->function);
    const unsigned parameters = LLVMCountParams(kernel->function);
    LLVMValueRef *values = calloc(parameters + 1, sizeof *values);
    bool good = signature_of_function(kernel->function) == signature_of_function(kernel->stub);
    for (unsigned i = 0; i < parameters && good; i++) {
        LLVMValueRef given = LLVMGetParam(kernel->stub, i);
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, i));
        int number = argument_at(&arguments, given);
        if (number >= 0) { /* in memory already: the pointer itself */
            LLVMValueRef pointer = argument_pointer(builder, LLVMGetParam(kernel->thunk, 0), (unsigned)number,
                                                    0, LLVMInt8TypeInContext(context), byte_pointer);
            values[i] = LLVMBuildBitCast(builder, pointer, type, "");
            continue;
        }
        for (size_t k = 0; k < store_count && !values[i]; k++) {
            if (!is_kept(stores[k].value, given))
                continue;
            const struct place place = after_copy(kernel->stub, stores[k].place, &arguments, layout);
            LLVMTypeRef kept = stores[k].value == given ? type : LLVMInt8TypeInContext(context);
            number = argument_at(&arguments, place.base);
            if (number >= 0) {
                LLVMValueRef pointer = argument_pointer(builder, LLVMGetParam(kernel->thunk, 0),
                                                        (unsigned)number, place.offset, kept, byte_pointer);
                values[i] = LLVMBuildLoad2(builder, kept, pointer, "");
                LLVMSetAlignment(values[i], 1);
                if (kept != type)
                    values[i] = LLVMBuildTrunc(builder, values[i], type, "");
            }
        }
        good = values[i] != NULL;
    }
    if (good)
        copy_attributes(kernel->function,
                        LLVMBuildCall2(builder, kernel_type, kernel->function, values, parameters, ""));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    free(values);
    free(arguments.base);
    free(stores);
    return good;
}

bool kernels_find(const struct sides *sides, struct kernels *kernels) {
    *kernels = (struct kernels){0};
    LLVMValueRef registers = LLVMGetNamedFunction(sides->host, "__cudaRegisterFunction");
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(sides->host);
    for (LLVMUseRef use = registers ? LLVMGetFirstUse(registers) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call))
            continue;
        const char *name = string_of(LLVMGetOperand(call, 2));
        LLVMValueRef function = name ? LLVMGetNamedFunction(sides->device, name) : NULL;
        if (!function || LLVMIsDeclaration(function))
            continue;
        kernels->kernel = realloc(kernels->kernel, (kernels->count + 1) * sizeof *kernels->kernel);
        struct kernel *kernel = &kernels->kernel[kernels->count++];
        *kernel =
            (struct kernel){.name = name, .function = function, .stub = plain_value(LLVMGetOperand(call, 1))};
        if (!LLVMIsAFunction(kernel->stub) || LLVMIsDeclaration(kernel->stub) ||
            !build_thunk(kernel, sides->device, layout)) {
            place_print(stderr, function);
            fprintf(stderr, "error: the kernel %s has parameters that the simulator cannot pass\n", name);
            return false;
        }
    }
    annotations_each(sides->device, "sim_launch_bounds", note_limit, kernels);
    return true;
}
