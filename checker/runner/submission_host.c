/* A submission without CUDA: in this very process, with the sanitizers' help. */
#include "library.h"
#include "lockdown.h"
#include "runner.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct library library;

const struct crash_hooks submission_hooks;

void submission_case_begins(uint64_t milliseconds) {
    (void)milliseconds;
}

void submission_not_loaded(const char *reason) {
    wire_send(RECORD_LOAD_ERROR, reason, strlen(reason));
    _exit(1);
}

void submission_open(const char *path) {
    lockdown_namespaces();
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const char *reason = library_load(file, &library);
    if (reason != NULL)
        submission_not_loaded(reason);
    close(file);
    runtime_submission(library.handle, library.base, library.end, path);
    lockdown_memory();
    lockdown_user();
    lockdown(0);
    crash_loading(true);
    library_construct(&library);
    crash_loading(false);
    calls_open(library.handle);
}
