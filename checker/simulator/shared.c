/* Rules for shared memory: inside one variable, written before it is read, in this very block.
 *
 * Blocks run one at a time, so the variables' own storage (in the submission, and one
 * area for dynamic shared memory) serves every block in turn. A word remembers in which block it was last
 * used: in any other it counts as never written. */
#include "image.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>

struct variable {
    uintptr_t start;
    size_t bytes;
    char name[64];
    uint32_t *block;        /* of each word: the block that the rest speaks of */
    unsigned char *written; /* of each word: which of its bytes have been written */
    struct cell *cells;
};

/* What `extern __shared__` arrays are: as large as a block may ask for, aligned as CUDA has it. */
_Alignas(1024) char sim_dynamic_shared[SHARED_MAX_BYTES + 64];

static struct variable *variables;
static size_t variable_count;
static uintptr_t first, stop; /* of all of them */
static struct variable dynamic;

static void make_variable(struct variable *variable, uintptr_t start, size_t bytes, const char *name) {
    size_t words = bytes / 4 + 2;
    *variable = (struct variable){.start = start, .bytes = bytes};
    snprintf(variable->name, sizeof variable->name, "%s", name);
    variable->block = calloc(words, sizeof *variable->block);
    variable->written = calloc(words, 1);
    variable->cells = calloc(words, sizeof *variable->cells);
}

static int by_start(const void *a, const void *b) {
    const struct variable *one = a, *other = b;
    return (one->start > other->start) - (one->start < other->start);
}

void shared_open(void) {
    const struct sim_image *image = sim_submission.image;
    make_variable(&dynamic, (uintptr_t)sim_dynamic_shared, SHARED_MAX_BYTES, "dynamic shared memory");
    variables = calloc(image->variable_count + 1, sizeof *variables);
    for (uint64_t i = 0; i < image->variable_count; i++) {
        char name[64];
        if (image->variables[i].kind != SIM_IN_SHARED)
            continue;
        symbol_variable_name(image->variables[i].name, name);
        make_variable(&variables[variable_count++], (uintptr_t)image->variables[i].start,
                      image->variables[i].bytes, name);
    }
    qsort(variables, variable_count, sizeof *variables, by_start);
    if (variable_count) {
        first = variables[0].start;
        stop = variables[variable_count - 1].start + variables[variable_count - 1].bytes;
    }
}

static bool in_dynamic(uintptr_t address) {
    return address - dynamic.start < SHARED_MAX_BYTES + 64;
}

bool shared_holds(uintptr_t address) {
    return address - first < stop - first || in_dynamic(address);
}

/* The variable that starts at or before the address. */
static struct variable *find(uintptr_t address) {
    if (in_dynamic(address)) {
        dynamic.bytes = sim_block.launch->dynamic_shared;
        return &dynamic;
    }
    size_t low = 0, high = variable_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (variables[middle].start <= address)
            low = middle;
        else
            high = middle;
    }
    return &variables[low];
}

static struct finding new_finding(enum finding_kind kind, const struct variable *variable,
                                  const struct access *access) {
    struct finding finding = finding_new(kind, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    finding.buffer_bytes = variable->bytes;
    finding.offset = (int64_t)(access->address - variable->start);
    snprintf(finding.buffer, sizeof finding.buffer, "%s", variable->name);
    return finding;
}

static void refuse(const struct variable *variable, const struct access *access) {
    struct finding finding = new_finding(FINDING_SHARED_OUT_OF_BOUNDS, variable, access);
    finding_text(&finding, "%s %zu bytes at byte %lld of the shared array %s, which has %zu",
                 finding.write ? "writes" : "reads", access->bytes, (long long)finding.offset, variable->name,
                 variable->bytes);
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

static void report_unwritten(const struct variable *variable, const struct access *access) {
    struct finding finding = new_finding(FINDING_SHARED_UNINITIALISED, variable, access);
    finding_text(&finding,
                 "reads %zu bytes at byte %lld of the shared array %s that no thread of this block "
                 "has written",
                 access->bytes, (long long)finding.offset, variable->name);
    finding_send(&finding);
}

/* Which bytes of a word an access touches, as 4 bits. */
static unsigned bytes_of_word(size_t word, size_t offset, size_t bytes) {
    unsigned touched = 15;
    if (word == offset / 4)
        touched &= 15u << (offset % 4);
    if (word == (offset + bytes - 1) / 4)
        touched &= 15u >> (3 - (offset + bytes - 1) % 4);
    return touched;
}

void shared_access(const struct access *access) {
    struct variable *variable = find(access->address);
    if (access->bytes > variable->bytes ||
        access->address - variable->start > variable->bytes - access->bytes) {
        refuse(variable, access);
        return;
    }
    size_t offset = access->address - variable->start;
    bool unwritten = false;
    for (size_t word = offset / 4; word <= (offset + access->bytes - 1) / 4; word++) {
        unsigned touched = bytes_of_word(word, offset, access->bytes);
        if (variable->block[word] != sim_block.number) {
            variable->block[word] = sim_block.number;
            variable->written[word] = 0;
            variable->cells[word] = (struct cell){0};
        }
        unwritten |= (variable->written[word] & touched) != touched;
        if (access->kind != ACCESS_READ)
            variable->written[word] |= (unsigned char)touched;
    }
    if (unwritten && access->kind != ACCESS_WRITE)
        report_unwritten(variable, access);
    request_note(access, true);
    race_check(variable->cells, offset, access, variable->name, variable->bytes);
}

struct cell *shared_cells(uintptr_t address, size_t *offset) {
    struct variable *variable = shared_holds(address) ? find(address) : NULL;
    if (!variable || address - variable->start >= variable->bytes ||
        variable->block[(address - variable->start) / 4] != sim_block.number)
        return NULL;
    *offset = address - variable->start;
    return variable->cells;
}
