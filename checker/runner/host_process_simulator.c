/* The host side of a submission, in a process of its own: started here, called, and answered while it asks for calls of the
 * CUDA runtime.
 *
 * Nothing that it sends is believed to be more than what a submission may say. When it crashes or ends, this process ends in
 * the same way, so that the checker sees what it always sees. */
#include "../simulator/host_memory.h"
#include "../simulator/serve.h"
#include "host_process.h"
#include "runner.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int host = -1; /* the socket */
static pid_t process;
static bool waiting, alarmed;
static clockid_t processor_clock;
static double used_before;

pid_t host_process_number(void) {
    return process;
}

/* ---- starting it ---- */

static _Noreturn void become_host(const char *program, int socket, int library) {
    const int given[] = {socket, library, host_memory_descriptor};
    int high[HOST_NO_MORE - HOST_SOCKET];
    for (int i = 0; i < HOST_NO_MORE - HOST_SOCKET; i++)
        high[i] = fcntl(given[i], F_DUPFD, 64);
    for (int i = 0; i < HOST_NO_MORE - HOST_SOCKET; i++)
        dup2(high[i], HOST_SOCKET + i);
    closefrom(HOST_NO_MORE);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char name[] = "host", *arguments[] = {name, NULL}, *nothing[] = {NULL};
    execve(program, arguments, nothing);
    _exit(127);
}

/* The program lies beside this one. */
static void find_program(char program[PATH_MAX]) {
    static const char name[] = "/host-client";
    const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - sizeof name);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    strcpy(slash ? slash : program, name);
}

static _Noreturn void end_as(int status) {
    enum { NO_DEVICE = 3 };
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    _exit(code == NO_DEVICE ? 1 : code); /* which the checker takes for a word of ours */
}

static int wait_for_end(void) {
    int status = 0;
    while (wait4(process, &status, 0, NULL) < 0 && errno == EINTR)
        continue;
    return status;
}

/* False: it met an address that is taken. */
static bool start(const char *program, const char *path, const struct areas *areas) {
    int sockets[2];
    const int library = open(path, O_RDONLY | O_CLOEXEC);
    if (library < 0)
        submission_not_loaded("its library cannot be read");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || (process = fork()) < 0)
        submission_not_loaded("there is no process for its host side");
    if (process == 0)
        become_host(program, sockets[1], library);
    close(sockets[1]);
    close(library);
    host = sockets[0];
    struct message head = {.kind = MESSAGE_AREAS, .bytes = sizeof *areas}, answer;
    struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)areas, sizeof *areas}};
    if (conversation_write(host, parts, 2) && conversation_read(host, &answer, sizeof answer))
        return true;
    const int status = wait_for_end();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != HOST_AGAIN)
        end_as(status);
    close(host);
    return false;
}

void host_process_start(const char *path, const struct areas *areas) {
    enum { TRIES = 20 };
    char program[PATH_MAX];
    find_program(program);
    for (int i = 0; !start(program, path, areas); i++)
        if (i == TRIES)
            submission_not_loaded("its host side finds no room beside the device's memory");
    clock_getcpuclockid(process, &processor_clock);
}

/* ---- time ---- */

static double processor_seconds(void) {
    struct timespec used;
    if (clock_gettime(processor_clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

bool host_process_at_work(double seconds) {
    if (processor_seconds() - used_before > seconds / 20)
        return true;
    if (!waiting || alarmed)
        return false;
    alarmed = true;
    return kill(process, SIGALRM) == 0;
}

/* ---- talking to it ---- */

static void tell(uint32_t kind, const void *payload, size_t bytes, const void *more, size_t more_bytes) {
    struct message head = {.kind = kind, .bytes = bytes + more_bytes};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)(uintptr_t)payload, bytes}, {(void *)(uintptr_t)more, more_bytes}};
    conversation_write(host, parts, 3); /* where it is gone, the next message says so */
}

