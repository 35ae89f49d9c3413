/* The pool. The parent forks the workers and listens; a worker takes the next check from a counter in shared
 * memory, the longest first, says that it begins, runs it, and sends the verdict as one line of JSON. Where
 * the session asks to stop at the first failure, the cheapest come first, and a failure uses the counter up.
 *
 * When a worker dies, the check that it had begun is failed in its name and a new worker takes its place. */
#include "grading/workers.h"
#include "base/memory.h"
#include "check/late.h"
#include "check/source_lines.h"
#include "grading/seeds.h"
#include "grading/worker_message.h"
#include "link/runner_process.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct pool {
    const struct session *session;
    size_t *order; /* indices of the wanted checks, the longest first, or last */
    size_t count;
    atomic_size_t *next; /* in shared memory: place in order of the next check */
};

static volatile sig_atomic_t stopped;

void workers_stop(void) {
    stopped = 1;
}

bool workers_stopped(void) {
    return stopped != 0;
}

struct worker {
    pid_t pid;
    int input;        /* the end of its pipe that is read here */
    struct list line; /* bytes of a line that has not ended */
    long current;     /* the check it has begun, or -1 */
};

/* ---- in the worker ---- */

/* Frees the message. */
static void send_line(int output, char *message) {
    char *line = format_text("%s\n", message);
    size_t sent = 0, length = strlen(line);
    while (sent < length) {
        const ssize_t count = write(output, line + sent, length - sent);
        if (count < 0 && errno != EINTR)
            _exit(70); /* the parent is gone */
        sent += count > 0 ? (size_t)count : 0;
    }
    free(line);
    free(message);
}

static _Noreturn void work(const struct pool *pool, int output) {
    const struct session *session = pool->session;
    struct runner *runner = get_memory(sizeof *runner);
    runner->program = session->runner;
    runner->submission = session->submission;
    struct symbols *symbols = symbols_open(session->submission, session->source);
    for (size_t i; (i = atomic_fetch_add(pool->next, 1)) < pool->count;) {
        const size_t check = pool->order[i];
        send_line(output, message_of_begin(check));
        struct verdict verdict = seeds_perform(session, &session->suite->checks[check], runner, symbols);
        send_line(output, message_of_end(check, &verdict));
        if (session->stop && verdict.status != STATUS_PASS && verdict.status != STATUS_SKIP)
            atomic_store(pool->next, pool->count);
        verdict_free(&verdict);
    }
    runner_stop(runner);
    symbols_close(symbols);
    free(runner);
    _exit(0);
}

/* ---- in the parent ---- */

static bool start_worker(const struct pool *pool, struct worker *worker) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        setpgid(
            0, 0); /* of Ctrl-C the parent hears, and ends its workers; libcheck would kill the whole group */
        if (getppid() != parent)
            _exit(70);
        close(ends[0]);
        work(pool, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *worker = (struct worker){.pid = pid, .input = ends[0], .line.item_bytes = 1, .current = -1};
    return true;
}

static void take_message(const struct pool *pool, struct worker *worker, const char *line,
                         struct verdict *verdicts, const struct progress *progress) {
    size_t check;
    struct verdict verdict;
    const enum message_kind kind = message_read(line, pool->session->suite->check_count, &check, &verdict);
    if (kind == MESSAGE_BEGIN) {
        worker->current = (long)check;
        progress->tell(progress->state, check, NULL);
    } else if (kind == MESSAGE_END && worker->current == (long)check) {
        verdict_free(&verdicts[check]);
        verdicts[check] = verdict;
        progress->tell(progress->state, check, &verdict);
        worker->current = -1;
    } else if (kind == MESSAGE_END)
        verdict_free(&verdict); /* of a check that was not begun */
}

