/* A report of compute-sanitizer, and the verdict that is made of it. */
#include "fuzz.h"
#include "grading/tool_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FILE *file = fopen(fuzz_file(data, size), "r");
    must(file != NULL);
    struct tool_report report = tool_report_read(file);
    fclose(file);
    must(report.trouble != NULL);
    for (size_t i = 0; i < report.count; i++) {
        const struct tool_message *message = &report.messages[i];
        must(message->headline && message->details && message->file);
        must(strchr(message->file, '/') == NULL);
    }
    tool_report_free(&report);
    return 0;
}
