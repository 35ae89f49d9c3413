/* So many submissions at a time, each in a child of its own; when one takes too much, it alone is ended. */
#include "base/clock.h"
#include "base/memory.h"
#include "class.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_LENGTH = 64 };

/* A submission on its way: first its files are copied and their key is found, then it is graded. */
struct worker {
    const struct submission *submission; /* NULL: idle */
    pid_t child;
    bool grading;
    enum ending ending;
    double started;
    char *work, *folder;
    char key[KEY_LENGTH + 1];
};

struct tally {
    size_t total, kept, graded, failed;
    struct list put_off; /* pointers to submissions: they are graded in the end, one at a time */
    double started;
    bool terminal;
    int tenth; /* of the way that was told last, where no terminal is */
};

bool is_terminal(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static volatile sig_atomic_t stopped;

static void stop(int signal_number) {
    (void)signal_number;
    stopped = 1;
}

/* ---- progress ---- */

static void tell_left(const struct tally *tally, size_t done) {
    if (tally->graded == 0 || done == tally->total)
        return;
    const double each = (clock_seconds() - tally->started) / (double)tally->graded;
    const double left = each * (double)(tally->total - done);
    if (left < 90)
        printf(", about %.0f s left", left < 1 ? 1 : left);
    else
        printf(", about %.0f min left", left / 60);
}

static void tell(struct tally *tally, size_t running) {
    const size_t done = tally->kept + tally->graded + tally->failed;
    if (tally->terminal) {
        const int width = 30, full = tally->total ? (int)(done * width / tally->total) : width;
        printf("\r  [%.*s%.*s] %zu of %zu", full, "##############################", width - full,
               "..............................", done, tally->total);
        tell_left(tally, done);
        if (running > 0)
            printf(", %zu at work", running);
        printf("\x1b[K");
    } else {
        const int tenth = tally->total ? (int)(10 * done / tally->total) : 10;
        if (tenth == tally->tenth)
            return;
        tally->tenth = tenth;
        printf("  %zu of %zu", done, tally->total);
        tell_left(tally, done);
        putchar('\n');
    }
    fflush(stdout);
}

/* ---- a child ---- */

/* It dies with this process, whatever ends that. */
static pid_t start(const char *const *arguments) {
    const pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    execvp(arguments[0], (char *const *)arguments);
    _exit(127);
}

static void start_stage(const struct run *run, struct worker *worker) {
    const char *const arguments[] = {"bash",       run->stage, run->submissions, worker->submission->name,
                                     worker->work, NULL};
    worker->grading = false;
    worker->ending = ENDED;
    worker->started = clock_seconds();
    worker->child = start(arguments);
}

static void start_grading(const struct run *run, struct worker *worker, int slot) {
    char *number = format_text("%d", slot);
    const char *const arguments[] = {"bash", run->grade, worker->work, number, NULL};
    worker->grading = true;
    worker->started = clock_seconds();
    worker->child = start(arguments);
    free(number);
}

static void watch(const struct run *run, struct worker *worker) {
    if (worker->ending != ENDED)
        return; /* it has been told to go */
    char *out = format_text("%s/out", worker->work);
    const double limit = worker->grading ? run->seconds : 120; /* copying a few files */
    if (clock_seconds() - worker->started > limit)
        worker->ending = ENDED_BY_TIME;
    else if (usage_memory(worker->child) > run->memory)
        worker->ending = ENDED_BY_MEMORY;
    else if (usage_disk(out) > run->disk)
        worker->ending = ENDED_BY_DISK;
    if (worker->ending != ENDED)
        kill(-worker->child, SIGKILL);
    free(out);
}

/* Where the machine runs out of memory nobody is to blame: several together took it. The largest goes, and has its turn later. */
static void make_room(const struct run *run, struct worker *workers, size_t running) {
    struct worker *largest = NULL;
    size_t most = 0;
    if (running < 2 || usage_available() >= run->spare)
        return;
    for (int slot = 0; slot < run->jobs; slot++) {
        struct worker *worker = &workers[slot];
        const size_t bytes = worker->submission && worker->grading ? usage_memory(worker->child) : 0;
        if (bytes > most && worker->ending == ENDED)
            most = bytes, largest = worker;
    }
    if (largest) {
        largest->ending = PUT_OFF;
        kill(-largest->child, SIGKILL);
    }
}

/* ---- a submission ---- */

static void forget_work(const char *work) {
    const char *const arguments[] = {"rm", "-rf", "--one-file-system", "--", work, NULL};
    const pid_t child = start(arguments);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static bool read_key(struct worker *worker) {
    char *path = format_text("%s/key", worker->work);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(worker->key, 1, KEY_LENGTH, file) : 0;
    worker->key[length] = '\0';
    if (file)
        fclose(file);
    free(path);
    return length == KEY_LENGTH;
}

/* Whether it was graded before: the same kit, options and files. */
static bool is_kept(const struct run *run, const struct worker *worker) {
    char *path = format_text("%s/outcome.json", worker->folder),
         *check = format_text("%s/check.json", worker->folder);
    json_t *outcome = run->fresh ? NULL : json_load_file(path, 0, NULL);
    const bool kept = strcmp(text_of(outcome, "key"), worker->key) == 0 && access(check, R_OK) == 0;
    json_decref(outcome);
    free(path);
    free(check);
    return kept;
}

static void leave(struct worker *worker) {
    forget_work(worker->work);
    free(worker->work);
    free(worker->folder);
    *worker = (struct worker){0};
}

/* A child has ended: what is next for its submission? */
static void go_on(const struct run *run, struct worker *worker, int slot, int wait_status,
                  struct tally *tally) {
    if (!worker->grading) {
        const bool staged = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 && read_key(worker);
        if (staged && is_kept(run, worker)) {
            tally->kept++;
            leave(worker);
            return;
        }
        if (staged) {
            start_grading(run, worker, slot);
            return;
        }
    }
    if (worker->ending == PUT_OFF) {
        list_add(&tally->put_off, &worker->submission, 1);
        leave(worker);
        return;
    }
    const double seconds = clock_seconds() - worker->started;
    if (settle(run, worker->submission, worker->work, worker->folder, worker->key, worker->ending,
               wait_status, seconds))
        tally->graded++;
    else
        tally->failed++;
    leave(worker);
}

static bool begin(const struct run *run, struct worker *worker, const struct submission *submission) {
    worker->submission = submission;
    worker->work = format_text("%s/%d", run->work, submission->number);
    worker->folder = format_text("%s/submissions/%s", run->results, submission->name);
    if ((mkdir(worker->work, 0711) != 0 && errno != EEXIST) ||
        (mkdir(worker->folder, 0777) != 0 && errno != EEXIST)) {
        printf("The folder for the results of submission %d cannot be made: %s.\n", submission->number,
               strerror(errno));
        return false;
    }
    start_stage(run, worker);
    return true;
}

static size_t look_after(const struct run *run, struct worker *workers, struct tally *tally) {
    size_t running = 0;
    for (int slot = 0; slot < run->jobs; slot++) {
        struct worker *worker = &workers[slot];
        int wait_status;
        if (worker->submission == NULL)
            continue;
        if (waitpid(worker->child, &wait_status, WNOHANG) == worker->child) {
            kill(-worker->child, SIGKILL); /* what it left in its group */
            go_on(run, worker, slot, wait_status, tally);
        } else {
            watch(run, worker);
        }
        running += worker->submission != NULL;
    }
    make_room(run, workers, running);
    return running;
}

static void end_all(const struct run *run, struct worker *workers) {
    for (int slot = 0; slot < run->jobs; slot++)
        if (workers[slot].submission != NULL) {
            kill(-workers[slot].child, SIGKILL);
            waitpid(workers[slot].child, NULL, 0);
            leave(&workers[slot]);
        }
}

int schedule(const struct run *run) {
    struct submissions submissions;
    if (!submissions_read(&submissions, run->submissions, run->shard)) {
        printf("The folder of submissions cannot be read: %s.\n", strerror(errno));
        return 3;
    }
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    struct worker *workers = get_memory((size_t)run->jobs * sizeof *workers);
    struct tally tally = {.total = submissions.count,
                          .put_off = {.item_bytes = sizeof(struct submission *)},
                          .started = clock_seconds(),
                          .terminal = is_terminal()};
    size_t next = 0, next_put_off = 0, running = 0;
    bool possible = true;
    while (!stopped && possible &&
           (next < submissions.count || next_put_off < tally.put_off.count || running > 0)) {
        for (int slot = 0; possible && slot < run->jobs && next < submissions.count; slot++)
            if (workers[slot].submission == NULL)
                possible = begin(run, &workers[slot], &submissions.items[next++]);
        if (possible && running == 0 && next == submissions.count && next_put_off < tally.put_off.count &&
            workers[0].submission == NULL)
            possible =
                begin(run, &workers[0], ((const struct submission **)tally.put_off.items)[next_put_off++]);
        running = look_after(run, workers, &tally);
        tell(&tally, running);
        clock_sleep(running > 0 ? 0.05 : 0);
    }
    end_all(run, workers);
    if (tally.terminal)
        printf("\r\x1b[K");
    if (stopped)
        printf("Stopped: %zu of %zu are graded. The same command goes on from there.\n",
               tally.kept + tally.graded, tally.total);
    else
        printf("%zu submissions: %zu graded now, %zu as before%s.\n", tally.total, tally.graded, tally.kept,
               tally.failed ? ", and some could not be graded" : "");
    if (submissions.others > 0)
        printf("%zu entries of the folder are no folders, and were left alone.\n", submissions.others);
    return stopped ? 130 : !possible ? 3 : tally.failed ? 1 : 0;
}
