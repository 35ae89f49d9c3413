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

typedef int (*program_function)(void);

static program_function find(const char *name) {
    program_function program = (program_function)dlsym(library, name);
    ck_assert_msg(program != NULL, "there is no program %s", name);
    return program;
}

static void begin(uint64_t seed) {
    program_finding_count = program_kernel_count = 0;
    runtime_case_begin(seed);
}

static int call(program_function program, int step) {
    runtime_call_begin(step, NULL);
    int result = program();
    runtime_call_end();
    return result;
}

int program_run(const char *name, uint64_t seed) {
    program_function program = find(name);
    begin(seed);
    int result = call(program, 0);
    runtime_case_end();
    return result;
}

int program_run_calls(const char *name, uint64_t seed, int calls) {
    program_function program = find(name);
    int wrong = 0;
    begin(seed);
    for (int i = 0; i < calls; i++)
        wrong += call(program, i) != 0;
    runtime_case_end();
    return wrong;
}
