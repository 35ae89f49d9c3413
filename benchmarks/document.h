/* bench.json: the record of one run. docs/benchmarks.md describes its fields. */
#ifndef BENCH_DOCUMENT_H
#define BENCH_DOCUMENT_H

#include "settings.h"
#include <jansson.h>

enum { FORMAT_VERSION = 1, METHOD_VERSION = 2 };
#define FORMAT_NAME "softmax-workshop bench"

/* A new record. measures: "times" or "counts"; runtime: "cuda" or "simulator". Its "cases" is empty. */
json_t *document_new(const struct settings *settings, const char *measures, const char *runtime);

/* A case (a shape and a type), appended to the record; its "variants" is empty. Owned by the record. */
json_t *document_case(json_t *document, const struct shape *shape, enum element_type type);

/* A variant, appended to a case. role: "submission" or "baseline"; parameter: 0 where it has none. */
json_t *document_variant(json_t *of_case, const char *name, const char *role, int parameter);

/* Writes the record beside its place and renames it. Returns null, or a sentence (from malloc). */
char *document_write(const json_t *document, const char *path);

/* Reads a record; its texts are made plain. Returns null with *trouble a sentence (from malloc) where it is
 * no record of ours. */
json_t *document_read(const char *path, char **trouble);

/* Lines "DIGEST  NAME" of a file, as sha256sum prints them: objects with "file" and "sha256". Null: an empty list. */
json_t *document_sources(const char *path);

/* Fields of an object, with a default where they are missing or of another kind. */
double number_in(const json_t *object, const char *key);
const char *text_in(const json_t *object, const char *key);

/* The case of a record with this one's shape and type, or null. */
json_t *case_like(const json_t *document, const json_t *of_case);

/* The variant of a case with this name, or null. */
json_t *variant_named(const json_t *of_case, const char *name);

/* The time of a variant: mode "graph" or "stream", cache "warm" or "cold". Null where there is none. */
json_t *time_of(const json_t *variant, const char *mode, const char *cache);

/* "64 x 131072"; the pitch where it is not the width: "1823 x 781 (pitch 784)". From malloc. */
char *shape_words(const json_t *of_case);

#endif
