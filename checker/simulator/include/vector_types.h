/* char1 .. double4 and dim3, with CUDA's sizes and alignments. C sees plain structs.
 *
 * In C++ they stay aggregates with trivial constructors (brace initialisation, unions, shared arrays), but
 * they are assigned member by member: clang's alignment check looks at a call of a member function and not at
 * the copy of a whole struct, and a float4 stored at an address that is no multiple of 16 has to be seen. */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#include "sim/qualifiers.h"

#ifdef __cplusplus
#define SIM_ASSIGN(name, copy)                                                                               \
    SIM_INLINE name &operator=(const name &value) {                                                          \
        copy;                                                                                                \
        return *this;                                                                                        \
    }
#else
#define SIM_ASSIGN(name, copy)
#endif

#define SIM_VECTORS(base, type, align1, align2, align4)                                                      \
    struct __align__(align1) base##1 {                                                                       \
        type x;                                                                                              \
        SIM_ASSIGN(base##1, x = value.x)                                                                     \
    };                                                                                                       \
    struct __align__(align2) base##2 {                                                                       \
        type x, y;                                                                                           \
        SIM_ASSIGN(base##2, (x = value.x, y = value.y))                                                      \
    };                                                                                                       \
    struct __align__(align1) base##3 {                                                                       \
        type x, y, z;                                                                                        \
        SIM_ASSIGN(base##3, (x = value.x, y = value.y, z = value.z))                                         \
    };                                                                                                       \
    struct __align__(align4) base##4 {                                                                       \
        type x, y, z, w;                                                                                     \
        SIM_ASSIGN(base##4, (x = value.x, y = value.y, z = value.z, w = value.w))                            \
    };                                                                                                       \
    typedef struct base##1 base##1;                                                                          \
    typedef struct base##2 base##2;                                                                          \
    typedef struct base##3 base##3;                                                                          \
    typedef struct base##4 base##4

SIM_VECTORS(char, signed char, 1, 2, 4);
SIM_VECTORS(uchar, unsigned char, 1, 2, 4);
SIM_VECTORS(short, short, 2, 4, 8);
SIM_VECTORS(ushort, unsigned short, 2, 4, 8);
SIM_VECTORS(int, int, 4, 8, 16);
SIM_VECTORS(uint, unsigned int, 4, 8, 16);
SIM_VECTORS(long, long, 8, 16, 16);
SIM_VECTORS(ulong, unsigned long, 8, 16, 16);
SIM_VECTORS(longlong, long long, 8, 16, 16);
SIM_VECTORS(ulonglong, unsigned long long, 8, 16, 16);
SIM_VECTORS(float, float, 4, 8, 16);
SIM_VECTORS(double, double, 8, 16, 16);

#undef SIM_VECTORS
#undef SIM_ASSIGN

/* Blocks of a grid or threads of a block along x, y and z; what is left out is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
    constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
