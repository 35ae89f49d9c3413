/* Elements as FP64 (see element.h). FP32 is C's float, whose conversion rounds once to nearest even. */
#include "numbers/element.h"

#include "numbers/half.h"
#include <math.h>
#include <string.h>

const enum element_type supported_types[3] = {TYPE_FP32, TYPE_FP16, TYPE_BF16};

size_t element_bytes(enum element_type type) {
    switch (type) {
    case TYPE_FP64:
        return 8;
    case TYPE_FP32:
        return 4;
    case TYPE_FP16:
    case TYPE_BF16:
        return 2;
    }
    return 0;
}

const char *element_name(enum element_type type) {
    switch (type) {
    case TYPE_FP64:
        return "FP64";
    case TYPE_FP32:
        return "FP32";
    case TYPE_FP16:
        return "FP16";
    case TYPE_BF16:
        return "BF16";
    }
    return "an unknown type";
}

void element_put(void *array, size_t index, enum element_type type, double value) {
    char *to = (char *)array + index * element_bytes(type);
    float single = (float)value;
    uint16_t half = type == TYPE_FP16 ? half_from_double(value) : bfloat16_from_double(value);
    if (type == TYPE_FP64)
        memcpy(to, &value, sizeof value);
    else if (type == TYPE_FP32)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &half, sizeof half);
}

double element_get(const void *array, size_t index, enum element_type type) {
    const char *from = (const char *)array + index * element_bytes(type);
    double value;
    float single;
    uint16_t half;
    switch (type) {
    case TYPE_FP64:
        memcpy(&value, from, sizeof value);
        return value;
    case TYPE_FP32:
        memcpy(&single, from, sizeof single);
        return single;
    case TYPE_FP16:
    case TYPE_BF16:
        memcpy(&half, from, sizeof half);
        return type == TYPE_FP16 ? half_to_double(half) : bfloat16_to_double(half);
    }
    return NAN;
}

double element_round(enum element_type type, double value) {
    char bytes[8];
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type);
}

double element_spacing(enum element_type type, double value) {
    int mantissa_bits = type == TYPE_FP64 ? 52 : type == TYPE_FP32 ? 23 : type == TYPE_FP16 ? 10 : 7;
    int smallest = type == TYPE_FP64 ? -1022 : type == TYPE_FP16 ? -14 : -126;
    int exponent = value == 0 ? smallest : ilogb(value);
    return ldexp(1, (exponent < smallest ? smallest : exponent) - mantissa_bits);
}

bool element_is_poison(const void *array, size_t index, enum element_type type) {
    size_t bytes = element_bytes(type);
    const unsigned char *from = (const unsigned char *)array + index * bytes;
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != 0xFF)
            return false;
    return true;
}
