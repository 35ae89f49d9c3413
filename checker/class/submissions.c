/* Which submissions there are. */
#include "base/memory.h"
#include "class.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool shard_read(struct shard *shard, const char *text) {
    char rest;
    return sscanf(text, "%5u/%5u%c", &shard->index, &shard->count, &rest) == 2 && shard->index >= 1 &&
           shard->index <= shard->count && shard->count <= 10000;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo), and, for short names, the last step of MurmurHash3 (Appleby): the shard of a submission
 * hangs on its name alone, so that it stays where it is when others are added. */
static bool is_in(struct shard shard, const char *name) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return (hash ^ hash >> 33) % shard.count == shard.index - 1;
}

static int by_name(const void *a, const void *b) {
    const struct submission *first = a, *second = b;
    return strcmp(first->name, second->name);
}

/* A folder itself: a link to one is somebody else's. */
static bool is_folder(DIR *within, const struct dirent *entry) {
    struct stat status;
    return fstatat(dirfd(within), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

bool submissions_read(struct submissions *submissions, const char *folder, struct shard shard) {
    struct list all = {.item_bytes = sizeof(struct submission)};
    *submissions = (struct submissions){0};
    DIR *within = opendir(folder);
    if (within == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(within));) {
        if (entry->d_name[0] == '.')
            continue;
        if (is_folder(within, entry))
            list_add(&all, &(struct submission){.name = copy_text(entry->d_name)}, 1);
        else
            submissions->others++;
    }
    closedir(within);
    submissions->items = all.items;
    if (all.count > 0)
        qsort(all.items, all.count, sizeof(struct submission), by_name);
    for (size_t i = 0; i < all.count; i++) {
        struct submission submission = submissions->items[i];
        submission.number = (int)i + 1;
        if (is_in(shard, submission.name))
            submissions->items[submissions->count++] = submission;
        else
            free(submission.name);
    }
    return true;
}
