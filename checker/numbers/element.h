/* Elements of a matrix on the checker's side: bytes of one of the CUDA types, read and written as FP64. */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of cudaDataType_t (library_types.h). FP64 is there to be refused. */
enum element_type { TYPE_FP32 = 0, TYPE_FP64 = 1, TYPE_FP16 = 2, TYPE_BF16 = 14 };

/* The three types an operator supports, in the order in which checks go through them. */
extern const enum element_type supported_types[3];

size_t element_bytes(enum element_type type);
const char *element_name(enum element_type type); /* "FP16" */

/* Writes value, rounded once to nearest even, as element `index` of an array. */
void element_put(void *array, size_t index, enum element_type type, double value);

/* Element `index` of an array. */
double element_get(const void *array, size_t index, enum element_type type);

/* The value as the type holds it: rounded once, to nearest even. */
double element_round(enum element_type type, double value);

/* The distance between neighbours of the type at this value (a finite one). */
double element_spacing(enum element_type type, double value);

/* Whether the element still has the bytes of poison, 0xFF: nothing was written to it. */
bool element_is_poison(const void *array, size_t index, enum element_type type);

#endif
