/* One count of a part (see compare.h). */
#include "compare.h"
#include "document.h"
#include <string.h>

const json_t *buffer_of(const json_t *part, const char *name) {
    const json_t *buffer;
    size_t i;
    json_array_foreach(json_object_get(part, "buffers"), i, buffer) {
        if (strcmp(text_in(buffer, "name"), name) == 0)
            return buffer;
    }
    return NULL;
}

double part_number(const json_t *part, const char *key) {
    const json_t *number = json_object_get(part, key);
    return json_is_number(number) ? json_number_value(number) : 0;
}

static double over_buffers(const json_t *part, const char *key) {
    const json_t *buffer;
    size_t i;
    double sum = 0;
    json_array_foreach(json_object_get(part, "buffers"), i, buffer) {
        sum += part_number(buffer, key);
    }
    return sum;
}

double part_bytes(const json_t *part) {
    return over_buffers(part, "read") + over_buffers(part, "written") + over_buffers(part, "atomic");
}

double part_lanes(const json_t *part) {
    const double requests = over_buffers(part, "requests");
    return requests > 0 ? over_buffers(part, "lanes") / requests : 0;
}

double part_barriers_a_block(const json_t *part) {
    const double blocks = part_number(part, "blocks");
    return blocks > 0 ? part_number(part, "barriers") / blocks : 0;
}

const json_t *main_kernel(const json_t *part) {
    const json_t *kernel, *most = NULL;
    size_t i;
    json_array_foreach(json_object_get(part, "kernels"), i, kernel) {
        if (most == NULL || part_number(kernel, "bytes") > part_number(most, "bytes"))
            most = kernel;
    }
    return most;
}
