/* char1 .. double4 and dim3, with CUDA's sizes and alignments. C sees plain structs.
 *
 * In C++ the types of 2 and 4 elements copy themselves whole, through one access of up to 16 bytes, for two
 * reasons. A GPU loads and stores them so, and that is what should be counted. And clang's alignment check
 * looks at a reference that is bound and not at the copy of a trivial struct: a float4 that is read or
 * written at an address that is no multiple of 16 is seen only because its copy is a function. Therefore they
 * have constructors, which take what an aggregate would: braces with one value or more. They stay trivial to
 * construct, for shared arrays and unions. */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#include "sim/qualifiers.h"

#ifdef __cplusplus

namespace sim {
/* The only value in a pair of braces. A type of its own, so that `float4 v = {0}` is valid and `float4 v = 0`
 * is not. */
template <class T> struct only {
    T value;
    SIM_INLINE constexpr only(T value) : value(value) {}
};
} // namespace sim

#define SIM_UNCHECKED __attribute__((no_sanitize("alignment")))

/* Copies by accesses of at most 16 bytes. */
#define SIM_COPIED_WHOLE(name, type, count)                                                                  \
    typedef type sim_whole                                                                                   \
        __attribute__((vector_size(sizeof(type) * count > 16 ? 16 : sizeof(type) * count), may_alias));      \
    SIM_INLINE SIM_UNCHECKED void sim_copy(const name *from) {                                               \
        sim_whole *to = reinterpret_cast<sim_whole *>(this);                                                 \
        to[0] = reinterpret_cast<const sim_whole *>(from)[0];                                                \
        if (sizeof(name) > sizeof(sim_whole))                                                                \
            to[1] = reinterpret_cast<const sim_whole *>(from)[1];                                            \
    }                                                                                                        \
    SIM_INLINE SIM_UNCHECKED name(const name &value) {                                                       \
        sim_copy(&value);                                                                                    \
    }                                                                                                        \
    SIM_INLINE SIM_UNCHECKED name &operator=(const name &value) {                                            \
        sim_copy(&value);                                                                                    \
        return *this;                                                                                        \
    }                                                                                                        \
    name() = default

#define SIM_VECTOR2(name, type)                                                                              \
    type x, y;                                                                                               \
    SIM_COPIED_WHOLE(name, type, 2);                                                                         \
    SIM_INLINE constexpr name(sim::only<type> x) : x(x.value), y() {}                                        \
    SIM_INLINE constexpr name(type x, type y) : x(x), y(y) {}

#define SIM_VECTOR4(name, type)                                                                              \
    type x, y, z, w;                                                                                         \
    SIM_COPIED_WHOLE(name, type, 4);                                                                         \
    SIM_INLINE constexpr name(sim::only<type> x) : x(x.value), y(), z(), w() {}                              \
    SIM_INLINE constexpr name(type x, type y, type z = 0, type w = 0) : x(x), y(y), z(z), w(w) {}

#define SIM_PASSED_AS_IN_C __attribute__((trivial_abi))

#else
#define SIM_VECTOR2(name, type) type x, y;
#define SIM_VECTOR4(name, type) type x, y, z, w;
#define SIM_PASSED_AS_IN_C
#endif

#define SIM_VECTORS(base, type, align1, align2, align4)                                                      \
    struct __align__(align1) base##1 {                                                                       \
        type x;                                                                                              \
    };                                                                                                       \
    struct __align__(align2) SIM_PASSED_AS_IN_C base##2 {SIM_VECTOR2(base##2, type)};                        \
    struct __align__(align1) base##3 {                                                                       \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct __align__(align4) SIM_PASSED_AS_IN_C base##4 {SIM_VECTOR4(base##4, type)};                        \
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
#undef SIM_VECTOR2
#undef SIM_VECTOR4
#undef SIM_COPIED_WHOLE
#undef SIM_UNCHECKED
#undef SIM_PASSED_AS_IN_C

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
