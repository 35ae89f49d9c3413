/* The translator of launch syntax. What it accepts must keep its lines. */
#include "fuzz.h"
#include "translate/buffer.h"
#include "translate/translate.h"

static size_t lines(const char *text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    struct diagnostics diagnostics = {0};
    size_t result_size = 0;
    char *result = translate_source(text, size, "a.cu", &diagnostics, &result_size);
    bool error = false;
    for (size_t i = 0; i < diagnostics.count; i++)
        error = error || diagnostics.items[i].error;
    must(error == (result == NULL));
    must(result == NULL || lines(result, result_size) == lines(text, size) + 1);
    memory_release(result);
    diagnostics_free(&diagnostics);
    free(text);
    return 0;
}
