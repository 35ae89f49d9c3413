/* A line of JSON from a worker: the verdict in it, and the report that is printed of it. */
#include "base/memory.h"
#include "fuzz.h"
#include "grading/worker_message.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct suite *suite = all_suites[0];
    char *text = fuzz_text(data, size);
    struct verdict *verdicts = get_memory(suite->check_count * sizeof *verdicts);
    bool *wanted = get_memory(suite->check_count * sizeof *wanted);
    for (size_t i = 0; i < suite->check_count; i++) {
        verdicts[i] = verdict_new(STATUS_SKIP, false, "not run yet");
        wanted[i] = true;
    }
    size_t check = 0;
    struct verdict verdict;
    if (message_read(text, suite->check_count, &check, &verdict) == MESSAGE_END) {
        must(check < suite->check_count);
        verdict_free(&verdicts[check]);
        verdicts[check] = verdict;
    }
    const struct session session = {.suite = suite,
                                    .implementation = "exercise",
                                    .source = "exercises/x",
                                    .ready = {.runtime = RUNTIME_SIMULATOR, .device = "none"},
                                    .patience = 1};
    char *printed = NULL;
    size_t printed_bytes = 0;
    FILE *output = open_memstream(&printed, &printed_bytes);
    must(output != NULL);
    report_print(&(struct report){&session, verdicts, wanted, grade_of(suite, verdicts, wanted), output,
                                  false, false});
    fclose(output);
    must(printed_bytes > 0);
    for (size_t i = 0; i < suite->check_count; i++)
        verdict_free(&verdicts[i]);
    free(printed);
    free(verdicts);
    free(wanted);
    free(text);
    return 0;
}
