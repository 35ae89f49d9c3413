/* From what clang makes of a submission to objects in which every access is seen.
 *
 * clang parses CUDA C itself and gives LLVM modules that nothing has optimised yet: one of the host side of a
 * file and, for CUDA C, one of its device side, which is compiled for this processor. This program
 * (build/instrument) works on them by LLVM's C interface, and hands out objects:
 *
 *   inspect.c    refuses what no one could watch: assembly, foreign address spaces, unknown functions
 *   names.c      ... and names that are the simulator's, the compiler's or no names
 *   lambdas.c    refuses lambdas of host code in kernels, as nvcc does
 *   kernels.c    a thunk for each kernel, from the host's stub of it: unpacks the arguments of a launch
 *   variables.c  __device__, __constant__ and __shared__ variables get sections and a table
 *   shared.c     how many bytes of static shared memory a kernel reaches
 *   signature.c  ... and what a function that is called by its address takes
 *   accesses.c   before each load, store and atomic operation a call of the simulator
 *   table.c      what the simulator finds the device side by (simulator/image.h)
 *   stacks.c     local variables apart from what functions need to return
 *   emit.c       optimised as far as no access is touched, and written
 *
 * Nothing of the device side is visible from outside but that one table, so both sides lie in one library. */
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One kernel, as both sides know it. */
struct kernel {
    const char *name;      /* mangled: the name by which the host registers it */
    LLVMValueRef function; /* of the device side */
    LLVMValueRef stub;     /* of the host side */
    LLVMValueRef thunk;    /* void (void **arguments) */
    unsigned count;        /* arguments */
    uint32_t *bytes;       /* of each */
    uint32_t shared_bytes; /* static shared memory of the kernel and all it calls */
    uint32_t max_threads;  /* __launch_bounds__, or 0 */
};

struct kernels {
    struct kernel *kernel;
    size_t count;
};

/* A variable in one of CUDA's memory spaces. kind: enum sim_variable_kind. */
struct variable {
    LLVMValueRef global;
    int kind;
};

struct variables {
    struct variable *variable;
    size_t count;
};

/* What is compiled: both modules of one file. device is NULL for C. */
struct sides {
    LLVMModuleRef host, device;
};

/* places.c: prints "file:line:column: " of an instruction or function, or nothing where that is not known. */
void place_print(FILE *file, LLVMValueRef where);
/* The first instruction that uses a value, or NULL. */
LLVMValueRef first_instruction(LLVMValueRef value);

/* inspect.c: says on standard error what is refused, and where. False if anything is. */
bool inspect_module(LLVMModuleRef module, bool device);
void inspect_refuse(LLVMValueRef where, const char *what);
void inspect_refuse_name(LLVMValueRef where, const char *format,
                         const char *name); /* the student's word: %s */
bool inspect_is_among(const char *name, const char *const *names, size_t count, bool prefixes);
#define AMONG(name, list, prefixes) inspect_is_among(name, list, sizeof(list) / sizeof *(list), prefixes)

/* names.c */
void inspect_declared(LLVMValueRef function, const char *name, bool device);
void inspect_name(LLVMValueRef value, bool defined);
void inspect_registration(LLVMValueRef function, const char *name);

/* lambdas.c: false where a lambda of host code runs in a kernel; standard error says which. */
bool lambdas_are_device_code(LLVMModuleRef device);

/* kernels.c */
bool kernels_find(const struct sides *sides, struct kernels *kernels);
/* The value without the casts around it. */
LLVMValueRef plain_value(LLVMValueRef value);

/* variables.c: variables in the order of the module. */
void variables_place(LLVMModuleRef device, struct variables *variables);
bool variable_is_shared(LLVMValueRef global);

/* shared.c */
void shared_measure(LLVMModuleRef device, struct kernels *kernels);

/* signature.c: two are the same where a function takes what a call gives */
uint64_t signature_of_function(LLVMValueRef function);
uint64_t signature_of_call(LLVMValueRef call);

/* accesses.c */
void accesses_instrument(LLVMModuleRef module, bool device);

/* table.c: defines sim_submission_image in the device side, and hides all else in it. */
void table_define(LLVMModuleRef device, const struct kernels *kernels, const struct variables *variables);

/* stacks.c */
void stacks_separate(LLVMModuleRef device);

/* emit.c */
void emit_for_gdb(void); /* from here on nothing is optimised */
bool emit_prepare(LLVMModuleRef module);
bool emit_object(LLVMModuleRef module, bool device, const char *path);

/* annotations.c: calls `each` for every annotation of a module whose text is `name`. argument: the first
 * number given with it, or 0. */
void annotations_each(LLVMModuleRef module, const char *name,
                      void (*each)(LLVMValueRef annotated, uint64_t argument, void *context), void *context);

#endif
