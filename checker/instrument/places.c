/* Where something stands in the source, as the compiler's messages say it. */
#include "instrument.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The compiler keeps names relative to the folder that it ran in, or to one above it. */
void place_print(FILE *file, LLVMValueRef where) {
    unsigned length = 0, folder_length = 0;
    char here[4096];
    const char *name = where ? LLVMGetDebugLocFilename(where, &length) : NULL;
    const char *folder = where ? LLVMGetDebugLocDirectory(where, &folder_length) : NULL;
    if (!name || !length)
        return;
    if (name[0] != '/' && folder && getcwd(here, sizeof here) &&
        (strlen(here) != folder_length || memcmp(here, folder, folder_length) != 0))
        fprintf(file, "%.*s/", (int)folder_length, folder);
    fprintf(file, "%.*s:%u:%u: ", (int)length, name, LLVMGetDebugLocLine(where),
            LLVMIsAInstruction(where) ? LLVMGetDebugLocColumn(where) : 1);
}

LLVMValueRef first_instruction(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAConstantExpr(user))
            user = first_instruction(user);
        if (user && LLVMIsAInstruction(user))
            return user;
    }
    return NULL;
}
