/* The symbol table of a submission's ELF file, and names as the compiler mangles them. */
#include "fuzz.h"
#include "simulator/simulator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct symbol *symbols = NULL;
    const size_t count = symbols_between(fuzz_file(data, size), 0, 0, UINTPTR_MAX, &symbols);
    for (size_t i = 0; i < count; i++)
        must(memchr(symbols[i].name, '\0', sizeof symbols[i].name) && symbols[i].bytes > 0);
    free(symbols);
    char *text = fuzz_text(data, size), name[32];
    symbol_function_name(text, name, sizeof name);
    must(strlen(name) < sizeof name);
    free(text);
    return 0;
}
