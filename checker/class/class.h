/* build/class: a whole class graded, and what is told of it.
 *
 *   submissions.c  which folders there are, and which belong to this shard
 *   schedule.c     one child a submission, so many at a time; limits, progress, what is kept from before
 *   usage.c        memory of a child with all that it started, and what it has written
 *   settle.c       after a child's end: is check.json what it should be? outcome.json says how it ended
 *   record.c       both files of a submission, read again
 *   csv.c junit.c page.c summary.c   grades.csv, junit.xml, a page a submission, summary.html
 *   services.c     check.json for Gradescope, GitHub Classroom, Classroom 50, Moodle's VPL
 *   merge.c        results of several machines put together
 *   markup.c       text that is safe in HTML and XML
 *
 * In the results folder of an exercise:
 *   class.json                          exercise, seed, runtime, kit, limits, shard
 *   submissions/<NAME>/check.json       as make check writes it; NAME is the submission's folder
 *   submissions/<NAME>/outcome.json     key (kit, seed, limits, files), how it ended, a sentence, seconds
 *   submissions/<NAME>/report.txt       what make check shows
 *   submissions/<NAME>/page.html
 *   grades.csv junit.xml summary.html
 * A student's name is in <NAME> and in grades.csv; anywhere else a submission has its number, its place in the sorted list.
 */
#ifndef CLASS_H
#define CLASS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- submissions.c ---- */
struct submission {
    char *name;
    int number; /* from 1, by name, of all that lie in the folder, whatever the shard */
};

struct submissions {
    struct submission *items;
    size_t count;
    size_t others; /* what lies there beside folders */
};

struct shard {
    unsigned index, count; /* 3/10 is {3, 10}; {1, 1} is all */
};

/* The folders in `folder`, sorted by bytes, of the shard. Those that begin with a dot are left out. False: it cannot be
 * read; errno tells. */
bool submissions_read(struct submissions *submissions, const char *folder, struct shard shard);
bool shard_read(struct shard *shard, const char *text);

/* ---- usage.c ---- */
/* Bytes in memory of a process and of all that came from it, as long as they are its descendants. */
size_t usage_memory(pid_t process);
size_t usage_disk(const char *folder); /* bytes of the files in it */
size_t usage_available(void);          /* bytes of memory that this machine has left */

/* ---- schedule.c ---- */
struct run {
    const char *exercise, *submissions, *results, *work, *stage, *grade, *kit, *runtime;
    json_int_t seed;
    struct shard shard;
    int jobs;
    double seconds;      /* for one submission */
    size_t memory, disk; /* bytes, for one submission */
    size_t
        spare; /* bytes: where the machine has less left, the largest of several is put off until it is alone */
    bool fresh;
};

/* What became of a child. */
enum ending { ENDED, ENDED_BY_TIME, ENDED_BY_MEMORY, ENDED_BY_DISK, PUT_OFF };

bool is_terminal(void); /* whether standard output is one that can wipe a line */

/* Grades all that has to be. Returns the status to end with. */
int schedule(const struct run *run);

/* ---- settle.c ---- */
/* Takes what a child left in `from` to `folder`. False: the sandbox or the kit failed, and nothing was graded. */
bool settle(const struct run *run, const struct submission *submission, const char *from, const char *folder,
            const char *key, enum ending ending, int wait_status, double seconds);

/* ---- record.c ---- */
struct record {
    struct submission submission;
    char *folder;
    json_t *check, *outcome; /* NULL: not graded */
};

struct records {
    struct record *items;
    size_t count, graded;
    char *exercise;
    char **stages; /* in the order of the checks */
    size_t stage_count;
    int max_score;
};

struct records records_read(const struct submissions *submissions, const char *results);
const char *text_of(const json_t *object, const char *field); /* "" where there is none */
int number_of(const json_t *object, const char *field);
int stage_points(const struct record *record, const char *stage, int *max);
bool check_is_fault(const json_t *check);

/* ---- what is written ---- */
bool csv_write(const struct records *records, const char *path);
bool junit_write(const struct records *records, const char *path);
bool page_write(const struct record *record, const char *path);
bool points_write(const struct records *records, const char *path); /* for gnuplot: a row a submission */
/* `alike`: lines "NUMBER NUMBER PERCENT"; figures: SVG to put in. Either may be missing. */
bool summary_write(const struct records *records, const char *path, const char *alike,
                   const char *const *figures, size_t figure_count, const char *alike_note);

/* Prints a check.json as `service` wants it; the note is a sentence for its reader. */
int service_print(const char *service, const char *path, const char *note);

int merge(const char *into, const char *const *from, size_t count);

/* ---- markup.c ---- */
void markup_text(FILE *to, const char *text); /* for HTML and XML: escaped, control characters as U+FFFD */
FILE *markup_open(const char *path);          /* written beside it, and put in place by markup_close */
bool markup_close(FILE *file, const char *path);
extern const char markup_head[]; /* of a page, up to its title */
extern const char markup_style[];

#endif
