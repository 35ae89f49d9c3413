/* From a module to an object: optimised lightly, so that a check does not take long, and in nothing that was
 * instrumented: the calls stay where they are. */
#include "instrument.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>

static bool for_gdb;

void emit_for_gdb(void) {
    for_gdb = true;
}

/* No vectors: a loop over a local array would meet instructions that differ from one processor to the next. */
static bool optimise(LLVMModuleRef module, LLVMTargetMachineRef machine) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, false);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, false);
    LLVMErrorRef error = LLVMRunPasses(module, for_gdb ? "default<O0>" : "default<O1>", machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        fprintf(stderr, "The optimiser does not accept this: %s\n", text);
        LLVMDisposeErrorMessage(text);
    }
    return !error;
}

bool emit_prepare(LLVMModuleRef module) {
    char *text = NULL;
    const bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &text);
    if (bad)
        fprintf(stderr, "A fault of the kit: what was instrumented is not valid.\n%s\n", text);
    LLVMDisposeMessage(text);
    return !bad;
}

/* Every call puts 16 bytes on the stack, or more: fiber.c counts on it. */
static void keep_frames(LLVMModuleRef module) {
    static const char pointer[] = "frame-pointer", all[] = "all";
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(LLVMGetModuleContext(module), pointer,
                                                           sizeof pointer - 1, all, sizeof all - 1);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function))
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

bool emit_object(LLVMModuleRef module, bool device, const char *path) {
    char *text = NULL;
    LLVMTargetRef target;
    static const char *const options[] = {"instrument",
                                          "-trap-unreachable"}; /* not: on into the next function */
    LLVMParseCommandLineOptions(2, options, "");
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &text)) {
        fprintf(stderr, "%s\n", text);
        return false;
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, LLVMGetTarget(module), "", "", for_gdb ? LLVMCodeGenLevelNone : LLVMCodeGenLevelLess,
        LLVMRelocPIC, LLVMCodeModelDefault);
    keep_frames(module);
    if (!optimise(module, machine))
        return false;
    if (device)
        stacks_separate(module);
    if (LLVMTargetMachineEmitToFile(machine, module, (char *)(uintptr_t)path, LLVMObjectFile, &text)) {
        fprintf(stderr, "%s cannot be written: %s\n", path, text);
        return false;
    }
    LLVMDisposeTargetMachine(machine);
    return true;
}
