/* What the compiler passes to the handlers of its undefined-behaviour checks (LLVM, compiler-rt/lib/ubsan). */
#ifndef UNDEFINED_H
#define UNDEFINED_H

#include <stdint.h>

struct source_location {
    const char *file;
    uint32_t line, column;
};

struct type_descriptor {
    uint16_t kind, info;
    char name[];
};

struct out_of_bounds {
    struct source_location location;
    const struct type_descriptor *array, *index;
};

#endif
