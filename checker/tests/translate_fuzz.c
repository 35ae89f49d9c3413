/* Throws anything at the translator: it must neither crash nor hang, and what it accepts must keep its lines.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -Ichecker -o build/translate_fuzz
 * checker/tests/translate_fuzz.c \
 *       $(find checker/translate -name "*.c" ! -name main.c)
 *   build/translate_fuzz -max_len=4096 -timeout=5 build/corpus exercises solutions */
#include "translate/translate.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t lines(const char *text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct diagnostics diagnostics = {0};
    size_t result_size = 0;
    char *result = translate_source((const char *)data, size, "a.cu", &diagnostics, &result_size);
    bool error = false;
    for (size_t i = 0; i < diagnostics.count; i++)
        error = error || diagnostics.items[i].error;
    if (error != (result == NULL))
        abort();
    if (result && lines(result, result_size) != lines((const char *)data, size) + 1)
        abort();
    free(result);
    diagnostics_free(&diagnostics);
    return 0;
}
