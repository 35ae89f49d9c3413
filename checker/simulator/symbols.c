/* Names and sizes of a submission's own variables, from the symbol table of its ELF file. */
#include "simulator.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* "_ZZ7partialIfEvPKT_iE4tile_0" -> "tile": a local variable's name follows the last E of its function, as
 * its length and itself, and perhaps a number after '_' (Itanium C++ ABI, 5.1). Other mangled names are taken
 * to begin with it; a plain name stays as it is. */
static void plain_name(const char *symbol, char name[64]) {
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

static int by_start(const void *a, const void *b) {
    const struct symbol *first = a, *second = b;
    return (first->start > second->start) - (first->start < second->start);
}

/* A file in memory. The offsets in it may be anything, so all that is read of it is copied by part_of. */
struct image {
    const unsigned char *bytes;
    size_t count;
};

/* Item i of an array at an offset. False: it does not lie in the file. */
static bool part_of(const struct image *image, uint64_t offset, size_t i, void *item, size_t item_bytes) {
    if (offset > image->count || (image->count - offset) / item_bytes <= i)
        return false;
    memcpy(item, image->bytes + offset + i * item_bytes, item_bytes);
    return true;
}

/* The name at an offset into a section of strings; "" where it does not lie in the file whole. */
static const char *name_at(const struct image *image, const Elf64_Shdr *strings, uint32_t offset) {
    if (strings->sh_offset > image->count || offset >= image->count - strings->sh_offset)
        return "";
    const size_t place = strings->sh_offset + offset;
    const char *name = (const char *)image->bytes + place;
    return memchr(name, '\0', image->count - place) ? name : "";
}

static size_t collect(const struct image *image, uintptr_t base, uintptr_t start, uintptr_t stop,
                      struct symbol **symbols) {
    Elf64_Ehdr header;
    Elf64_Shdr section, strings;
    Elf64_Sym entry;
    size_t count = 0;
    if (!part_of(image, 0, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG))
        return 0;
    for (size_t i = 0; i < header.e_shnum && part_of(image, header.e_shoff, i, &section, sizeof section);
         i++) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum ||
            !part_of(image, header.e_shoff, section.sh_link, &strings, sizeof strings))
            continue;
        for (size_t k = 0;
             k < section.sh_size / sizeof entry && part_of(image, section.sh_offset, k, &entry, sizeof entry);
             k++) {
            const uintptr_t address = base + entry.st_value;
            if (ELF64_ST_TYPE(entry.st_info) != STT_OBJECT || entry.st_size == 0 || address < start ||
                address >= stop)
                continue;
            *symbols = realloc(*symbols, (count + 1) * sizeof **symbols);
            struct symbol *symbol = &(*symbols)[count++];
            *symbol = (struct symbol){.start = address, .bytes = entry.st_size};
            plain_name(name_at(image, &strings, entry.st_name), symbol->name);
        }
    }
    return count;
}

size_t symbols_between(const char *path, uintptr_t base, uintptr_t start, uintptr_t stop,
                       struct symbol **symbols) {
    *symbols = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return 0;
    size_t count = 0;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (map != MAP_FAILED) {
            count = collect(&(struct image){map, bytes}, base, start, stop, symbols);
            munmap(map, bytes);
        }
    }
    close(file);
    if (count)
        qsort(*symbols, count, sizeof **symbols, by_start);
    return count;
}
