/* Functions of the C library by their names, from its image in memory: no symbol of theirs is linked. */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *find_by_address(const char *name) {
    uintptr_t base = (uintptr_t)&lldiv & ~(uintptr_t)4095;
    while (memcmp((const void *)base, ELFMAG, SELFMAG) != 0)
        base -= 4096;
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segment = (const Elf64_Phdr *)(base + head->e_phoff);
    const Elf64_Dyn *entry = NULL;
    uintptr_t symbols = 0, names = 0;
    for (int i = 0; i < head->e_phnum; i++)
        if (segment[i].p_type == PT_DYNAMIC)
            entry = (const Elf64_Dyn *)(base + segment[i].p_vaddr);
    for (; entry && entry->d_tag; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            symbols = entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB)
            names = entry->d_un.d_ptr;
    }
    for (const Elf64_Sym *symbol = (const Elf64_Sym *)symbols; (uintptr_t)symbol < names; symbol++)
        if (symbol->st_value && strcmp((const char *)names + symbol->st_name, name) == 0)
            return (void *)(base + symbol->st_value);
    return NULL;
}
#define BY_ADDRESS(type, name) ((__typeof__(type) *)find_by_address(name))
