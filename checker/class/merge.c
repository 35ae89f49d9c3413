/* Whether the results of several machines may be put together: the same exercise, kit, seed and limits, every shard there, and
 * no submission graded twice with different files. The copying is left to checker/commands/merge.sh. */
#include "base/memory.h"
#include "class.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static json_t *load(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    json_t *root = json_load_file(path, 0, NULL);
    free(path);
    return root;
}

/* Whether two machines graded in the same way; says in what they differ. */
static bool same_way(const json_t *a, const json_t *b, const char *folder_a, const char *folder_b) {
    static const char *const fields[] = {"exercise", "runtime", "seed", "kit", "seconds", "memory", "disk"};
    static const char *const words[] = {"exercises",           "runtimes",       "seeds",
                                        "versions of the kit", "limits of time", "limits of memory",
                                        "limits of disk"};
    bool same = true;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!json_equal(json_object_get(a, fields[i]), json_object_get(b, fields[i]))) {
            printf("%s and %s were graded with different %s: they do not belong together.\n", folder_a,
                   folder_b, words[i]);
            same = false;
        }
    return same;
}

/* How many submissions are in both, with other files or another outcome. */
static size_t contradictions(const char *folder_a, const char *folder_b) {
    char *path = format_text("%s/submissions", folder_a);
    struct submissions submissions;
    size_t count = 0;
    if (!submissions_read(&submissions, path, (struct shard){1, 1}))
        submissions.count = 0;
    free(path);
    for (size_t i = 0; i < submissions.count; i++) {
        char *a = format_text("%s/submissions/%s", folder_a, submissions.items[i].name);
        char *b = format_text("%s/submissions/%s", folder_b, submissions.items[i].name);
        json_t *first = load(a, "outcome.json"), *second = load(b, "outcome.json");
        if (first && second && strcmp(text_of(first, "key"), text_of(second, "key")) != 0)
            count++;
        json_decref(first);
        json_decref(second);
        free(a);
        free(b);
    }
    return count;
}

/* Which shards are missing; says so. */
static bool complete(json_t *const *classes, const char *const *from, size_t count) {
    struct shard first, shard;
    bool good = true;
    if (!shard_read(&first, text_of(classes[0], "shard")))
        return true;
    bool *there = get_memory(first.count * sizeof *there);
    for (size_t i = 0; i < count; i++) {
        if (!shard_read(&shard, text_of(classes[i], "shard")) || shard.count != first.count) {
            printf("%s is shard %s, and %s is shard %s: these are different divisions of the class.\n",
                   from[0], text_of(classes[0], "shard"), from[i], text_of(classes[i], "shard"));
            good = false;
        } else {
            there[shard.index - 1] = true;
        }
    }
    for (unsigned i = 0; good && i < first.count; i++)
        if (!there[i]) {
            printf("Shard %u/%u is missing.\n", i + 1, first.count);
            good = false;
        }
    free(there);
    return good;
}

int merge(const char *into, const char *const *from, size_t count) {
    json_t **classes = get_memory(count * sizeof(json_t *));
    bool good = count > 0;
    for (size_t i = 0; i < count; i++) {
        classes[i] = load(from[i], "class.json");
        if (classes[i] == NULL) {
            printf("%s holds no class.json: it is no results folder of make grade.\n", from[i]);
            return 3;
        }
        good &= i == 0 || same_way(classes[0], classes[i], from[0], from[i]);
        for (size_t k = 0; k < i; k++) {
            const size_t twice = contradictions(from[k], from[i]);
            if (twice > 0)
                printf("%zu submissions are in %s and in %s, with different files.\n", twice, from[k],
                       from[i]);
            good &= twice == 0;
        }
    }
    good = good && complete(classes, from, count);
    if (good) {
        char *path = format_text("%s/class.json", into);
        FILE *file = markup_open(path);
        json_object_set_new(classes[0], "shard", json_string("1/1"));
        json_object_set_new(classes[0], "merged", json_true());
        good = file && json_dumpf(classes[0], file, JSON_INDENT(2)) == 0;
        good = file && markup_close(file, path) && good;
        if (!good)
            printf("%s cannot be written: %s.\n", path, strerror(errno));
        free(path);
    }
    for (size_t i = 0; i < count; i++)
        json_decref(classes[i]);
    free(classes);
    return good ? 0 : 3;
}
