#include "programs.h"
#include <check.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

struct finding program_findings[PROGRAM_MAX_RECORDS];
int program_finding_count;
struct kernel_trace program_kernels[PROGRAM_MAX_RECORDS];
int program_kernel_count;

static void *library;

static void collect(uint32_t type, const void *payload, size_t bytes) {
    if (type == RECORD_FINDING && program_finding_count < PROGRAM_MAX_RECORDS) {
        ck_assert_uint_eq(bytes, sizeof(struct finding));
        if (((const struct finding *)payload)->kind == FINDING_HOST_WORK)
            return; /* these are whole programs: they bring data to the device and back */
        program_findings[program_finding_count++] = *(const struct finding *)payload;
    } else if (type == RECORD_KERNEL && program_kernel_count < PROGRAM_MAX_RECORDS) {
        ck_assert_uint_eq(bytes, sizeof(struct kernel_trace));
        program_kernels[program_kernel_count++] = *(const struct kernel_trace *)payload;
    }
}

void program_open(const char *file) {
    struct ready ready;
    ck_assert_int_eq(runtime_open(collect, &ready), 0);
    static char path[4096];
    snprintf(path, sizeof path, "build/tests/programs/%s", file);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", library ? "" : dlerror());
    struct link_map *map;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    runtime_submission(library, map->l_addr, 0, path);
}

int program_run(const char *name, uint64_t seed) {
    int (*program)(void) = (int (*)(void))dlsym(library, name);
    ck_assert_msg(program != NULL, "there is no program %s", name);
    program_finding_count = program_kernel_count = 0;
    runtime_case_begin(seed);
    runtime_call_begin(0, NULL);
    int result = program();
    runtime_call_end();
    runtime_case_end();
    return result;
}
