/* Where gdb is to stop: read from the checker's file (check/kept.h), and recognised when the cases come to it. */
#include "debug.h"
#include "exercises/exercises.h"
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY_STEP = -1 };

/* What gdb asks about. */
char debug_told[4096];                /* what the check said */
char debug_kernel[KERNEL_NAME_BYTES]; /* set: it stands before the first thread of this kernel */
char debug_function[64];              /* set: it stands before a call of this function */
const void *debug_written;            /* set: the byte whose write is looked for, in an exercise in plain C */
bool debug_is_yours;                  /* a frame of the submission is around */
uint64_t debug_launch;                /* of a launch that is refused, the line that asks for it */
bool debug_goes_on;                   /* the line is carried out after the stop */
int debug_wanted = -1;                /* a thread of the block to stand in next; -1: none */

static struct {
    char kind[16];
    int number, index;
    uint64_t offset;
} wanted;
static int number = -1, findings;
static uintptr_t target;            /* where the byte that is wrong lies */
static long writes, last_write = 1; /* to it; the one to stop at */
static bool counting;

static FILE *open_kept(const char *name, const char *mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", cases_folder, name);
    return fopen(path, mode);
}

/* The last write is the one that counts, and which that is shows only when all is over. */
static void write_count(void) {
    FILE *file = open_kept("writes", "we");
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", writes);
    fclose(file);
}

static void read_count(void) {
    FILE *file = open_kept("writes", "re");
    if (file == NULL || fscanf(file, "%ld", &last_write) != 1)
        last_write = 1;
    if (file != NULL)
        fclose(file);
    if (last_write > 0 || strcmp(wanted.kind, "write") != 0)
        return;
    strcpy(wanted.kind, "kernel");
    wanted.index = ANY_STEP;
    strncat(debug_told, "No thread writes this element. Here the first kernel of the case begins.\n",
            sizeof debug_told - strlen(debug_told) - 1);
}

void stop_read(bool count) {
    FILE *file = open_kept("stop", "re");
    if (file == NULL || fscanf(file, "%15s %d %d %lu%*1[\n]", wanted.kind, &wanted.number, &wanted.index,
                               &wanted.offset) != 4) {
        fprintf(stderr, "%s/stop does not say where to stop.\n", cases_folder);
        exit(1);
    }
    debug_told[fread(debug_told, 1, sizeof debug_told - 128, file)] = '\0';
    fclose(file);
    counting = count;
    if (counting)
        atexit(write_count);
    else
        read_count();
}

static bool is_now(const char *kind) {
    return cases_folder != NULL && number == wanted.number && strcmp(kind, wanted.kind) == 0;
}

bool stop_by_clock(void) {
    return cases_folder != NULL && number + 1 == wanted.number && strcmp(wanted.kind, "endless") == 0;
}

void stop_case_begins(void) {
    number++;
    findings = 0;
    target = 0;
}

/* gdb has a breakpoint in the first: where frames of the submission lie around it, it selects the nearest. */
__attribute__((noinline)) void debug_reached(void) {
    __asm__ volatile("");
}

void debug_stop(void) {
    enum { DEEPEST = 64 };
    void *frames[DEEPEST];
    const int count = backtrace(frames, DEEPEST);
    debug_is_yours = false;
    for (int i = 0; i < count; i++)
        debug_is_yours |= (uintptr_t)frames[i] > debug_code[0] && (uintptr_t)frames[i] < debug_code[1];
    debug_reached();
}

void stop_buffer(int index, const void *start, uint64_t bytes) {
    if (is_now("write") && index == wanted.index && wanted.offset < bytes)
        target = (uintptr_t)start + wanted.offset;
}

static void stop_before(const char *function) {
    snprintf(debug_function, sizeof debug_function, "%s", function);
    debug_stop();
    debug_function[0] = '\0';
}

void stop_call(int step, uint32_t function) {
    if (is_now("call") && step == wanted.index) {
        stop_before(function_name(function));
    } else if (target != 0 && !debug_has_threads && rows_hold(step, target)) {
        debug_written = (const void *)target;
        debug_stop();
        debug_written = NULL;
    }
}

static bool goes_on(uint32_t kind) {
    switch (kind) {
    case FINDING_UNINITIALISED:
    case FINDING_SHARED_UNINITIALISED:
    case FINDING_INPUT_WRITTEN:
    case FINDING_RACE_BLOCK:
    case FINDING_RACE_GRID:
        return true;
    default:
        return false;
    }
}

void stop_finding(const struct finding *finding) {
    debug_goes_on = goes_on(finding->kind);
    debug_launch = finding->kind == FINDING_BAD_LAUNCH ? finding->at.pc & ~PC_OF_DEVICE : 0;
    if (!counting && is_now("finding") && findings++ == wanted.index)
        threads_stop_in(finding);
}

bool stop_is_first_write(uintptr_t address, size_t bytes) {
    return target != 0 && target - address < bytes && writes == 0;
}

void stop_write(uintptr_t address, size_t bytes) {
    if (target == 0 || target - address >= bytes)
        return;
    debug_goes_on = true;
    if (++writes == last_write && !counting)
        threads_stop_in(NULL);
}

void stop_kernel(int step, const char *name) {
    if (!is_now("kernel") || (wanted.index != ANY_STEP && step != wanted.index) || debug_kernel[0] != '\0')
        return;
    snprintf(debug_kernel, sizeof debug_kernel, "%s", name);
    debug_stop();
}
