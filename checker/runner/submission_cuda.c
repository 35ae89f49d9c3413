/* A submission on a GPU: in this process, which the driver needs as it is. */
#include "runner.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

const struct crash_hooks submission_hooks;

void submission_case_begins(uint64_t milliseconds) {
    (void)milliseconds;
}

void submission_not_loaded(const char *reason) {
    wire_send(RECORD_LOAD_ERROR, reason, strlen(reason));
    _exit(1);
}

static int find_end(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    struct {
        uintptr_t base, end;
    } *code = found;
    if (info->dlpi_addr != code->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
            code->end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

void submission_open(const char *path) {
    crash_loading(true);
    void *submission = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    crash_loading(false);
    if (submission == NULL)
        submission_not_loaded(dlerror());
    struct link_map *map = NULL;
    dlinfo(submission, RTLD_DI_LINKMAP, &map);
    struct {
        uintptr_t base, end;
    } code = {map ? (uintptr_t)map->l_addr : 0, 0};
    dl_iterate_phdr(find_end, &code);
    runtime_submission(submission, code.base, code.end, path);
    calls_open(submission);
}
