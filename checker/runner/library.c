/* A library of a submission may hold code that runs while it is loaded, when files have to be opened and code mapped. So that
 * it runs after all that is over, and forbidden (lockdown.c), what is loaded is a copy of the file, in memory, in which the
 * loader does not find that code: the entries of its dynamic section that name it have other tags. It is called later. */
#include "library.h"
#define __USE_GNU_DLINFO
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Added to a tag, it makes one of the range that is left to systems and that this one's loader passes over. */
enum { HIDDEN = 0x60000f00 };

extern void *__libc_stack_end; /* the C library's: no frame lies above */

static bool inside(uint64_t start, uint64_t count, uint64_t size, uint64_t bytes) {
    return start <= bytes && count <= (bytes - start) / size;
}

static bool hide_constructors(char *image, size_t bytes, struct library *library) {
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(void *)image;
    if (bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        !inside(head->e_phoff, head->e_phnum, sizeof(ElfW(Phdr)), bytes))
        return false;
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(void *)(image + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++) {
        if (segment[i].p_type != PT_DYNAMIC)
            continue;
        if (!inside(segment[i].p_offset, segment[i].p_filesz, 1, bytes))
            return false;
        ElfW(Dyn) *entry = (ElfW(Dyn) *)(void *)(image + segment[i].p_offset);
        for (size_t k = 0; k < segment[i].p_filesz / sizeof *entry; k++) {
            const uint64_t value = entry[k].d_un.d_val;
            switch (entry[k].d_tag) {
            case DT_INIT:
                library->init = value;
                break;
            case DT_INIT_ARRAY:
                library->init_array = value;
                break;
            case DT_INIT_ARRAYSZ:
                library->init_array_bytes = value;
                break;
            case DT_FINI:
            case DT_FINI_ARRAY:
            case DT_FINI_ARRAYSZ:
                break;
            default:
                continue;
            }
            entry[k].d_tag += HIDDEN;
        }
    }
    return true;
}

/* A descriptor for a copy without what would run; -1: the file cannot be read, or is no library. */
static int copy_without_constructors(int descriptor, struct library *library) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || status.st_size <= 0)
        return -1;
    const size_t bytes = (size_t)status.st_size;
    char *image = malloc(bytes);
    int copy = memfd_create("submission", MFD_CLOEXEC);
    bool good = image && copy >= 0 && pread(descriptor, image, bytes, 0) == (ssize_t)bytes &&
                hide_constructors(image, bytes, library);
    for (size_t done = 0; good && done < bytes;) {
        const ssize_t part = write(copy, image + done, bytes - done);
        good = part > 0 || (part < 0 && errno == EINTR);
        done += part > 0 ? (size_t)part : 0;
    }
    free(image);
    if (!good && copy >= 0)
        close(copy);
    return good ? copy : -1;
}

static int find_end(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    struct library *library = found;
    if (info->dlpi_addr != library->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
            library->end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

const char *library_load(int descriptor, struct library *library) {
    char path[64];
    *library = (struct library){0};
    const int copy = copy_without_constructors(descriptor, library);
    if (copy < 0)
        return "it is not a shared object, or cannot be read";
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(copy);
    if (library->handle == NULL)
        return dlerror();
    struct link_map *map = NULL;
    dlinfo(library->handle, RTLD_DI_LINKMAP, &map);
    library->base = map ? (uintptr_t)map->l_addr : 0;
    dl_iterate_phdr(find_end, library);
    return NULL;
}

void library_construct(const struct library *library) {
    typedef void constructor(int, char **, char **);
    char *none[] = {NULL};
    if (library->init)
        ((constructor *)(library->base + library->init))(0, none, none);
    constructor *const *each = (constructor *const *)(library->base + library->init_array);
    for (uint64_t i = 0; i < library->init_array_bytes / sizeof *each; i++)
        each[i](0, none, none);
}

/* Where a call may return to: behind the instruction of a call. */
static bool is_return_address(const struct library *library, uintptr_t address) {
    if (address <= library->base + 16 || address > library->end)
        return false;
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)address;
    return at[-5] == 0xe8 || at[-2] == 0xff || at[-3] == 0xff || at[-6] == 0xff;
#else
    return true;
#endif
}

uintptr_t library_caller(const struct library *library, uintptr_t pc, const uintptr_t *stack) {
    const uintptr_t *end = __libc_stack_end;
    if (pc > library->base && pc <= library->end)
        return pc;
    for (; stack && ((uintptr_t)stack & 7) == 0 && stack < end; stack++)
        if (is_return_address(library, *stack))
            return *stack;
    return 0;
}
