/* build/class: make grade, make merge and the files for services call it.
 *
 *   class run OPTIONS              grade what has to be graded
 *   class report OPTIONS           grades.csv, junit.xml, the pages, points.dat
 *   class summary OPTIONS FIGURE...
 *   class list OPTIONS             number and name of those that are graded, for checker/class/alike.sh
 *   class results SERVICE CHECK.JSON [NOTE]
 *   class merge INTO FROM...       may these be put together? */
#include "base/memory.h"
#include "class.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    struct run run;
    const char *alike, *alike_note;
};

static const struct option known[] = {{"exercise", required_argument, NULL, 'e'},
                                      {"submissions", required_argument, NULL, 's'},
                                      {"results", required_argument, NULL, 'r'},
                                      {"work", required_argument, NULL, 'w'},
                                      {"stage", required_argument, NULL, 'a'},
                                      {"grade", required_argument, NULL, 'g'},
                                      {"kit", required_argument, NULL, 'k'},
                                      {"runtime", required_argument, NULL, 't'},
                                      {"seed", required_argument, NULL, 'S'},
                                      {"shard", required_argument, NULL, 'd'},
                                      {"jobs", required_argument, NULL, 'j'},
                                      {"seconds", required_argument, NULL, 'l'},
                                      {"memory", required_argument, NULL, 'm'},
                                      {"disk", required_argument, NULL, 'f'},
                                      {"spare", required_argument, NULL, 'p'},
                                      {"fresh", no_argument, NULL, 'F'},
                                      {"alike", required_argument, NULL, 'A'},
                                      {"alike-note", required_argument, NULL, 'N'},
                                      {0}};

static unsigned long number(const char *text, unsigned long max) {
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value > max) {
        fprintf(stderr, "class: '%s' is no whole number up to %lu.\n", text, max);
        exit(64);
    }
    return value;
}

static struct options read_options(int count, char **arguments) {
    struct options options = {.run = {.shard = {1, 1},
                                      .jobs = 1,
                                      .seed = 1,
                                      .seconds = 600,
                                      .memory = (size_t)12 << 30,
                                      .spare = (size_t)1 << 30,
                                      .disk = 256 << 20}};
    struct run *run = &options.run;
    for (int key; (key = getopt_long(count, arguments, "", known, NULL)) != -1;)
        switch (key) {
        case 'e':
            run->exercise = optarg;
            break;
        case 's':
            run->submissions = optarg;
            break;
        case 'r':
            run->results = optarg;
            break;
        case 'w':
            run->work = optarg;
            break;
        case 'a':
            run->stage = optarg;
            break;
        case 'g':
            run->grade = optarg;
            break;
        case 'k':
            run->kit = optarg;
            break;
        case 't':
            run->runtime = optarg;
            break;
        case 'S':
            run->seed = (json_int_t)number(optarg, 9223372036854775807u);
            break;
        case 'j':
            run->jobs = (int)number(optarg, 1000);
            break;
        case 'l':
            run->seconds = (double)number(optarg, 86400);
            break;
        case 'm':
            run->memory = number(optarg, 1 << 22) << 20;
            break;
        case 'f':
            run->disk = number(optarg, 1 << 22) << 20;
            break;
        case 'p':
            run->spare = number(optarg, 1 << 22) << 20;
            break;
        case 'F':
            run->fresh = true;
            break;
        case 'A':
            options.alike = optarg;
            break;
        case 'N':
            options.alike_note = optarg;
            break;
        case 'd':
            if (shard_read(&run->shard, optarg))
                break;
            fprintf(stderr, "class: a shard is written 3/10, not '%s'.\n", optarg);
            exit(64);
        default:
            exit(64);
        }
    return options;
}

static bool write_class(const struct run *run) {
    char *path = format_text("%s/class.json", run->results),
         *shard = format_text("%u/%u", run->shard.index, run->shard.count);
    json_t *root =
        json_pack("{ss ss sI ss sf sI sI ss}", "exercise", run->exercise, "runtime", run->runtime, "seed",
                  run->seed, "kit", run->kit, "seconds", run->seconds, "memory",
                  (json_int_t)(run->memory >> 20), "disk", (json_int_t)(run->disk >> 20), "shard", shard);
    FILE *file = markup_open(path);
    bool good = file && json_dumpf(root, file, JSON_INDENT(2)) == 0;
    good = file && markup_close(file, path) && good;
    if (!good)
        printf("%s cannot be written: %s.\n", path, strerror(errno));
    json_decref(root);
    free(path);
    free(shard);
    return good;
}

/* Of what the results hold: all that lies in the folder of submissions, or, where there is none (after a merge), in that of
 * the results. */
static struct records read_records(const struct run *run) {
    char *folder =
        run->submissions ? copy_text(run->submissions) : format_text("%s/submissions", run->results);
    struct submissions submissions;
    if (!submissions_read(&submissions, folder, run->shard)) {
        printf("%s cannot be read: %s.\n", folder, strerror(errno));
        exit(3);
    }
    free(folder);
    return records_read(&submissions, run->results);
}

static bool written(const struct run *run, const char *name,
                    bool (*write)(const struct records *, const char *), const struct records *records) {
    char *path = format_text("%s/%s", run->results, name);
    const bool good = write(records, path);
    if (!good)
        printf("%s cannot be written: %s.\n", path, strerror(errno));
    free(path);
    return good;
}

static int report(const struct run *run) {
    struct records records = read_records(run);
    bool good = written(run, "grades.csv", csv_write, &records) &&
                written(run, "junit.xml", junit_write, &records) &&
                written(run, "points.dat", points_write, &records);
    for (size_t i = 0; good && i < records.count; i++) {
        char *path = format_text("%s/page.html", records.items[i].folder);
        if (records.items[i].check)
            good = page_write(&records.items[i], path);
        else
            unlink(path);
        free(path);
    }
    for (size_t k = 0; good && k < records.stage_count; k++)
        printf("%s\n", records.stages[k]);
    return good ? 0 : 3;
}

static int summary(const struct options *options, char **figures, int count) {
    struct records records = read_records(&options->run);
    char *path = format_text("%s/summary.html", options->run.results);
    const bool good = summary_write(&records, path, options->alike, (const char *const *)figures,
                                    (size_t)count, options->alike_note ? options->alike_note : "");
    free(path);
    return good ? 0 : 3;
}

/* NUMBER and name, each ended by a zero byte. */
static int list(const struct run *run) {
    const struct records records = read_records(run);
    for (size_t i = 0; i < records.count; i++)
        if (records.items[i].check)
            printf("%d%c%s%c", records.items[i].submission.number, '\0', records.items[i].submission.name,
                   '\0');
    return 0;
}

int main(int count, char **arguments) {
    const char *command = count > 1 ? arguments[1] : "";
    if (strcmp(command, "merge") == 0 && count > 3)
        return merge(arguments[2], (const char *const *)arguments + 3, (size_t)count - 3);
    if (strcmp(command, "results") == 0 && (count == 4 || count == 5))
        return service_print(arguments[2], arguments[3], count == 5 ? arguments[4] : "");
    const struct options options = read_options(count - 1, arguments + 1);
    const struct run *run = &options.run;
    if (strcmp(command, "run") == 0)
        return write_class(run) ? schedule(run) : 3;
    if (strcmp(command, "report") == 0)
        return report(run);
    if (strcmp(command, "summary") == 0)
        return summary(&options, arguments + 1 + optind, count - 1 - optind);
    if (strcmp(command, "list") == 0)
        return list(run);
    fprintf(stderr, "class: run, report, summary, list, results or merge, not '%s'.\n", command);
    return 64;
}
