/* The checker: grades one submission of one exercise, or lists checks or scores.
 *
 * Exit code: enum grade (results.h); 64 for options that make no sense, 70 when the checker itself fails. */
#include "grading/grade.h"
#include "grading/options.h"
#include "report/results.h"
#include <stdio.h>
#include <sys/prctl.h>

static void list_checks(const struct suite *suite) {
    for (size_t i = 0; i < suite->check_count; i++)
        printf("%3d  %-32s %s\n", suite->checks[i].points, suite->checks[i].id, suite->checks[i].title);
}

int main(int count, char **arguments) {
    prctl(PR_SET_DUMPABLE, 0); /* no process that it starts, or that lives beside it, looks into it */
    struct options options = options_read(count, arguments);
    if (options.scores) {
        results_list(stdout, options.scores);
        return 0;
    }
    if (options.print)
        return results_print(stdout, options.print) ? 0 : GRADE_UNAVAILABLE;
    if (options.list) {
        list_checks(options.session.suite);
        return 0;
    }
    return grade_submission(&options.session, options.compile_log);
}
