/* Starting, draining and ending a runner. */
#include "link/runner_process.h"
#include "base/clock.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The options of sanitizers, and what a runner for a GPU finds its driver and its tools by. Of anything else
 * in the environment of whoever grades, student code learns nothing: there may be passwords in it. */
static bool may_stay(const struct runner *runner, const char *variable) {
    static const char *const kept[] = {"ASAN_OPTIONS=", "UBSAN_OPTIONS=", "PATH=", "LD_LIBRARY_PATH=",
                                       "HOME=",         "TMPDIR=",        "CUDA_", "NVIDIA_",
                                       "SOFTMAX_CUPTI="};
    const bool gpu = runner->tool != NULL || strstr(runner->program, "runner-cuda") != NULL;
    for (size_t i = 0; i < (gpu ? sizeof kept / sizeof *kept : 2); i++)
        if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}

static void leave_environment(const struct runner *runner) {
    char **kept = environ;
    for (char **variable = environ; *variable; variable++)
        if (may_stay(runner, *variable))
            *kept++ = *variable;
    *kept = NULL;
    if (runner->tool != NULL) { /* checker/sanitize/watch_runner.sh and runner/runtime_cuda.c ask for these */
        setenv("SOFTMAX_WATCHED_BY", runner->tool, 1);
        setenv("SOFTMAX_TOOL_LOG", runner->tool_log, 1);
    }
}

/* In the child: its own session, so that one signal reaches all it starts; a parent's death ends it; its
 * socket as descriptor 3 and nothing else that was open here. */
static _Noreturn void become_runner(const struct runner *runner, pid_t parent, int socket, int output) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    const struct rlimit no_core = {0, 0}, small_files = {64 << 20, 64 << 20};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &small_files);
    signal(SIGPIPE, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    const int high_socket = fcntl(socket, F_DUPFD, 16), high_output = fcntl(output, F_DUPFD, 16);
    dup2(nothing, STDIN_FILENO);
    dup2(high_output, STDOUT_FILENO);
    dup2(high_output, STDERR_FILENO);
    dup2(high_socket, RUNNER_SOCKET);
    closefrom(RUNNER_SOCKET + 1);
    leave_environment(runner);
    execl(runner->program, "runner", runner->submission, (char *)NULL);
    fprintf(stderr, "The runner %s could not be started: %s.\n", runner->program, strerror(errno));
    _exit(127);
}

char *runner_start(struct runner *runner) {
    if (runner_alive(runner))
        return NULL;
    int sockets[2], output[2];
    if (access(runner->program, X_OK) != 0)
        return format_text("The runner %s cannot be run: %s. `make` builds it.", runner->program,
                           strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return format_text("No socket for the runner: %s.", strerror(errno));
    if (pipe2(output, O_CLOEXEC) != 0) {
        close(sockets[0]);
        close(sockets[1]);
        return format_text("No pipe for the runner: %s.", strerror(errno));
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_runner(runner, parent, sockets[1], output[1]);
    close(sockets[1]);
    close(output[1]);
    if (pid < 0) {
        close(sockets[0]);
        close(output[0]);
        return format_text("The runner could not be started: %s.", strerror(errno));
    }
    runner->pid = pid;
    runner->socket = sockets[0];
    runner->output = output[0];
    fcntl(runner->socket, F_SETFL, O_NONBLOCK);
    fcntl(runner->output, F_SETFL, O_NONBLOCK);
    return NULL;
}

static void forget(struct runner *runner) {
    runner_drain(runner);
    close(runner->socket);
    close(runner->output);
    runner->pid = 0;
}

static double processor_seconds(pid_t process) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Its child is the host side of the submission. */
double runner_processor_seconds(const struct runner *runner) {
    char path[64];
    int child;
    double seconds = processor_seconds(runner->pid);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)runner->pid, (int)runner->pid);
    FILE *children = fopen(path, "re");
    while (children && fscanf(children, "%d", &child) == 1)
        seconds += processor_seconds(child);
    if (children)
        fclose(children);
    return seconds;
}

