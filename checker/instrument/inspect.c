/* What is refused, because nobody could see what it does: assembly, memory that other instructions reach,
 * names of the simulator's own, and in device code functions that nobody offers there. What is looked at is
 * what the compiler made of the source, so no way of writing it down hides anything. */
#include "instrument.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refused;

/* The kit's tests have what is refused here compiled all the same, to meet what lies behind (compile/trust.sh). */
static bool without_rules(void) {
    const char *rules = getenv("SUBMISSION_RULES");
    return rules && !strcmp(rules, "none");
}

/* Of what has no place in the source itself: where it is used, or the function that it stands in. */
static LLVMValueRef with_place(LLVMValueRef where) {
    if (where && LLVMIsAGlobalAlias(where))
        where = plain_value(LLVMAliasGetAliasee(where));
    if (where && LLVMIsAGlobalVariable(where) && LLVMIsDeclaration(where))
        where = first_instruction(where);
    if (where && LLVMIsAInstruction(where) && !LLVMInstructionGetDebugLoc(where))
        where = LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
    return where;
}

void inspect_refuse(LLVMValueRef where, const char *what) {
    place_print(stderr, with_place(where));
    fprintf(stderr, "error: %s\n", what);
    refused = true;
}

bool inspect_is_among(const char *name, const char *const *names, size_t count, bool prefixes) {
    for (size_t i = 0; i < count; i++)
        if (prefixes ? !strncmp(name, names[i], strlen(names[i])) : !strcmp(name, names[i]))
            return true;
    return false;
}

/* The same with the student's word for it. */
void inspect_refuse_name(LLVMValueRef where, const char *format, const char *name) {
    char text[1024];
    snprintf(text, sizeof text, format, name);
    inspect_refuse(where, text);
}

/* Where the running thread is: what device code sees of the simulator's variables, each of 4 bytes. */
static const char *const device_variables[] = {"sim_thread_x",    "sim_thread_y",    "sim_thread_z",
                                               "sim_block_x",     "sim_block_y",     "sim_block_z",
                                               "sim_block_dim_x", "sim_block_dim_y", "sim_block_dim_z",
                                               "sim_grid_dim_x",  "sim_grid_dim_y",  "sim_grid_dim_z"};

/* ---- functions and variables that are defined ---- */

static bool has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

static void inspect_defined(LLVMValueRef function, bool device) {
    static const char *const places[] = {".text"};
    const char *section = LLVMGetSection(function);
    if (section && section[0] && !AMONG(section, places, true))
        inspect_refuse_name(function, "a function in the section %s: code lies with the other code", section);
    if (has_attribute(function, "naked"))
        inspect_refuse(function, "a function that is naked is assembly code, and nobody sees what that does");
    if (device && LLVMGetFunctionCallConv(function) != LLVMCCallConv)
        inspect_refuse(function, "a function of device code that is called in another way than the others");
}

/* Of a list of { priority, function, ... }. */
static LLVMValueRef first_constructor(LLVMValueRef list) {
    LLVMValueRef entries = LLVMGetInitializer(list);
    if (!entries || LLVMGetNumOperands(entries) < 1 || LLVMGetNumOperands(LLVMGetOperand(entries, 0)) < 2)
        return NULL;
    LLVMValueRef function = plain_value(LLVMGetOperand(LLVMGetOperand(entries, 0), 1));
    return LLVMIsAFunction(function) ? function : NULL;
}

static void inspect_variable(LLVMValueRef global, bool device) {
    static const char *const places[] = {
        ".data",       ".rodata",          ".bss",           "llvm.metadata", ".nv_fatbin",
        "__nv_fatbin", ".nvFatBinSegment", "__nv_module_id", "__nv_relfatbin"};
    const char *section = LLVMGetSection(global);
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    const bool defined = !LLVMIsDeclaration(global);
    inspect_name(global, defined);
    if (section && section[0] && !AMONG(section, places, true))
        inspect_refuse_name(global, "data in the section %s: nobody would see what is made of it there",
                            section);
    if (!device)
        return;
    if (LLVMIsThreadLocal(global))
        inspect_refuse(global, "a thread_local variable in device code: a GPU has none");
    if (!defined && !strncmp(name, "sim_", 4) && LLVMGetFirstUse(global) &&
        !(AMONG(name, device_variables, false) && LLVMIsGlobalConstant(global) &&
          LLVMGetTypeKind(LLVMGlobalGetValueType(global)) == LLVMIntegerTypeKind &&
          LLVMGetIntTypeWidth(LLVMGlobalGetValueType(global)) == 32))
        inspect_refuse_name(global, "%s belongs to the simulator: device code does not see it", name);
    if (!strcmp(name, "llvm.global_ctors") || !strcmp(name, "llvm.global_dtors"))
        inspect_refuse(
            first_constructor(global),
            "device code that runs while the program is loaded or ends (a constructor): a GPU has none");
}

/* ---- instructions ---- */

/* asm("" ::: "memory") is a word to the compiler alone. */
static bool is_empty_assembly(LLVMValueRef assembly) {
    char *text = LLVMPrintValueToString(assembly);
    const char *word = text;
    bool quoted = false; /* in the name of a structure */
    while (*word && (quoted || strncmp(word, " asm ", 5) != 0))
        quoted ^= *word++ == '"';
    const char *quote = strchr(word, '"');
    const bool empty = quote && quote[1] == '"';
    LLVMDisposeMessage(text);
    return empty;
}

