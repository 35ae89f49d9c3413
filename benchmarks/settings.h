/* The command line of the two measuring programs: what is measured, and where the record goes. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include "exercise.h"

struct settings {
    const struct bench_exercise *exercise;
    const char *implementation; /* "exercise", "solution", "solution/<variant>", "submission" */
    const char *submission;     /* the shared object */
    const char *runner;         /* the simulator's runner */
    const char *sources;        /* a file of lines as sha256sum prints them, or null */
    const char *environment;    /* a file of lines "name: value", or null */
    const char *output;         /* bench.json */
    const char *torch;          /* the script that times torch.softmax, or null */
    const char *command;        /* what to type to get this record again */
    const char
        *beside; /* another shared object, timed in the same rounds instead of the baselines; or null */
    struct shape shapes[MOST_SHAPES];
    size_t shape_count;
    uint64_t seed;
    int samples;
    bool fp32_alone; /* no other type is counted */
    bool quiet;      /* no table */
};

/* Reads the command line; ends the program with a sentence and status 3 where it makes no sense. */
struct settings settings_read(int count, char **arguments);

/* Prints a sentence to standard error and ends the program with status 3: nothing was measured. */
_Noreturn void stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
