/* A submission in the simulator: its device side is loaded here, its host side by another process. */
#include "../simulator/host_memory.h"
#include "../simulator/simulator.h"
#include "host_process.h"
#include "lockdown.h"
#include "runner.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct crash_hooks submission_hooks = {.at_work = host_process_at_work};

void submission_case_begins(uint64_t milliseconds) {
    host_process_case_begins(milliseconds);
}

void submission_not_loaded(const char *reason) {
    wire_send(RECORD_LOAD_ERROR, reason, strlen(reason));
    _exit(1);
}

/* build/instrument lets nothing into it that would run now. */
static void load_device_side(const char *path) {
    char device[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(device, sizeof device, "%.*sdevice.so", slash ? (int)(slash + 1 - path) : 0, path);
    void *handle = dlopen(device, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        submission_not_loaded(dlerror());
    struct link_map *map = NULL;
    dlinfo(handle, RTLD_DI_LINKMAP, &map);
    const uintptr_t base = map ? (uintptr_t)map->l_addr : 0;
    runtime_submission(handle, base, base, device);
}

void submission_open(const char *path) {
    lockdown_namespaces();
    load_device_side(path);
    const struct areas areas = {.memory = {memory_base, MEMORY_RANGE_BYTES},
                                .device = {sim_submission.base, sim_submission.end - sim_submission.base},
                                .shared = {host_memory_start, HOST_MEMORY_BYTES}};
    host_process_start(path, &areas);
    lockdown_memory();
    lockdown(host_process_number());
    host_process_await_loaded();
}
