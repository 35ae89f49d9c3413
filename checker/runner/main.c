/* runner FILE: loads a submission and carries out the cases that come over descriptor 3, until it closes.
 *
 * The submission is student code: it may crash, hang, print, or end the process. Each of these costs one case
 * and is named as what it was. The runner knows no right answer that could leak. */
#include "lockdown.h"
#include "runner.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECKER_SOCKET = 3, EXIT_NO_DEVICE = 3 };

/* Where a loaded library has its code. */
struct code {
    uintptr_t base, end;
};

static int find_end(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    struct code *code = found;
    if (info->dlpi_addr != code->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
            code->end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

static void *load(const char *path) {
    char real[PATH_MAX];
    if (realpath(path, real) == NULL)
        snprintf(real, sizeof real, "%s", path);
    crash_loading(true);
    void *submission = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    crash_loading(false);
    if (submission == NULL) {
        const char *reason = dlerror();
        wire_send(RECORD_LOAD_ERROR, reason, strlen(reason));
        _exit(1);
    }
    struct link_map *map = NULL;
    dlinfo(submission, RTLD_DI_LINKMAP, &map);
    struct code code = {.base = map ? (uintptr_t)map->l_addr : 0};
    dl_iterate_phdr(find_end, &code);
    runtime_submission(submission, code.base, code.end, real);
    return submission;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("runner FILE: started by the checker, with a socket as descriptor 3.\n", stderr);
        return 64;
    }
    wire_open(CHECKER_SOCKET);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct ready ready = {0};
    if (runtime_open(wire_send, &ready) != 0) {
        fprintf(stderr, "%s\n", ready.device);
        return EXIT_NO_DEVICE;
    }
    crash_open();
    if (strcmp(ready.runtime, "cuda") != 0)
        lockdown();
    calls_open(load(arguments[1]));
    if (strcmp(ready.runtime, "cuda") != 0)
        lockdown_files();
    if (chdir("/") != 0)
        fputs("The runner keeps its working folder.\n", stderr);
    wire_send(RECORD_READY, &ready, sizeof ready);
    for (;;)
        case_perform(&ready);
}
