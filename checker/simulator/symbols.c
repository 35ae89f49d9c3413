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

static size_t collect(const unsigned char *file, size_t bytes, uintptr_t base, uintptr_t start,
                      uintptr_t stop, struct symbol **symbols) {
    const Elf64_Ehdr *header = (const void *)file;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
        header->e_shoff > bytes - sizeof(Elf64_Shdr) * header->e_shnum)
        return 0;
    const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
    size_t count = 0;
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_offset + sections[i].sh_size > bytes ||
            sections[i].sh_link >= header->e_shnum)
            continue;
        const Elf64_Sym *table = (const void *)(file + sections[i].sh_offset);
        const char *names = (const char *)file + sections[sections[i].sh_link].sh_offset;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *table; k++) {
            uintptr_t address = base + table[k].st_value;
            if (ELF64_ST_TYPE(table[k].st_info) != STT_OBJECT || table[k].st_size == 0 || address < start ||
                address >= stop)
                continue;
            *symbols = realloc(*symbols, (count + 1) * sizeof **symbols);
            struct symbol *symbol = &(*symbols)[count++];
            *symbol = (struct symbol){.start = address, .bytes = table[k].st_size};
            plain_name(names + table[k].st_name, symbol->name);
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
            count = collect(map, bytes, base, start, stop, symbols);
            munmap(map, bytes);
        }
    }
    close(file);
    if (count)
        qsort(*symbols, count, sizeof **symbols, by_start);
    return count;
}
