/* char1 .. double4 and dim3, with CUDA's sizes and alignments: plain structures. One that is copied whole is one
 * access of up to 16 bytes, as on a GPU, at an address that must be a multiple of its alignment. */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#include "sim/qualifiers.h"

#define SIM_VECTORS(base, type, align1, align2, align4)                                                      \
    struct __align__(align1) base##1 {                                                                       \
        type x;                                                                                              \
    };                                                                                                       \
    struct __align__(align2) base##2 {                                                                       \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct __align__(align1) base##3 {                                                                       \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct __align__(align4) base##4 {                                                                       \
        type x, y, z, w;                                                                                     \
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

/* Blocks of a grid or threads of a block along x, y and z; what is left out is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    SIM_INLINE constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z) {}
    SIM_INLINE constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
    template <class Place, class = typename Place::sim_place>
    SIM_INLINE dim3(const Place &place) : x(place.x), y(place.y), z(place.z) {} /* threadIdx and its kin */
    SIM_INLINE constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
