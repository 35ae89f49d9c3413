/* A runner for tests of the checker. It speaks the protocol, loads nothing, and misbehaves on request: when
 * it is loaded, after the name of the submission; in a case, after the first number of the first step. */
#ifndef FAKE_RUNNER_H
#define FAKE_RUNNER_H

#include "link/protocol.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fake_deed {
    FAKE_GOOD, /* returns the second number, sends buffers back doubled byte by byte */
    FAKE_NOT_SUPPORTED,
    FAKE_CRASH,
    FAKE_HANG,
    FAKE_EXIT,
    FAKE_GARBAGE,
    FAKE_UNKNOWN_RECORD,
    FAKE_SHORT_RECORD,
    FAKE_NO_RETURN, /* says that all is done, and not what the call returned */
    FAKE_FOREIGN_BUFFER,
    FAKE_PRINT_MUCH,
    FAKE_FINDING,
    FAKE_WARNING,
    FAKE_WIDE_LOAD, /* a warning that a load took unwritten elements along */
    FAKE_CLOSE,
    FAKE_FORGERY, /* answers as a submission would that does not know the key */
    FAKE_OUTLIVE, /* leaves a process behind in a session of its own */
    FAKE_CHILD    /* leaves a process behind and crashes */
};

enum { FAKE_SOCKET = 3 };

static struct seal_key fake_key;
static uint64_t fake_records;

static void fake_send(uint32_t type, const void *payload, uint32_t bytes) {
    const struct record_header header = {type, bytes,
                                         seal_of(&fake_key, fake_records++, type, payload, bytes, NULL, 0)};
    if (write(FAKE_SOCKET, &header, sizeof header) < 0 ||
        (bytes > 0 && write(FAKE_SOCKET, payload, bytes) < 0))
        _exit(9);
}

static void fake_read(void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        const ssize_t part = read(FAKE_SOCKET, (char *)bytes + done, count - done);
        if (part <= 0)
            _exit(0);
        done += (size_t)part;
    }
}

static void fake_finding(uint32_t kind, uint32_t warning, const char *text) {
    struct finding finding = {.kind = kind, .warning = warning, .step = 0, .kernel = "sum_rows"};
    finding.at.known = 1;
    finding.at.block[0] = 7;
    finding.at.thread[0] = 31;
    snprintf(finding.text, sizeof finding.text, "%s", text);
    snprintf(finding.buffer, sizeof finding.buffer, "x");
    finding.bytes = 4;
    finding.buffer_bytes = 48;
    finding.offset = 20;
    fake_send(RECORD_FINDING, &finding, sizeof finding);
}

static void fake_misbehave(int64_t deed) {
    switch (deed) {
    case FAKE_CRASH:
        raise(SIGSEGV);
        break;
    case FAKE_HANG:
        for (;;)
            pause();
    case FAKE_EXIT:
        _exit(0);
    case FAKE_GARBAGE:
        fake_send(0x67676767, "nonsense", 8);
        break;
    case FAKE_UNKNOWN_RECORD:
        fake_send(RECORD_TOUCHES + 1, NULL, 0);
        break;
    case FAKE_SHORT_RECORD:
        fake_send(RECORD_RETURN, "1234", 4);
        break;
    case FAKE_FORGERY:
        fake_key.half[0] ^= 1;
        break;
    case FAKE_PRINT_MUCH:
        for (int i = 0; i < 100000; i++)
            puts("a line of text that the student prints in a loop");
        fflush(stdout);
        break;
    case FAKE_FINDING:
        fake_finding(FINDING_RACE_BLOCK, 0, "Two threads race for the sum.");
        break;
    case FAKE_WARNING:
        fake_finding(FINDING_RACE_BLOCK, 1, "Two threads race for the sum.");
        break;
    case FAKE_WIDE_LOAD:
        fake_finding(FINDING_UNINITIALISED, 1, "reads 16 bytes of x, some of which nothing has written");
        break;
    case FAKE_CLOSE:
        close(FAKE_SOCKET);
        for (;;)
            pause();
    case FAKE_OUTLIVE:
        if (fork() == 0 && setsid() > 0 && fork() == 0)
            for (;;)
                pause();
        sleep(1);
        raise(SIGKILL);
        break;
    case FAKE_CHILD:
        if (fork() == 0)
            for (;;)
                pause();
        raise(SIGKILL);
        break;
    default:
        break;
    }
}

static void fake_case(void) {
    static char contents[CASE_MAX_BUFFERS][4096];
    struct case_header header;
    struct buffer_spec buffers[CASE_MAX_BUFFERS];
    struct stream_spec streams[CASE_MAX_STREAMS];
    struct step steps[CASE_MAX_STEPS];
    fake_read(&header, sizeof header);
    fake_key = header.key;
    fake_records = 0;
    for (uint32_t i = 0; i < header.buffers; i++) {
        fake_read(&buffers[i], sizeof *buffers);
        fake_read(contents[i], buffers[i].content_bytes);
    }
    fake_read(streams, header.streams * sizeof *streams);
    fake_read(steps, header.steps * sizeof *steps);
    const int64_t deed = steps[0].number[0];
    fake_misbehave(deed);
    const struct returned returned = {.step = 0,
                                      .value = deed == FAKE_NOT_SUPPORTED ? 801 : steps[0].number[1]};
    if (deed != FAKE_NO_RETURN)
        fake_send(RECORD_RETURN, &returned, sizeof returned);
    for (uint64_t i = 0; i < header.buffers; i++) {
        static char answer[8 + 4096];
        const uint64_t index = deed == FAKE_FOREIGN_BUFFER ? i + 1 : i;
        if (!(buffers[i].flags & BUFFER_RETURN))
            continue;
        memcpy(answer, &index, sizeof index);
        for (uint64_t b = 0; b < buffers[i].bytes; b++)
            answer[8 + b] = (char)(2 * contents[i][b]);
        fake_send(RECORD_BUFFER, answer, (uint32_t)(8 + buffers[i].bytes));
    }
    /* A kernel has read x. */
    const struct kernel_trace kernel = {.name = "double_bytes", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    const struct traffic traffic = {.name = "x", .bytes_read = 1};
    fake_send(RECORD_KERNEL, &kernel, sizeof kernel);
    fake_send(RECORD_TRAFFIC, &traffic, sizeof traffic);
    fake_send(RECORD_DONE, NULL, 0);
}

static int fake_runner(const char *submission) {
    const struct ready ready = {.runtime = RUNTIME_SIMULATOR, .device = "a fake"};
    if (strstr(submission, "no_device")) {
        puts("no device");
        return 3;
    }
    if (strstr(submission, "hangs"))
        fake_misbehave(FAKE_HANG);
    if (strstr(submission, "exits"))
        fake_misbehave(FAKE_EXIT);
    if (strstr(submission, "refused")) {
        fake_send(RECORD_LOAD_ERROR, "undefined symbol: nowhere", 25);
        return 1;
    }
    fake_send(RECORD_READY, &ready, sizeof ready);
    for (;;)
        fake_case();
}

#endif
