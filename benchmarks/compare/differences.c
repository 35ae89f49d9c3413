/* What differs between two observations, and how much hangs on it.
 *
 * A weight is about the share of the operator's time that a difference stands for, by the one thing these
 * operators are bound by: bytes through memory. So extra bytes weigh as a share of the least bytes that the
 * operator moves; idle multiprocessors as the share of a GPU that idles; what makes a warp's work longer
 * (idle lanes, narrow loads, barriers, conflicts) a part of that, times the share of the bytes that the stage
 * moves. It is an order, not a forecast: the simulator is no timing model. What weighs less than MATTERS is
 * left out. Of the shapes and types the one at which a difference weighs most speaks for it; the first shape in FP32
 * has the loudest voice, and the last shape, which is small, the softest. */
#include "base/memory.h"
#include "compare.h"
#include "document.h"
#include <math.h>
#include <string.h>

static const double MATTERS = 0.04;

/* One part at one setting, of both. */
struct pair {
    const json_t *record, *of_case;
    const char *part;
    const json_t *yours, *other, *least;
    double whole; /* bytes that the operator moves at the least */
    double share; /* of these that this part moves at the least */
    double voice; /* of this setting: a factor on all its weights */
    bool first;   /* setting: it need not be named */
    bool reasons;
    json_t *found;
};

static const char *other_name(const struct pair *pair) {
    return text_in(json_object_get(pair->record, "other"), "name");
}

static char *shape_of(const struct pair *pair) {
    char *shape = shape_words(pair->of_case),
         *words = format_text("%s %s", shape, text_in(pair->of_case, "type"));
    free(shape);
    return words;
}

/* Keeps the weightiest of one part and count. */
static void keep(const struct pair *pair, const char *count, double plain_weight, char *words) {
    const double weight = pair->voice * plain_weight;
    json_t *known;
    size_t i;
    bool better = fabs(weight) >= MATTERS;
    json_array_foreach(pair->found, i, known) {
        if (better && strcmp(text_in(known, "part"), pair->part) == 0 &&
            strcmp(text_in(known, "count"), count) == 0) {
            better = fabs(weight) > fabs(number_in(known, "weight")) * 1.001;
            if (better)
                json_array_remove(pair->found, i);
            break;
        }
    }
    if (better) {
        const char *reason = weight > 0 && pair->reasons
                                 ? reason_words(text_in(pair->record, "exercise"), pair->part, count)
                                 : NULL;
        char *at = pair->first ? copy_text("") : shape_of(pair);
        char *whole = format_text("%s%s%s%s%s%s", words, at[0] ? " (at " : "", at, at[0] ? ")" : "",
                                  reason ? ": " : "", reason ? reason : "");
        free(at);
        json_array_append_new(pair->found, json_pack("{s:s, s:s, s:f, s:s}", "part", pair->part, "count",
                                                     count, "weight", weight, "words", whole));
        free(whole);
    }
    free(words);
}

/* The function's name before what is said of it; the operator needs none, nor does a kernel with its name. */
static const char *lead(const struct pair *pair, char text[64]) {
    const bool whole = strcmp(pair->part, "operator") == 0;
    snprintf(text, 64, "%s%s", whole ? "" : pair->part, whole ? "" : ": ");
    return text;
}

/* ---- the counts ---- */

static double of_buffer(const json_t *part, const char *buffer, bool reading) {
    const json_t *of = buffer_of(part, buffer);
    return part_number(of, reading ? "read" : "written") + part_number(of, "atomic");
}

/* The lesser of two changes, by size; 0 where they are of different sign. Lanes that read one and the same number ask for
 * many bytes and touch few sectors; a number read in pieces is the reverse. Memory has to bring neither. */
static double both_say(double bytes, double sectors) {
    return bytes * sectors <= 0 ? 0 : fabs(bytes) < fabs(sectors) ? bytes : sectors;
}

static void compare_passes(const struct pair *pair, const char *buffer, bool reading) {
    const char *key = reading ? "sectors_read" : "sectors_written";
    const double least = of_buffer(pair->least, buffer, reading),
                 yours = of_buffer(pair->yours, buffer, reading),
                 other = of_buffer(pair->other, buffer, reading),
                 sectors = 32 * (part_number(buffer_of(pair->yours, buffer), key) -
                                 part_number(buffer_of(pair->other, buffer), key));
    if (least <= 0 || fabs(yours - other) < 0.1 * least)
        return;
    char *mine = times_words(yours / least), *theirs = times_words(other / least), head[64], count[64];
    char *lines = lines_words(pair->yours, buffer, reading ? "read" : "write");
    const char *verb = reading ? "read" : "written";
    snprintf(count, sizeof count, "%s %s", buffer, verb);
    keep(pair, count, both_say(yours - other, sectors) / pair->whole,
         format_text("%s%s is %s %s%s%s; %s %ss it %s", lead(pair, head), buffer, verb, mine,
                     lines[0] ? ", at " : "", lines, other_name(pair), reading ? "read" : "write", theirs));
    free(mine);
    free(theirs);
    free(lines);
}

