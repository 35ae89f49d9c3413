/* check.json as make list reads it. What is printed of it must not steer the terminal. */
#include "fuzz.h"
#include "report/results.h"
#include <sys/stat.h>

/* A folder in which check.json of every exercise is the input. */
static const char *folder_of(const char *input) {
    static char folder[] = "/tmp/check_json_fuzz.XXXXXX";
    static bool made;
    if (made)
        return folder;
    must(mkdtemp(folder) != NULL);
    for (size_t i = 0; all_suites[i]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, all_suites[i]->exercise);
        must(mkdir(path, 0700) == 0);
        strcat(path, "/check.json");
        must(symlink(input, path) == 0);
    }
    made = true;
    return folder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *printed = NULL;
    size_t printed_bytes = 0;
    FILE *output = open_memstream(&printed, &printed_bytes);
    must(output != NULL);
    results_list(output, folder_of(fuzz_file(data, size)));
    fclose(output);
    for (size_t i = 0; i < printed_bytes; i++)
        must(printed[i] == '\n' || printed[i] == '\t' || (printed[i] >= ' ' && printed[i] <= '~'));
    free(printed);
    return 0;
}
