/* The compiler's messages about a submission that does not compile, and the report that shows them. */
#include "check/verdict.h"
#include "fuzz.h"
#include "grading/grade.h"
#include "report/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct session session = {.suite = all_suites[0],
                              .implementation = "exercise",
                              .source = "exercises/x",
                              .submission = "/nowhere/submission.so",
                              .verbose = size % 2 == 1,
                              .ready = {.runtime = RUNTIME_SIMULATOR}};
    must(grade_submission(&session, fuzz_file(data, size)) == GRADE_FAILED);
    return 0;
}