/* Returns false at the end of the pipe. */
static bool listen_to(const struct pool *pool, struct worker *worker, struct verdict *verdicts,
                      const struct progress *progress) {
    char bytes[8192];
    const ssize_t count = read(worker->input, bytes, sizeof bytes);
    if (count <= 0)
        return count < 0 && errno == EINTR;
    for (ssize_t i = 0; i < count; i++) {
        const char byte = bytes[i] == '\n' ? '\0' : bytes[i];
        list_add(&worker->line, &byte, 1);
        if (byte == '\0') {
            take_message(pool, worker, worker->line.items, verdicts, progress);
            worker->line.count = 0;
        }
    }
    return true;
}

/* Ends the workers that are left, and with each its runner. */
static void kill_workers(struct worker *workers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!workers[i].pid)
            continue;
        kill(workers[i].pid, SIGKILL);
        while (waitpid(workers[i].pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        close(workers[i].input);
        free(workers[i].line.items);
        workers[i].pid = 0;
    }
}

static void end_worker(struct worker *worker, struct verdict *verdicts, const struct progress *progress) {
    int status = 0;
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(worker->input);
    free(worker->line.items);
    if (worker->current >= 0) {
        char *how = describe_end(status);
        char *found = format_text("The checker itself failed in this check: %s. Unless your program sends "
                                  "signals, this is no fault of yours.",
                                  how);
        verdict_free(&verdicts[worker->current]);
        verdicts[worker->current] = verdict_new(STATUS_FAIL, true, found);
        progress->tell(progress->state, (size_t)worker->current, &verdicts[worker->current]);
        free(found);
        free(how);
    }
    worker->pid = 0;
}

static const struct check *sorted_checks; /* qsort's comparison takes no argument of ours */

static double cost(size_t check) {
    return sorted_checks[check].cost > 0 ? sorted_checks[check].cost : 0.1;
}

static int longer_first(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double difference = cost(y) - cost(x);
    return difference > 0 ? 1 : difference < 0 ? -1 : x > y ? 1 : -1;
}

/* Of two that take equally long, the first in the report. */
static int shorter_first(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double difference = cost(x) - cost(y);
    return difference > 0 ? 1 : difference < 0 ? -1 : x > y ? 1 : -1;
}

char *workers_run(const struct session *session, const bool *wanted, struct verdict *verdicts,
                  const struct progress *progress) {
    struct pool pool = {.session = session,
                        .order = get_memory(session->suite->check_count * sizeof *pool.order)};
    for (size_t i = 0; i < session->suite->check_count; i++)
        if (wanted[i])
            pool.order[pool.count++] = i;
    sorted_checks = session->suite->checks;
    qsort(pool.order, pool.count, sizeof *pool.order, session->stop ? shorter_first : longer_first);
    pool.next = mmap(NULL, sizeof *pool.next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool.next == MAP_FAILED) {
        free(pool.order);
        return format_text("No shared memory for the workers: %s.", strerror(errno));
    }
    atomic_init(pool.next, 0);
    late_open();

    size_t jobs = session->jobs < 1 ? 1 : (size_t)session->jobs;
    jobs = jobs > pool.count ? pool.count : jobs;
    struct worker *workers = get_memory(jobs * sizeof *workers);
    struct pollfd *watched = get_memory(jobs * sizeof *watched);
    size_t alive = 0;
    for (size_t i = 0; i < jobs; i++)
        alive += start_worker(&pool, &workers[i]);
    char *trouble =
        alive == 0 && jobs > 0 ? format_text("No worker could be started: %s.", strerror(errno)) : NULL;
    while (alive > 0 && !stopped) {
        for (size_t i = 0; i < jobs; i++)
            watched[i] = (struct pollfd){.fd = workers[i].pid ? workers[i].input : -1, .events = POLLIN};
        poll(watched, jobs, 500); /* a signal that comes just before it is seen half a second later */
        for (size_t i = 0; i < jobs; i++) {
            if (!watched[i].revents || listen_to(&pool, &workers[i], verdicts, progress))
                continue;
            end_worker(&workers[i], verdicts, progress);
            alive -= !(atomic_load(pool.next) < pool.count && start_worker(&pool, &workers[i]));
        }
    }
    kill_workers(workers, jobs);
    free(watched);
    free(workers);
    munmap(pool.next, sizeof *pool.next);
    free(pool.order);
    return trouble;
}
