/* Loads and stores with a cache hint: __ldg, __ldcg, __stcs and their kin. They are ordinary accesses in the
 * student's function, where they are seen like any other. */
#ifndef SIM_CACHED_ACCESS_H
#define SIM_CACHED_ACCESS_H

#include "compiler.h"

namespace sim {
template <class T> struct identity { typedef T type; };
} // namespace sim

#define SIM_LOAD(name)                                                                                       \
    template <class T> SIM_DEVICE T name(const T *address) {                                                 \
        return *address;                                                                                     \
    }
#define SIM_STORE(name)                                                                                      \
    template <class T> SIM_DEVICE void name(T *address, typename sim::identity<T>::type value) {             \
        *address = value;                                                                                    \
    }

SIM_LOAD(__ldg)
SIM_LOAD(__ldcg)
SIM_LOAD(__ldca)
SIM_LOAD(__ldcs)
SIM_LOAD(__ldlu)
SIM_LOAD(__ldcv)
SIM_STORE(__stcg)
SIM_STORE(__stcs)
SIM_STORE(__stwb)
SIM_STORE(__stwt)

#undef SIM_LOAD
#undef SIM_STORE

#endif
