/* Sources of a submission as the inspection and the list of mutants read them. A mutant must keep the lines.
 */
#include "fuzz.h"
#include "mutants/mutant.h"
#include "translate/buffer.h"
#include "translate/inspect.h"

static size_t lines(const char *text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

static void inspect(const char *text, size_t size, bool expanded) {
    struct diagnostics diagnostics = {0};
    inspect_source(text, size, expanded, &diagnostics);
    diagnostics_free(&diagnostics);
}

static void mutate(const char *text, size_t size) {
    struct mutants mutants = mutants_of(text, size);
    /* Some of them: all would be a second for a long file. */
    for (size_t i = 0; i < mutants.count; i += 1 + mutants.count / 8) {
        char *before = mutant_lines(&mutants.items[i], text, size, false);
        char *after = mutant_lines(&mutants.items[i], text, size, true);
        char *mutated = mutant_write(&mutants.items[i], text, size);
        must(memchr(text, '\0', size) || lines(mutated, strlen(mutated)) >= lines(text, size));
        memory_release(before);
        memory_release(after);
        memory_release(mutated);
    }
    mutants_free(&mutants);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    inspect(text, size, false);
    inspect(text, size, true);
    mutate(text, size);
    free(text);
    return 0;
}
