/* Stage rows: many rows, and how they are dealt out to blocks. */
#include "checks.h"
#include "traffic.h"

static const int each_number[] = {1, 2, 4, 8}; /* that rows_per_block may be */

void rows_each_number(struct context *context) {
    for (int i = 0; i < 4; i++) {
        struct problem problem = problem_new(context, TYPE_FP32, 24, 100, 100, each_number[i]);
        problem.on_stream = true;
        problem_run(context, &problem);
    }
}

void rows_last_block(struct context *context) {
    for (int i = 1; i < 4; i++)
        for (int64_t rows = 1; rows <= 9; rows += i < 3 ? 2 : 1) {
            const struct problem problem = problem_new(context, TYPE_FP32, rows, 40, 40, each_number[i]);
            problem_run(context, &problem);
        }
}

void rows_grid(struct context *context) {
    const int64_t rows[] = {1, 7, 8, 9, 33};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            const struct problem problem = problem_new(context, TYPE_FP32, rows[j], 16, 16, each_number[i]);
            const struct outcome *outcome = problem_run(context, &problem);
            check_grid(context, outcome, &problem);
            check_no_scratch(context, outcome);
        }
}

void rows_one_pass(struct context *context) {
    need_counts(context);
    for (int i = 0; i < 4; i++) { /* the other types come with the last stage: operator.types */
        const struct problem problem = problem_new(context, TYPE_FP32, 13, 320, 320, each_number[i]);
        const struct outcome *outcome = problem_run(context, &problem);
        check_one_pass(context, outcome, &problem);
        check_no_scratch(context, outcome);
    }
}

/* More blocks than grid.y can hold. */
void rows_many(struct context *context) {
    const struct problem problem = problem_new(context, TYPE_FP32, 65537, 4, 4, 1);
    problem_run(context, &problem);
}
