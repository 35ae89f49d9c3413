/* instrument [--for-gdb] HOST.bc HOST.o [DEVICE.bc DEVICE.o]
 *
 * Reads the modules that clang wrote for one file of a submission and writes the objects that are linked into
 * submission.so. For gdb nothing is optimised, so that each variable is where it was written. Status 1: something is refused, and standard error says what. */
#include "instrument.h"
#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <string.h>

static LLVMModuleRef read_module(const char *path) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *text = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) {
        fprintf(stderr, "%s cannot be read: %s\n", path, text);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(LLVMGetGlobalContext(), buffer, &module)) {
        fprintf(stderr, "%s is no module of this LLVM's.\n", path);
        return NULL;
    }
    return module;
}

static bool instrument_device(const struct sides *sides) {
    struct kernels kernels;
    struct variables variables;
    accesses_instrument(sides->device, true); /* before there are thunks, which read memory of the host */
    if (!kernels_find(sides, &kernels))
        return false;
    shared_measure(sides->device, &kernels);
    variables_place(sides->device, &variables);
    table_define(sides->device, &kernels, &variables);
    return true;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "--for-gdb") == 0) {
        emit_for_gdb();
        arguments++;
        count--;
    }
    if (count != 3 && count != 5) {
        fputs("usage: instrument [--for-gdb] HOST.bc HOST.o [DEVICE.bc DEVICE.o]\n", stderr);
        return 64;
    }
    struct sides sides = {.host = read_module(arguments[1])};
    if (!sides.host || !inspect_module(sides.host, false))
        return 1;
    if (count == 5) {
        sides.device = read_module(arguments[3]);
        if (!sides.device || !inspect_module(sides.device, true) || !lambdas_are_device_code(sides.device) ||
            !instrument_device(&sides) || !emit_prepare(sides.device) ||
            !emit_object(sides.device, true, arguments[4]))
            return 1;
    }
    accesses_instrument(sides.host, false);
    return emit_prepare(sides.host) && emit_object(sides.host, false, arguments[2]) ? 0 : 1;
}
