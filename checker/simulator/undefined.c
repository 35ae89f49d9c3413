/* Two of clang's undefined-behaviour checks, with our own words: a vector access that is not aligned, which a
 * GPU refuses, and an index outside an array whose size is known. The structures are those that the compiler
 * passes (LLVM, compiler-rt/lib/ubsan). */
#include "simulator.h"

struct source_location {
    const char *file;
    uint32_t line, column;
};

struct type_descriptor {
    uint16_t kind, info;
    char name[];
};

struct type_mismatch {
    struct source_location location;
    const struct type_descriptor *type;
    unsigned char log_alignment;
    unsigned char check;
};

struct out_of_bounds {
    struct source_location location;
    const struct type_descriptor *array, *index;
};

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static void misaligned(const struct type_mismatch *data, uintptr_t address, const void *pc) {
    size_t alignment = (size_t)1 << data->log_alignment;
    if (!sim_current || address == 0 || address % alignment == 0)
        return;
    struct finding finding = finding_new(FINDING_MISALIGNED, pc);
    const struct region *region = memory_find(address);
    if (region) {
        finding.offset = (int64_t)(address - region->start);
        finding.buffer_bytes = region->bytes;
        for (size_t i = 0; i < sizeof finding.buffer; i++)
            finding.buffer[i] = region->name[i];
    }
    finding_text(&finding,
                 "an access as %s needs an address that is a multiple of %zu bytes; this one is %zu past",
                 data->type->name, alignment, (size_t)(address % alignment));
    finding_send(&finding);
    error_stick(cudaErrorMisalignedAddress);
    block_abort();
}

void __ubsan_handle_type_mismatch_v1(const struct type_mismatch *data, uintptr_t address) {
    misaligned(data, address, __builtin_return_address(0));
}

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *data, uintptr_t index) {
    struct finding finding = finding_new(FINDING_SHARED_OUT_OF_BOUNDS, __builtin_return_address(0));
    finding_text(&finding, "index %lld of an array of type %s", (long long)(intptr_t)index,
                 data->array->name);
    finding_send(&finding);
    if (!sim_current)
        return;
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}
