/* Names as the source has them, from mangled ones (Itanium C++ ABI, 5.1). */
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "_ZZ7partialIfEvPKT_iE4tile_0" -> "tile": a local variable's name follows the last E of its function, as
 * its length and itself, and perhaps a number after '_' (Itanium C++ ABI, 5.1). Other mangled names are taken
 * to begin with it; a plain name stays as it is. */
void symbol_variable_name(const char *symbol, char name[64]) {
    const char *best = symbol;
    size_t length = strlen(symbol);
    bool local = !strncmp(symbol, "_ZZ", 3), mangled = !strncmp(symbol, "_Z", 2);
    for (const char *at = symbol; mangled && *at; at++) {
        char before = at == symbol ? 0 : at[-1];
        if (*at < '1' || *at > '9' || (before != 'E' && (local || (before != 'L' && before != 'N'))))
            continue;
        char *end;
        size_t part = strtoul(at, &end, 10);
        if (!part || strlen(end) < part || (local && end[part] && end[part] != '_'))
            continue;
        best = end;
        length = part;
    }
    if (length > 63)
        length = 63;
    memcpy(name, best, length);
    name[length] = 0;
}

/* "_Z15partials_kernelIfEvPKT_" -> "partials_kernel". */
void symbol_function_name(const char *symbol, char *name, size_t bytes) {
    const char *at = symbol + strcspn(symbol, "123456789");
    char *rest;
    size_t length = strtoul(at, &rest, 10);
    bool mangled = !strncmp(symbol, "_Z", 2) && length && length <= strlen(rest);
    snprintf(name, bytes, "%.*s", mangled ? (int)length : (int)strlen(symbol), mangled ? rest : symbol);
}
