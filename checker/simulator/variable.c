/* Rules for the submission's own variables: __device__ and __constant__ ones belong to kernels, read-only
 * data of the program to everyone, and its other variables to host code alone. */
#include "image.h"
#include "simulator.h"
#define __USE_GNU_DLINFO
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SEGMENTS = 16 };

static struct region *variables;
static const char **names; /* mangled */
static size_t variable_count;
static struct { uintptr_t start, stop; } constant_segments[MAX_SEGMENTS];
static int segment_count;

static void add(const struct sim_variable *variable) {
    variables = realloc(variables, (variable_count + 1) * sizeof *variables);
    names = realloc(names, (variable_count + 1) * sizeof *names);
    names[variable_count] = variable->name;
    struct region *region = &variables[variable_count++];
    *region = (struct region){.start = (uintptr_t)variable->start,
                              .bytes = variable->bytes,
                              .kind = variable->kind == SIM_IN_CONSTANT ? REGION_CONSTANT : REGION_VARIABLE,
                              .state = REGION_LIVE,
                              .read_only = variable->kind == SIM_IN_CONSTANT,
                              .buffer = -1,
                              .trace = -1,
                              .initialised = malloc(variable->bytes + 8),
                              .cells = calloc(variable->bytes / 4 + 2, sizeof(struct cell))};
    memset(region->initialised, 1, variable->bytes + 8);
    symbol_variable_name(variable->name, region->name);
}

static int note_segments(struct dl_phdr_info *info, size_t bytes, void *argument) {
    (void)bytes;
    (void)argument;
    if (info->dlpi_addr != sim_submission.base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, stop = start + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO &&
            segment_count < MAX_SEGMENTS) { /* tables of virtual functions */
            constant_segments[segment_count].start = start;
            constant_segments[segment_count++].stop = stop;
        }
        if (segment->p_type != PT_LOAD)
            continue;
        if (stop > sim_submission.end)
            sim_submission.end = stop;
        if (!(segment->p_flags & PF_W) && segment_count < MAX_SEGMENTS) {
            constant_segments[segment_count].start = start;
            constant_segments[segment_count++].stop = stop;
        }
    }
    return 1;
}

void variable_open(void) {
    const struct sim_image *image = sim_submission.image;
    for (uint64_t i = 0; i < image->variable_count; i++)
        if (image->variables[i].kind != SIM_IN_SHARED)
            add(&image->variables[i]);
    dl_iterate_phdr(note_segments, NULL);
}

/* A case begins: what earlier cases did with the variables is forgotten, their values are not. */
void variable_reset(void) {
    for (size_t i = 0; i < variable_count; i++) {
        memset(variables[i].cells, 0, (variables[i].bytes / 4 + 2) * sizeof(struct cell));
        variables[i].touched_by = 0;
    }
}

struct region *variable_find(uintptr_t address) {
    for (size_t i = 0; i < variable_count; i++)
        if (address - variables[i].start < variables[i].bytes)
            return &variables[i];
    return NULL;
}

struct region *variable_named(const char *name) {
    for (size_t i = 0; i < variable_count; i++)
        if (!strcmp(names[i], name))
            return &variables[i];
    return NULL;
}

size_t variable_number(void) {
    return variable_count;
}

struct region *variable_at(size_t index) {
    return &variables[index];
}

bool variable_access(const struct access *access) {
    struct region *region = variable_find(access->address);
    if (region && region_contains(region, access)) {
        region_access(region, access);
        return true;
    }
    for (int i = 0; i < segment_count; i++)
        if (access->address - constant_segments[i].start <
            constant_segments[i].stop - constant_segments[i].start)
            return access->kind == ACCESS_READ;
    return false;
}