/* Its socket is closed, so it ends by itself; or else it has closed it by hand, and would live on. */
static _Noreturn void host_has_ended(void) {
    enum { TURNS = 1000 };
    int status = 0;
    for (int i = 0; i < TURNS; i++) {
        if (wait4(process, &status, WNOHANG, NULL) == process)
            end_as(status);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    kill(process, SIGKILL);
    end_with_finding(FINDING_FORBIDDEN, 0,
                     "Your program closed the socket by which the runner's processes speak to each other.");
}

static void hear(void *bytes, size_t count) {
    waiting = true;
    if (!conversation_read(host, bytes, count))
        host_has_ended();
    waiting = false;
}

static _Noreturn void nonsense(void) {
    kill(process, SIGKILL);
    end_with_finding(FINDING_FORBIDDEN, 0,
                     "Your program wrote to the socket by which the runner's processes speak to each other.");
}

/* Kinds of findings that host code may have by itself. */
static bool is_hosts(uint32_t kind) {
    switch (kind) {
    case FINDING_CRASH:
    case FINDING_ENDED:
    case FINDING_ENDLESS:
    case FINDING_FORBIDDEN:
    case FINDING_DEVICE_ASSERT:
    case FINDING_OUT_OF_BOUNDS:
    case FINDING_SHARED_OUT_OF_BOUNDS:
        return true;
    default:
        return false;
    }
}

static _Noreturn void take_finding(const char *bytes, size_t count) {
    struct finding said, finding = {.step = -1};
    if (count != sizeof said)
        nonsense();
    memcpy(&said, bytes, sizeof said);
    if (!is_hosts(said.kind))
        nonsense();
    runtime_where(&finding, 0);
    finding.kind = said.kind;
    finding.at.pc = said.at.pc & 0xffffffffu;
    memcpy(finding.text, said.text, sizeof finding.text);
    finding.text[sizeof finding.text - 1] = '\0';
    report_finding(&finding);
    host_has_ended();
}

static _Noreturn void take_load_error(const char *bytes, size_t count) {
    wire_send(RECORD_LOAD_ERROR, bytes, count < TEXT_BYTES ? count : TEXT_BYTES);
    _exit(1);
}

static void answer_call(const char *bytes, size_t count) {
    struct cuda_message call;
    if (count < sizeof call)
        nonsense();
    memcpy(&call, bytes, sizeof call);
    struct answer answer = serve_call(&call, bytes + sizeof call, count - sizeof call);
    const int32_t error = (int32_t)answer.error;
    tell(MESSAGE_ANSWER, &error, sizeof error, answer.bytes, answer.count);
    free(answer.bytes);
}

/* Serves it until a message of this kind comes, whose payload has to have so many bytes. */
static void serve_until(enum message_kind awaited, void *payload, size_t bytes) {
    for (;;) {
        struct message message;
        hear(&message, sizeof message);
        if (message.bytes > MOST_MESSAGE_BYTES)
            nonsense();
        char *content = malloc(message.bytes + 1);
        if (content == NULL)
            end_with_finding(FINDING_CRASH, 0, "There is not enough memory for what your program copies.");
        hear(content, message.bytes);
        if (message.kind == MESSAGE_FINDING)
            take_finding(content, message.bytes);
        if (message.kind == MESSAGE_LOAD_ERROR)
            take_load_error(content, message.bytes);
        const bool last = message.kind == awaited;
        if (last && message.bytes == bytes)
            memcpy(payload, content, bytes);
        else if (message.kind == MESSAGE_CUDA)
            answer_call(content, message.bytes);
        else
            nonsense();
        free(content);
        if (last)
            return;
    }
}

void host_process_await_loaded(void) {
    char nothing;
    serve_until(MESSAGE_READY, &nothing, 0);
}

void host_process_case_begins(uint64_t milliseconds) {
    serve_case_begin();
    used_before = processor_seconds();
    alarmed = false;
    tell(MESSAGE_CASE, &milliseconds, sizeof milliseconds, NULL, 0);
}

void host_process_run(uint64_t function, uint64_t argument) {
    const struct host_function_message wanted = {function, argument};
    char nothing;
    tell(MESSAGE_HOST_FUNCTION, &wanted, sizeof wanted, NULL, 0);
    serve_until(MESSAGE_FUNCTION_DONE, &nothing, 0);
}

bool call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                   struct returned *returned) {
    struct call_message wanted = {.step = *step, .stream = (uintptr_t)stream};
    struct returned_message answer;
    for (int i = 0; i < 4; i++)
        wanted.pointers[i] = (uintptr_t)pointers[i];
    tell(MESSAGE_CALL, &wanted, sizeof wanted, NULL, 0);
    serve_until(MESSAGE_RETURNED, &answer, sizeof answer);
    returned->value = answer.returned.value;
    returned->max = answer.returned.max;
    returned->sum = answer.returned.sum;
    return answer.found != 0;
}
