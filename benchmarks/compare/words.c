/* Words for a difference (see compare.h): how often, where, and why. */
#include "base/memory.h"
#include "compare.h"
#include "document.h"
#include <math.h>
#include <string.h>

char *times_words(double times) {
    static const char *const words[] = {"not at all", "once", "twice", "three times", "four times"};
    const double whole = round(times);
    if (fabs(times - whole) < 0.06 && whole <= 4)
        return copy_text(words[(int)whole]);
    return format_text(times < 100 ? "%.3g times" : "%.0f times", times);
}

char *count_words(double count) {
    if (count >= 1e6)
        return format_text("%.3g million", count / 1e6);
    if (count >= 1e3)
        return format_text("%.0f,%03.0f", floor(count / 1000), count - 1000 * floor(count / 1000));
    return format_text("%.0f", count);
}

/* The lines of a part that read or write a buffer, by bytes. */
enum { MOST_LINES = 4 };

static int by_place(const void *a, const void *b) {
    const char *first = text_in(*(const json_t *const *)a, "where"),
               *second = text_in(*(const json_t *const *)b, "where");
    const size_t file = (size_t)(strrchr(first, ':') - first);
    const int order = strncmp(first, second, file + 1);
    return order ? order : atoi(first + file + 1) - atoi(strrchr(second, ':') + 1);
}

static int choose_lines(const json_t *part, const char *buffer, const char *kind,
                        const json_t *chosen[MOST_LINES]) {
    const json_t *line;
    size_t i;
    int count = 0;
    json_array_foreach(json_object_get(part, "lines"), i, line) {
        const char *of = text_in(line, "kind");
        if (strcmp(text_in(line, "buffer"), buffer) != 0 ||
            (strcmp(of, kind) != 0 && strcmp(of, "atomic") != 0) ||
            strchr(text_in(line, "where"), ':') == NULL)
            continue;
        int at = count < MOST_LINES ? count++ : MOST_LINES;
        for (; at > 0 && part_number(chosen[at - 1], "bytes") < part_number(line, "bytes"); at--)
            if (at < MOST_LINES)
                chosen[at] = chosen[at - 1];
        if (at < MOST_LINES)
            chosen[at] = line;
    }

    qsort(chosen, (size_t)count, sizeof *chosen, by_place);
    return count;
}

char *lines_words(const json_t *part, const char *buffer, const char *kind) {
    const json_t *chosen[MOST_LINES];
    const int count = choose_lines(part, buffer, kind, chosen);
    char *words = copy_text(""), *last_file = copy_text("");
    for (int i = 0; i < count; i++) {
        const char *where = text_in(chosen[i], "where"), *slash = strrchr(where, '/'),
                   *name = slash ? slash + 1 : where, *colon = strrchr(name, ':');
        char *file = format_text("%.*s", (int)(colon - name), name);
        char *longer = format_text("%s%s%s", words,
                                   i == 0           ? ""
                                   : i == count - 1 ? " and "
                                                    : ", ",
                                   strcmp(file, last_file) == 0 ? colon : name);
        free(words);
        free(last_file);
        words = longer;
        last_file = file;
    }
    free(last_file);
    return words;
}

/* Of the solutions as they are; benchmarks/tests/compare_test.sh holds them to it. */
static const struct {
    const char *exercise, *part, *count, *words;
} reasons[] = {
    {"split_softmax", "partials", "x read",
     "it keeps the chunk in registers between maximum and sum (A2, Stage 1)"},
    {"split_softmax", "partials", "blocks", "a block a chunk (A2, Ownership)"},
    {"split_softmax", "partials", "barriers",
     "warps reduce with shuffles, and one barrier joins their results (A2, Stage 1)"},
    {"split_softmax", "partials", "threads", "a thread holds 8 values, a block a chunk (A2, Ownership)"},
    {"split_softmax", "merge", "blocks", "a warp a row (A2, Stage 2)"},
    {"split_softmax", "merge", "threads", "the lanes of a warp share the chunks of a row (A2, Stage 2)"},
    {"split_softmax", "merge", "barriers", "one warp a row needs no barrier (A2, Stage 2)"},
    {"split_softmax", "normalize", "x read", "it reads an element just before it writes it (A2, Stage 3)"},
    {"split_softmax", "normalize", "blocks",
     "a block a chunk here too, so the row is split a second time (A2, Ownership)"},
    {"split_softmax", "normalize", "threads", "a thread holds 8 values, a block a chunk (A2, Ownership)"},
    {"split_softmax", "operator", "launches", "one kernel a stage (A2, The idea)"},
    {"split_softmax", "operator", "allocations",
     "one piece of memory holds all four arrays (A2, Scratch and streams)"},
    {"fused_softmax", "operator", "x read",
     "it keeps the row in registers between maximum and sum (02, One pass over memory)"},
    {"fused_softmax", "operator", "barriers",
     "a warp has the row to itself, and shuffles need no barrier (02, Ownership)"},
    {"fused_softmax", "operator", "width",
     "a lane loads 4 neighbours at once, which the pitch allows (02, One pass over memory)"},
};

const char *reason_words(const char *exercise, const char *part, const char *count) {
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i].exercise, exercise) == 0 && strcmp(reasons[i].part, part) == 0 &&
            strcmp(reasons[i].count, count) == 0)
            return reasons[i].words;
    return NULL;
}