/* Whether both have whole warps: of a lonely lane each access is a request of its own. */
static bool warps_are_full(const struct pair *pair) {
    return part_number(main_kernel(pair->yours), "threads") >= 32 &&
           part_number(main_kernel(pair->other), "threads") >= 32;
}

/* Sectors beyond those that the bytes need, which bytes do not explain. */
static void compare_sectors(const struct pair *pair, const char *buffer, bool reading) {
    const char *key = reading ? "sectors_read" : "sectors_written";
    const double bytes = of_buffer(pair->yours, buffer, reading),
                 others = of_buffer(pair->other, buffer, reading);
    if (bytes <= 0 || others <= 0 || !warps_are_full(pair))
        return;
    const double yours = 32 * part_number(buffer_of(pair->yours, buffer), key) / bytes,
                 other = 32 * part_number(buffer_of(pair->other, buffer), key) / others;
    if (fabs(yours - other) < 0.1)
        return;
    char *lines = lines_words(pair->yours, buffer, reading ? "read" : "write"), head[64], count[64];
    snprintf(count, sizeof count, "sectors of %s %s", buffer, reading ? "read" : "written");
    keep(pair, count, copysign(fmin(fabs(yours - other) * bytes / pair->whole, pair->share), yours - other),
         format_text(
             "%swarps touch %.2f bytes of 32-byte sectors for each byte of %s that they %s%s%s; %s %.2f",
             lead(pair, head), yours, buffer, reading ? "read" : "write", lines[0] ? ", at " : "", lines,
             other_name(pair), other));
    free(lines);
}

static void compare_blocks(const struct pair *pair) {
    const json_t *mine = main_kernel(pair->yours), *theirs = main_kernel(pair->other);
    const double yours = part_number(mine, "blocks"), other = part_number(theirs, "blocks");
    const double busy = fmin(yours, MULTIPROCESSORS), others_busy = fmin(other, MULTIPROCESSORS);
    if (yours < 1 || other < 1 || fmax(busy, others_busy) < 1.5 * fmin(busy, others_busy))
        return;
    char *blocks = count_words(yours), *others = count_words(other), head[64];
    char *idle = busy < MULTIPROCESSORS
                     ? format_text(", so that %.0f of an H200's %d multiprocessors have nothing to do",
                                   MULTIPROCESSORS - busy, MULTIPROCESSORS)
                     : copy_text("");
    keep(pair, "blocks", 2 * pair->share * (others_busy - busy) / MULTIPROCESSORS,
         format_text("%s%s runs on %s%s%s; that of %s on %s",
                     strncmp(text_in(mine, "name"), pair->part, strlen(pair->part)) == 0 ? ""
                                                                                         : lead(pair, head),
                     text_in(mine, "name"), yours == 1 ? "one block" : blocks, yours == 1 ? "" : " blocks",
                     idle, other_name(pair), others));
    free(blocks);
    free(others);
    free(idle);
}

static void compare_threads(const struct pair *pair) {
    const json_t *mine = main_kernel(pair->yours), *theirs = main_kernel(pair->other);
    const double yours = part_number(mine, "threads"), other = part_number(theirs, "threads");
    if (yours < 1 || other < 1 || fmin(yours, other) >= 32 || yours == other) /* a warp is full */
        return;
    char head[64];
    keep(pair, "threads", 1.5 * pair->share * (fmin(other, 32) - fmin(yours, 32)) / 32,
         format_text("%sa block of %s has %.0f thread%s, less than a warp of 32; of %s %.0f",
                     lead(pair, head), text_in(mine, "name"), yours, yours == 1 ? "" : "s", other_name(pair),
                     other));
}

/* Bytes that one load or store of a lane moves. */
static double bytes_a_lane(const json_t *part) {
    const json_t *buffer;
    size_t i;
    double lanes = 0;
    json_array_foreach(json_object_get(part, "buffers"), i, buffer) {
        lanes += part_number(buffer, "lanes");
    }
    return lanes > 0 ? part_bytes(part) / lanes : 0;
}

