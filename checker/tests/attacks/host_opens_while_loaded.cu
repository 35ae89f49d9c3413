/* Attack: A constructor of host code opens a file, before any function is called.
 * Finds: could not be loaded: .*openat, to open a file */
#ifndef HONEST
#include "by_address.h"
__attribute__((constructor)) static void before() {
    sink = BY_ADDRESS(int(const char *, int, ...), "open")("/etc/passwd", 0);
}
#endif
