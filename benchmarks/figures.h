/* The figures that are made of a record. Each returns null or a sentence (from malloc), and draws
 * FOLDER/NAME.png and FOLDER/NAME.svg. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <jansson.h>

/* counts: what the simulator counted, against the parameter. beside: a second record of counts in the same panels, or
 * null. recorded: a record with times, drawn beside them and labelled as recorded, or null. name: of the files. */
char *figure_of_counts(const json_t *document, const json_t *beside, const json_t *recorded,
                       const char *folder, const char *name);

/* time-warm and time-cold: times against the parameter, with the baselines. */
char *figure_of_times(const json_t *document, const char *cache, const char *folder);

/* speed-up: over each baseline, against the parameter. */
char *figure_of_speedup(const json_t *document, const char *folder);

/* share-of-copy: the time of a copy of the same bytes, as a share of each variant's. */
char *figure_of_share(const json_t *document, const char *folder);

/* overlay: the times of two records. */
char *figure_of_two(const json_t *a, const json_t *b, const char *folder);

#endif