static bool is_call_of(LLVMValueRef value, const char *name) {
    size_t length;
    return value && LLVMIsACallInst(value) && LLVMIsAFunction(LLVMGetCalledValue(value)) &&
           !strcmp(LLVMGetValueName2(LLVMGetCalledValue(value), &length), name);
}

/* llvm.stackrestore as the compiler writes it at the end of a variable array's life: with what llvm.stacksave
 * said, kept in a variable that nothing else touches. Anything else would move the stack. */
static bool restores_what_was_saved(LLVMValueRef call) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    if (is_call_of(value, "llvm.stacksave"))
        return true;
    LLVMValueRef kept = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!kept || !LLVMIsAAllocaInst(kept))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(kept); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsALoadInst(user) &&
            !(LLVMIsAStoreInst(user) && is_call_of(LLVMGetOperand(user, 0), "llvm.stacksave")))
            return false;
    }
    return true;
}

static bool in_other_space(LLVMValueRef pointer) {
    LLVMTypeRef type = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) != 0;
}

/* A function of another type would take memory of its caller for its arguments. Calls by an address are looked at when
 * they happen. */
static void inspect_call(LLVMValueRef call) {
    LLVMValueRef function = plain_value(LLVMGetCalledValue(call));
    size_t length;
    if (LLVMGetInstructionCallConv(call) != LLVMCCallConv)
        inspect_refuse(call, "device code calls a function in another way than the others");
    if (LLVMIsACallInst(call) && LLVMIsTailCall(call)) /* as yet only where the source says so */
        inspect_refuse(call, "device code does not jump to a function (musttail): call it");
    if (LLVMIsAGlobalAlias(function))
        function = plain_value(LLVMAliasGetAliasee(function));
    if (LLVMIsAFunction(function) && strncmp(LLVMGetValueName2(function, &length), "llvm.", 5) != 0 &&
        signature_of_call(call) != signature_of_function(function))
        inspect_refuse_name(call, "%s is called as if it were of another type",
                            LLVMGetValueName2(function, &length));
}

static void inspect_instruction(LLVMValueRef instruction, bool device) {
    static const char assembly[] =
        "inline assembly: nobody sees what it reads and writes. PTX in asm() is for a GPU: "
        "check with RUNTIME=cuda";
    const LLVMOpcode code = LLVMGetInstructionOpcode(instruction);
    if (code == LLVMCallBr)
        inspect_refuse(instruction, assembly);
    if (code == LLVMCall || code == LLVMInvoke) {
        LLVMValueRef called = LLVMGetCalledValue(instruction);
        if (LLVMIsAInlineAsm(called) && !is_empty_assembly(called))
            inspect_refuse(instruction, assembly);
        if (is_call_of(instruction, "llvm.stackrestore") && !restores_what_was_saved(instruction))
            inspect_refuse(instruction, "the stack is moved by hand");
        if (device)
            inspect_call(instruction);
    }
    if (code == LLVMVAArg || (device && code == LLVMIndirectBr))
        inspect_refuse(instruction, device ? "a jump to a computed label, which a GPU does not have"
                                           : "arguments are read in a way that nobody sees");
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (operand && in_other_space(operand)) {
            inspect_refuse(instruction, "a pointer into another address space of this computer's processor");
            return;
        }
    }
}

/* libstdc++ has one line of assembly in <iostream>: it names a symbol, which then has to be there. */
static bool is_harmless_assembly(const char *text, size_t length) {
    static const char allowed[] = ".globl _ZSt21ios_base_library_initv";
    const char *stop = text + length;
    while (text < stop) {
        const char *end = memchr(text, '\n', (size_t)(stop - text));
        if (!end)
            end = stop;
        if (end > text &&
            ((size_t)(end - text) != sizeof allowed - 1 || memcmp(text, allowed, sizeof allowed - 1)))
            return false;
        text = end + 1;
    }
    return true;
}

bool inspect_module(LLVMModuleRef module, bool device) {
    size_t length;
    refused = false;
    const char *assembly = LLVMGetModuleInlineAsm(module, &length);
    if (length && !is_harmless_assembly(assembly, length))
        inspect_refuse(NULL, "assembly code outside of functions: nobody sees what it does");
    for (LLVMValueRef global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global))
        inspect_variable(global, device);
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias; alias = LLVMGetNextGlobalAlias(alias))
        inspect_name(alias, true);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        const bool defined = !LLVMIsDeclaration(function);
        const char *name = LLVMGetValueName2(function, &length);
        inspect_name(function, defined);
        if (!defined) {
            inspect_declared(function, name, device);
            inspect_registration(function, name);
            continue;
        }
        inspect_defined(function, device);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                inspect_instruction(i, device);
    }
    LLVMValueRef chosen = LLVMGetFirstGlobalIFunc(module);
    if (chosen)
        inspect_refuse(plain_value(LLVMGetGlobalIFuncResolver(chosen)),
                       "a function that is chosen while the program is loaded (ifunc)");
    return !refused || without_rules();
}