static void compare_lanes(const struct pair *pair) {
    const double yours = part_lanes(pair->yours), other = part_lanes(pair->other);
    const double width = bytes_a_lane(pair->yours) / bytes_a_lane(pair->other);
    /* Where a lane moves more at once, a short row needs fewer lanes. */
    if (fabs(yours - other) < 4 || !warps_are_full(pair) || width > 1.3 || width < 1 / 1.3)
        return;
    char head[64];
    keep(pair, "lanes", pair->share * (other - yours) / 32,
         format_text("%s%.1f of the 32 lanes of a warp take part in a load or store; of %s %.1f",
                     lead(pair, head), yours, other_name(pair), other));
}

static void compare_width(const struct pair *pair) {
    const double yours = bytes_a_lane(pair->yours), other = bytes_a_lane(pair->other);
    if (yours <= 0 || other <= 0 || fmax(yours, other) < 1.5 * fmin(yours, other))
        return;
    char head[64];
    keep(pair, "width", 0.1 * pair->share * log2(other / yours),
         format_text(
             "%sa load or store moves %.3g bytes a lane, of %s %.3g: %s instructions for the same bytes",
             lead(pair, head), yours, other_name(pair), other, other > yours ? "more" : "fewer"));
}

static void compare_barriers(const struct pair *pair) {
    const double yours = part_barriers_a_block(pair->yours), other = part_barriers_a_block(pair->other);
    if (fabs(yours - other) < 2)
        return;
    char head[64];
    keep(pair, "barriers", copysign(fmin(0.02 * fabs(yours - other), 0.4), yours - other) * pair->share,
         format_text("%sa block waits at %.3g barriers; one of %s at %.3g", lead(pair, head), yours,
                     other_name(pair), other));
}

static double shared_accesses(const json_t *part) {
    const json_t *line;
    size_t i;
    double requests = 0;
    json_array_foreach(json_object_get(part, "lines"), i, line) {
        if (strcmp(text_in(line, "buffer"), "shared memory") == 0)
            requests += part_number(line, "requests");
    }
    return requests;
}

/* "split_softmax.cu:41": the line of the most bank conflicts. */
static const char *worst_line(const json_t *part) {
    const json_t *line, *worst = NULL;
    size_t i;
    json_array_foreach(json_object_get(part, "lines"), i, line) {
        if (part_number(line, "bank_conflicts") > part_number(worst, "bank_conflicts"))
            worst = line;
    }
    const char *where = text_in(worst, "where"), *name = strrchr(where, '/');
    return name ? name + 1 : where;
}

static void compare_conflicts(const struct pair *pair) {
    const double yours = part_number(pair->yours, "bank_conflicts"),
                 other = part_number(pair->other, "bank_conflicts"), requests = shared_accesses(pair->yours),
                 others = shared_accesses(pair->other);
    const double turns = requests > 0 ? yours / requests : 0, others_turns = others > 0 ? other / others : 0;
    if (fabs(turns - others_turns) < 0.2)
        return;
    const char *where = turns > others_turns ? worst_line(pair->yours) : "";
    char head[64];
    keep(pair, "bank conflicts",
         copysign(fmin(0.1 * fabs(turns - others_turns), 0.5), turns - others_turns) * pair->share,
         format_text("%sa request to shared memory takes %.2f turns (bank conflicts)%s%s; of %s %.2f",
                     lead(pair, head), 1 + turns, where[0] ? ", most of them at " : "", where,
                     other_name(pair), 1 + others_turns));
}

static void compare_atomics(const struct pair *pair) {
    const double blocks = fmax(part_number(pair->yours, "blocks"), 1);
    const double yours = part_number(pair->yours, "atomics"), other = part_number(pair->other, "atomics");
    if (fabs(yours - other) < blocks)
        return;
    char *mine = count_words(yours), *theirs = count_words(other), head[64];
    keep(pair, "atomics",
         copysign(fmin(0.05 * fabs(yours - other) / blocks, 0.4), yours - other) * pair->share,
         format_text("%s%s atomic operations, which take turns where they meet; %s has %s", lead(pair, head),
                     mine, other_name(pair), theirs));
    free(mine);
    free(theirs);
}

/* Of a stage called by itself as of the operator; but what the stages tell is not told again. */
static void compare_launches(const struct pair *pair) {
    const double yours = part_number(pair->yours, "launches"), other = part_number(pair->other, "launches");
    char head[64];
    if (yours != other && (strcmp(pair->part, "operator") == 0))
        keep(pair, "launches", 0.08 * (yours - other),
             format_text("%sa call launches %.0f kernel%s; %s %.0f", lead(pair, head), yours,
                         yours == 1 ? "" : "s", other_name(pair), other));
}

