/* What a child takes: asked ten times a second, so that it needs neither cgroups nor the right to make one. */
#include "class.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No submission has processes or folders that deep, or so many files: one that has is over every limit. */
enum { DEEPEST = 200, MOST_FILES = 1000 };
static const size_t too_much = SIZE_MAX / 4;

static size_t resident(pid_t process) {
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t sum(size_t a, size_t b) {
    return a + b < too_much ? a + b : too_much;
}

static size_t memory_below(pid_t process, int depth);

static size_t memory_of_children(pid_t process, const char *thread, int depth) {
    char path[64];
    size_t bytes = 0;
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)process, thread);
    FILE *children = fopen(path, "re");
    while (children && fscanf(children, "%d", &child) == 1)
        bytes = sum(bytes, memory_below(child, depth + 1));
    if (children)
        fclose(children);
    return bytes;
}

static size_t memory_below(pid_t process, int depth) {
    char path[64];
    size_t bytes = resident(process);
    if (depth > DEEPEST)
        return too_much;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return bytes;
    for (const struct dirent *thread; (thread = readdir(threads));)
        if (thread->d_name[0] != '.')
            bytes = sum(bytes, memory_of_children(process, thread->d_name, depth));
    closedir(threads);
    return bytes;
}

size_t usage_memory(pid_t process) {
    return memory_below(process, 0);
}

/* By descriptors: a path may be made too long to be opened. */
static size_t disk_below(int parent, const char *name, int depth, int *files) {
    size_t bytes = 0;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *within = folder < 0 ? NULL : fdopendir(folder);
    if (within == NULL) {
        if (folder >= 0)
            close(folder);
        return 0;
    }
    for (const struct dirent *entry; bytes < too_much && (entry = readdir(within));) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(within), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bytes = sum(bytes, (size_t)status.st_blocks * 512);
        if (++*files > MOST_FILES || (S_ISDIR(status.st_mode) && depth == DEEPEST))
            bytes = too_much;
        else if (S_ISDIR(status.st_mode))
            bytes = sum(bytes, disk_below(dirfd(within), entry->d_name, depth + 1, files));
    }
    closedir(within);
    return bytes;
}

size_t usage_disk(const char *folder) {
    int files = 0;
    return disk_below(AT_FDCWD, folder, 0, &files);
}

size_t usage_available(void) {
    char line[128];
    size_t kibibytes = SIZE_MAX / 1024;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %zu kB", &kibibytes) == 1)
            break;
    if (file)
        fclose(file);
    return kibibytes * 1024;
}
