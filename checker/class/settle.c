/* After the end of a child: its check.json is believed only as far as it is well formed, and a sentence says how it ended.
 *
 * What a submission is stopped for costs what was not graded by then. Where nothing was, the checker itself writes the
 * check.json of a submission that cannot be loaded. */
#include "base/memory.h"
#include "class.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 8 << 20 }; /* bytes of a check.json or a report */

/* A plain file of the sandbox, and nothing it links to. */
static int open_plain(const char *path) {
    struct stat status;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Each check's points are none or all, and the sum is the score. */
static bool adds_up(const json_t *root) {
    size_t i;
    json_t *check;
    int score = 0, max = 0;
    json_array_foreach(json_object_get(root, "checks"), i, check) {
        const int points = number_of(check, "points"), most = number_of(check, "max_points");
        if (most <= 0 || (points != 0 && points != most) || *text_of(check, "id") == '\0' ||
            *text_of(check, "stage") == '\0')
            return false;
        score += points, max += most;
    }
    return i > 0 && score == number_of(root, "score") && number_of(root, "max_score") <= max &&
           score <= number_of(root, "max_score");
}

static json_t *read_check(const struct run *run, const char *path) {
    const int file = open_plain(path);
    if (file < 0)
        return NULL;
    json_t *root = json_loadfd(file, JSON_REJECT_DUPLICATES, NULL);
    close(file);
    if (root && strcmp(text_of(root, "exercise"), run->exercise) == 0 &&
        json_integer_value(json_object_get(root, "seed")) == run->seed && adds_up(root))
        return root;
    json_decref(root);
    return NULL;
}

/* What make check would have said of files that cannot be loaded, for this reason. */
static json_t *check_of_nothing(const struct run *run, const char *from, const char *why) {
    char *log = format_text("%s/why", from), *output = format_text("%s/nothing.json", from);
    char *seed = format_text("%lld", (long long)run->seed);
    char *runner = format_text("build/runner-%s", run->runtime);
    FILE *words = fopen(log, "we");
    if (words) {
        fprintf(words, "%s\n", why);
        fclose(words);
    }
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execl("build/checker", "checker", "--exercise", run->exercise, "--implementation", "submission",
              "--submission", "/nonexistent/submission.so", "--source", "submission", "--runner", runner,
              "--output", output, "--compile-log", log, "--seed", seed, "--jobs", "1", (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    json_t *root = read_check(run, output);
    free(log);
    free(output);
    free(seed);
    free(runner);
    return root;
}

static bool write_json(const json_t *root, const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    FILE *file = markup_open(path);
    const bool good = file && json_dumpf(root, file, JSON_INDENT(2)) == 0 && fputc('\n', file) != EOF;
    const bool closed = file && markup_close(file, path);
    free(path);
    return good && closed;
}

static void keep_report(const char *from, const char *folder) {
    char *source = format_text("%s/out/report.txt", from), *target = format_text("%s/report.txt", folder);
    const int file = open_plain(source);
    FILE *copy = markup_open(target);
    char bytes[4096];
    ssize_t count;
    while (file >= 0 && copy && (count = read(file, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)count, copy);
    if (file >= 0)
        close(file);
    if (copy)
        markup_close(copy, target);
    free(source);
    free(target);
}

/* The first line of a file that the kit wrote, or NULL. */
static char *first_line(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name), line[512];
    const int file = open_plain(path);
    const ssize_t count = file < 0 ? 0 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    free(path);
    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    make_one_line(line);
    return *line ? copy_text(line) : NULL;
}

/* How it ended, in a word and in a sentence; the sentence is empty where it ended as it should. */
static const char *ending_word(enum ending ending) {
    static const char *const words[] = {"graded", "time", "memory", "disk"};
    return words[ending];
}

static char *sentence(const struct run *run, enum ending ending, int wait_status) {
    switch (ending) {
    case ENDED_BY_TIME:
        return format_text(
            "It was stopped after %.0f seconds, the limit for one submission; what was not graded by "
            "then has no points.",
            run->seconds);
    case ENDED_BY_MEMORY:
        return format_text(
            "It was stopped because it used more than %zu MiB of memory, or started processes without "
            "end; what was not graded by then has no points.",
            run->memory >> 20);
    case ENDED_BY_DISK:
        return format_text(
            "It was stopped because it wrote more than %zu MiB to the disk, or files without end; what "
            "was not graded by then has no points.",
            run->disk >> 20);
    default:
        if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) <= 2)
            return copy_text("");
        return copy_text(
            "The grading was ended from inside of the sandbox before its end; what was not graded by then "
            "has no points. No honest submission does that: look at its files.");
    }
}

/* The kit or the sandbox failed, and the submission has no part in it. */
static char *failure(const char *from, const char *key, enum ending ending, int wait_status) {
    if (*key == '\0') {
        char *why = first_line(from, "stage.log");
        return why ? why : copy_text("Its files could not be copied.");
    }
    char *said = ending == ENDED ? first_line(from, "sandbox.log") : NULL;
    if (said)
        return said;
    if (WIFEXITED(wait_status) && (WEXITSTATUS(wait_status) == 3 || WEXITSTATUS(wait_status) == 70))
        return copy_text("The checker could not grade it: report.txt says why.");
    return NULL;
}

bool settle(const struct run *run, const struct submission *submission, const char *from, const char *folder,
            const char *key, enum ending ending, int wait_status, double seconds) {
    char *path = format_text("%s/out/check.json", from), *why = failure(from, key, ending, wait_status);
    char *old = format_text("%s/check.json", folder);
    bool good = false;
    keep_report(from, folder);
    if (why != NULL) {
        json_t *outcome = json_pack("{ss ss}", "ended", "not graded", "note", why);
        unlink(old);
        write_json(outcome, folder, "outcome.json");
        json_decref(outcome);
        printf("%sSubmission %d was not graded: %s\n", is_terminal() ? "\r\x1b[K" : "", submission->number,
               why);
    } else {
        why = sentence(run, ending, wait_status);
        json_t *check = read_check(run, path);
        if (check == NULL && *why == '\0') {
            free(why);
            why = copy_text("What it left is no check.json: it was changed from inside of the sandbox. No "
                            "honest submission "
                            "does that: look at its files.");
        }
        if (check == NULL)
            check = check_of_nothing(run, from, why);
        json_t *outcome = json_pack("{ss ss ss sf}", "key", key, "ended",
                                    *why && ending == ENDED ? "from inside" : ending_word(ending), "note",
                                    why, "seconds", seconds);
        good =
            check && write_json(check, folder, "check.json") && write_json(outcome, folder, "outcome.json");
        if (!good)
            printf("The result of submission %d could not be written: is the disk full?\n",
                   submission->number);
        json_decref(check);
        json_decref(outcome);
    }
    free(path);
    free(old);
    free(why);
    return good;
}