bool runner_has_ended(const struct runner *runner) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)runner->pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid != 0;
}

/* A process that left the runner's session became a child of this one when its parent ended (it is a
 * subreaper), and is ended too. Nothing else is a child of the process that has a runner, at the time this is
 * called. */
static void end_orphans(void) {
    char path[64];
    int orphan, ended = 1;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    while (ended > 0) { /* an orphan may have children of its own */
        FILE *children = fopen(path, "re");
        ended = 0;
        while (children && fscanf(children, "%d", &orphan) == 1) {
            kill(orphan, SIGKILL);
            ended += waitpid(orphan, NULL, 0) == orphan;
        }
        if (children)
            fclose(children);
    }
}

/* Asks whether the process has ended, and kills what it may have left behind in its group before its number
 * can be given to another. */
static bool reap(struct runner *runner, int options) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)runner->pid, &info, WEXITED | WNOWAIT | options) == 0 && info.si_pid == 0)
        return false;
    kill(-runner->pid, SIGKILL);
    while (waitpid(runner->pid, &runner->wait_status, 0) < 0 && errno == EINTR)
        continue;
    end_orphans();
    forget(runner);
    return true;
}

bool runner_alive(struct runner *runner) {
    return runner->pid != 0 && !reap(runner, WNOHANG);
}

void runner_stop(struct runner *runner) {
    if (!runner_alive(runner))
        return;
    kill(-runner->pid, SIGKILL);
    kill(runner->pid, SIGKILL); /* it may not have made its group yet */
    reap(runner, 0);
}

void runner_dismiss(struct runner *runner) {
    if (runner_alive(runner))
        shutdown(runner->socket, SHUT_WR);
}

void runner_finish(struct runner *runner, double seconds) {
    const double end = clock_seconds() + seconds;
    while (runner_alive(runner) && clock_seconds() < end) {
        runner_drain(runner);
        clock_sleep(0.002);
    }
    runner_stop(runner);
}

void runner_drain(struct runner *runner) {
    char bytes[4096];
    ssize_t count;
    /* A program that prints without end must not keep us here. */
    for (int turn = 0; turn < 256 && (count = read(runner->output, bytes, sizeof bytes)) > 0; turn++) {
        runner->printed_in_all += (uint64_t)count;
        const size_t room = PRINTED_LIMIT - runner->printed_bytes;
        const size_t kept = (size_t)count < room ? (size_t)count : room;
        memcpy(runner->printed + runner->printed_bytes, bytes, kept);
        runner->printed_bytes += kept;
        runner->printed_cut |= kept < (size_t)count;
    }
    runner->printed[runner->printed_bytes] = '\0';
}

void runner_forget_printed(struct runner *runner) {
    runner->printed_bytes = 0;
    runner->printed_cut = false;
    runner->printed[0] = '\0';
}

static const char *meaning(int signal_number) {
    switch (signal_number) {
    case SIGSEGV:
        return "an access to memory that is not there";
    case SIGBUS:
        return "an access to memory that is not there, or a misaligned one";
    case SIGFPE:
        return "an integer division by zero";
    case SIGILL:
        return "an instruction that does not exist, often a __builtin_trap()";
    case SIGABRT:
        return "abort(), often a failed assert()";
    case SIGKILL:
        return "killed from outside, perhaps because memory ran out";
    case SIGXFSZ:
        return "it wrote a file larger than 64 MiB";
    default:
        return "a signal";
    }
}

char *describe_end(int wait_status) {
    if (WIFSIGNALED(wait_status)) {
        const char *name = sigabbrev_np(WTERMSIG(wait_status));
        return format_text("it was ended by SIG%s (%s)", name ? name : "?", meaning(WTERMSIG(wait_status)));
    }
    return format_text("it ended itself with exit code %d", WEXITSTATUS(wait_status));
}
