/* How fast memory can be at best, and times that are below it. */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

/* A device's limits: bytes per second by its data sheet, and the size of its L2. */
struct memory_limits {
    double dram_bytes_per_second, l2_bytes_per_second;
    uint64_t l2_bytes;
};

/* The calls that are timed: a call reads x once and writes y once, at the least. */
struct traffic_contract {
    uint64_t read_bytes, write_bytes; /* of one call */
    uint64_t set_bytes;               /* x and y of all calls that take turns */
    bool cold;                        /* the L2 was flushed before the call */
};

/* Whether all of the set can lie in L2. */
bool set_fits_l2(const struct traffic_contract *contract, const struct memory_limits *limits);

/* The least time of one call in microseconds. */
double floor_microseconds(const struct traffic_contract *contract, const struct memory_limits *limits);

/* Null where the time is possible, else the arithmetic in a sentence (from malloc). */
char *floor_refuse(double microseconds, const struct traffic_contract *contract,
                   const struct memory_limits *limits);

#endif
