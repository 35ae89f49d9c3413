/* Lambdas of host code in device code. nvcc refuses them without --extended-lambda, which RUNTIME=cuda does not give; clang
 * takes any lambda for both sides. One of a host function is known by its name: a local entity of a function
 * (Itanium C++ ABI, 5.1.6: Z <function> E <closure>) that the device side does not have. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

/* The last place in `name` where one of these begins. */
static const char *last_of(const char *name, const char *one, const char *other) {
    const char *last = NULL;
    for (const char *at = name; *at; at++)
        if (!strncmp(at, one, strlen(one)) || !strncmp(at, other, strlen(other)))
            last = at;
    return last;
}

/* "_ZZ4makefENKUliE_clEi" -> "4makef"; 0: the function is no lambda's. */
static size_t enclosing(const char *name, char *function, size_t bytes) {
    if (strncmp(name, "_ZZ", 3) != 0)
        return 0;
    const char *closure = last_of(name, "ENKUl", "ENUl");
    const size_t length = closure ? (size_t)(closure - name - 3) : 0;
    if (!closure || length + 3 > bytes)
        return 0;
    snprintf(function, bytes, "_Z%.*s", (int)length, name + 3);
    return length;
}

/* A lambda of a lambda is the inner function's; so is one in the initial value of a variable, which has no E. */
static bool device_has(LLVMModuleRef device, const char *mangled) {
    return LLVMGetNamedFunction(device, mangled) || LLVMGetNamedFunction(device, mangled + 2) ||
           strstr(mangled, "Ul") != NULL;
}

bool lambdas_are_device_code(LLVMModuleRef device) {
    bool good = true;
    for (LLVMValueRef function = LLVMGetFirstFunction(device); function;
         function = LLVMGetNextFunction(function)) {
        char mangled[2048];
        size_t length;
        if (LLVMIsDeclaration(function) ||
            !enclosing(LLVMGetValueName2(function, &length), mangled, sizeof mangled) ||
            device_has(device, mangled))
            continue;
        place_print(stderr, function);
        fputs("error: a lambda of host code runs in a kernel. nvcc takes that with --extended-lambda only, "
              "which "
              "RUNTIME=cuda does not give: write a struct with a __device__ operator() instead\n",
              stderr);
        good = false;
    }
    return good;
}