static void compare_scratch(const struct pair *pair) {
    const double yours = part_number(pair->yours, "scratch_bytes"),
                 other = part_number(pair->other, "scratch_bytes"),
                 mine = part_number(pair->yours, "allocations"),
                 theirs = part_number(pair->other, "allocations");
    char *bytes = count_words(yours), *others = count_words(other), head[64];
    if (mine != theirs)
        keep(pair, "allocations", 0.05 * (mine - theirs),
             format_text("%sa call makes %.0f allocations of scratch; %s %.0f", lead(pair, head), mine,
                         other_name(pair), theirs));
    if (fabs(yours - other) > 0.05 * fmax(other, 1))
        keep(pair, "scratch bytes", (yours - other) / pair->whole,
             format_text("%sa call allocates %s bytes of scratch; %s %s", lead(pair, head), bytes,
                         other_name(pair), others));
    free(bytes);
    free(others);
}

/* ---- over parts, settings, and what lies outside them ---- */

/* Settings come as three shapes in each of three types (observe.c). */
static double voice_of(size_t setting) {
    static const double shapes[] = {1, 0.7, 0.25};
    return shapes[setting % 3] * (setting < 3 ? 1 : 0.9);
}

static void compare_part(const struct pair *pair) {

    /* A row's maximum and sum are read by all its lanes: from a cache, after the first. */
    static const char *const buffers[] = {"x", "y", "partial_max", "partial_sum"};
    const bool is_operator = strcmp(pair->part, "operator") == 0,
               by_stages = is_operator && json_object_size(json_object_get(pair->of_case, "parts")) > 1;
    if (is_operator) {
        compare_launches(pair);
        compare_scratch(pair);
    }
    if (by_stages) /* its stages have told the rest */
        return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        compare_passes(pair, buffers[i], true);
        compare_passes(pair, buffers[i], false);
        compare_sectors(pair, buffers[i], true);
        compare_sectors(pair, buffers[i], false);
    }
    compare_blocks(pair);
    compare_threads(pair);
    compare_lanes(pair);
    compare_width(pair);
    compare_barriers(pair);
    compare_conflicts(pair);
    compare_atomics(pair);
}

static void compare_errors(const json_t *record, json_t *found, const json_t *of_case) {
    const json_t *error = json_object_get(of_case, "error"), *mine = json_object_get(error, "yours"),
                 *theirs = json_object_get(error, "other");
    const double yours = part_number(mine, "share"), other = part_number(theirs, "share");
    struct pair pair = {
        .record = record, .of_case = of_case, .part = "operator", .found = found, .voice = 1, .first = true};
    if (!json_is_true(json_object_get(mine, "right")) || !json_is_true(json_object_get(theirs, "right")) ||
        fmax(yours, other) < 0.25 || fmax(yours, other) < 2 * fmin(yours, other))
        return;
    char *shape = shape_of(&pair);
    keep(&pair, "error", 0.3 * (yours - other),
         format_text("the largest error, at %s, is %.2f of what the tolerance allows; of %s %.2f", shape,
                     yours, other_name(&pair), other));
    free(shape);
}

static int by_weight(const void *a, const void *b) {
    const double first = fabs(number_in(*(json_t *const *)a, "weight")),
                 second = fabs(number_in(*(json_t *const *)b, "weight"));
    return first < second ? 1 : first > second ? -1 : 0;
}

static json_t *in_order(json_t *found) {
    const size_t count = json_array_size(found);
    json_t **items = get_memory((count + 1) * sizeof *items), *sorted = json_array();
    for (size_t i = 0; i < count; i++)
        items[i] = json_array_get(found, i);
    qsort(items, count, sizeof *items, by_weight);
    for (size_t i = 0; i < count; i++)
        json_array_append(sorted, items[i]);
    free(items);
    json_decref(found);
    return sorted;
}

json_t *differences(const json_t *record, bool reasons) {
    json_t *found = json_array(), *of_case, *part;
    size_t i;
    const char *name;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        json_t *parts = json_object_get(of_case, "parts");
        const double whole = part_bytes(json_object_get(json_object_get(parts, "operator"), "least"));
        json_object_foreach(parts, name, part) {
            struct pair pair = {.record = record,
                                .of_case = of_case,
                                .part = name,
                                .yours = json_object_get(part, "yours"),
                                .other = json_object_get(part, "other"),
                                .least = json_object_get(part, "least"),
                                .whole = whole,
                                .reasons = reasons,
                                .found = found,
                                .voice = voice_of(i),
                                .first = i == 0};
            pair.share = whole > 0 ? part_bytes(pair.least) / whole : 0;
            if (json_object_get(pair.yours, "kernels") && json_object_get(pair.other, "kernels"))
                compare_part(&pair);
        }
        compare_errors(record, found, of_case);
    }
    return in_order(found);
}
