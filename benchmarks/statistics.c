/* Order statistics (see statistics.h).
 *
 * The k-th smallest and k-th largest of n ratios enclose the median unless fewer than k of them fall on one
 * side of it, and how many do is binomial(n, 1/2): the largest k with P(fewer than k) <= 0.025 on each side
 * gives the interval. Conover, Practical Nonparametric Statistics, section on quantiles. */
#include "statistics.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static int by_size(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double quantile(const double *sorted, size_t count, double share) {
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at;
    const size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static double *sorted_copy(const double *samples, size_t count) {
    double *sorted = get_memory(count * sizeof *sorted);
    memcpy(sorted, samples, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    return sorted;
}

struct summary summarize(const double *samples, size_t count) {
    double *sorted = sorted_copy(samples, count);
    const struct summary summary = {sorted[0], quantile(sorted, count, 0.25), quantile(sorted, count, 0.5),
                                    quantile(sorted, count, 0.75), sorted[count - 1]};
    free(sorted);
    return summary;
}

/* P(at most k of n fair coins), for small n without overflow. */
static double binomial_at_most(size_t k, size_t n) {
    double sum = 0;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) -
                   (double)n * log(2));
    return sum;
}

static enum comparison verdict_of(double low, double high) {
    if (low >= 1 - SAME_WITHIN && high <= 1 + SAME_WITHIN)
        return COMPARED_SAME;
    if (high < 1)
        return COMPARED_FASTER;
    return low > 1 ? COMPARED_SLOWER : COMPARED_UNKNOWN;
}

struct ratio compare_samples(const double *a, const double *b, size_t count) {
    double *ratios = get_memory(count * sizeof *ratios);
    for (size_t i = 0; i < count; i++)
        ratios[i] = a[i] / b[i];
    qsort(ratios, count, sizeof *ratios, by_size);
    size_t outside = 0; /* ratios left out on each side */
    while (outside < (count - 1) / 2 && binomial_at_most(outside, count) <= 0.025)
        outside++;
    if (outside > 0)
        outside--;
    struct ratio ratio = {.low = ratios[outside],
                          .median = quantile(ratios, count, 0.5),
                          .high = ratios[count - 1 - outside],
                          .confidence = 1 - 2 * binomial_at_most(outside, count)};
    /* Too few samples to be sure of anything: the widest interval, and no verdict. */
    ratio.verdict = ratio.confidence < 0.95 ? COMPARED_UNKNOWN : verdict_of(ratio.low, ratio.high);
    free(ratios);
    return ratio;
}

const char *comparison_words(enum comparison comparison) {
    static const char *const words[] = {"faster", "slower", "the same", "cannot tell"};
    return words[comparison];
}
