/* The results of a class, read again from its folders. */
#include "base/memory.h"
#include "class.h"
#include <stdlib.h>
#include <string.h>

const char *text_of(const json_t *object, const char *field) {
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

int number_of(const json_t *object, const char *field) {
    const json_int_t number = json_integer_value(json_object_get(object, field));
    return number < 0 || number > 1000000 ? 0 : (int)number;
}

bool check_is_fault(const json_t *check) {
    const char *status = text_of(check, "status");
    return strcmp(status, "fail") == 0 || strcmp(status, "crash") == 0 || strcmp(status, "timeout") == 0;
}

int stage_points(const struct record *record, const char *stage, int *max) {
    size_t i;
    json_t *check;
    int points = 0;
    *max = 0;
    json_array_foreach(json_object_get(record->check, "checks"), i, check) {
        if (strcmp(text_of(check, "stage"), stage) == 0) {
            points += number_of(check, "points");
            *max += number_of(check, "max_points");
        }
    }
    return points;
}

static json_t *load(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    json_t *root = json_load_file(path, 0, NULL);
    free(path);
    return root;
}

static void note_stages(struct records *records, const json_t *check) {
    struct list stages = {.item_bytes = sizeof(char *)};
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(check, "checks"), i, one) {
        const char *stage = text_of(one, "stage");
        bool known = false;
        for (size_t k = 0; k < stages.count; k++)
            known |= strcmp(((char **)stages.items)[k], stage) == 0;
        if (!known)
            list_add(&stages, &(char *){copy_text(stage)}, 1);
    }
    records->stages = stages.items;
    records->stage_count = stages.count;
    records->exercise = copy_text(text_of(check, "exercise"));
    records->max_score = number_of(check, "max_score");
}

struct records records_read(const struct submissions *submissions, const char *results) {
    struct records records = {.items = get_memory((submissions->count + 1) * sizeof(struct record)),
                              .count = submissions->count};
    for (size_t i = 0; i < submissions->count; i++) {
        struct record *record = &records.items[i];
        record->submission = submissions->items[i];
        record->folder = format_text("%s/submissions/%s", results, record->submission.name);
        record->outcome = load(record->folder, "outcome.json");
        record->check = *text_of(record->outcome, "key") ? load(record->folder, "check.json") : NULL;
        if (record->check == NULL)
            continue;
        records.graded++;
        if (records.stages == NULL)
            note_stages(&records, record->check);
    }
    return records;
}
