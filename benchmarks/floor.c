/* The least time of a call (see floor.h).
 *
 * Warm: however well an L2 of L bytes is used by calls that take turns over a set of S bytes, at most the
 * share L / S of each call's bytes is found in it; the rest comes from DRAM, and all of it passes L2. Cold: x
 * was flushed out and all of it comes from DRAM; y may stay in L2 when the clock stops. */
#include "floor.h"
#include "base/memory.h"
#include <math.h>

bool set_fits_l2(const struct traffic_contract *contract, const struct memory_limits *limits) {
    return !contract->cold && contract->set_bytes <= limits->l2_bytes;
}

static double bytes_from_dram(const struct traffic_contract *contract, const struct memory_limits *limits) {
    const double bytes = (double)(contract->read_bytes + contract->write_bytes);
    if (contract->cold)
        return (double)contract->read_bytes;
    const double outside = 1 - (double)limits->l2_bytes / (double)contract->set_bytes;
    return outside > 0 ? outside * bytes : 0;
}

double floor_microseconds(const struct traffic_contract *contract, const struct memory_limits *limits) {
    const double dram = bytes_from_dram(contract, limits) / limits->dram_bytes_per_second;
    const double l2 = (double)(contract->read_bytes + contract->write_bytes) / limits->l2_bytes_per_second;
    return 1e6 * fmax(dram, l2);
}

char *floor_refuse(double microseconds, const struct traffic_contract *contract,
                   const struct memory_limits *limits) {
    const double least = floor_microseconds(contract, limits), bytes = bytes_from_dram(contract, limits);
    if (microseconds >= least)
        return NULL;
    const double all = (double)(contract->read_bytes + contract->write_bytes);
    if (1e6 * bytes / limits->dram_bytes_per_second >= least)
        return format_text(
            "%.3g us is not possible: at least %.0f of the %.0f bytes of a call come from DRAM, at "
            "most %.3g TB/s of it: %.3g us. So less was read or written than the contract asks for, "
            "or not all of it was timed.",
            microseconds, bytes, all, limits->dram_bytes_per_second / 1e12, least);
    return format_text(
        "%.3g us is not possible: the %.0f bytes of a call pass the L2 at %.3g TB/s at most: %.3g us. "
        "So less was read or written than the contract asks for, or not all of it was timed.",
        microseconds, all, limits->l2_bytes_per_second / 1e12, least);
}
