/* Stage padding: a pitch larger than cols. */
#include "checks.h"
#include "traffic.h"

void padding_adds_nothing(struct context *context) {
    const char *fillings[] = {"NaN", "large numbers", "zeros"};
    const int64_t shapes[][2] = {{781, 784}, {100, 128}, {1, 64}, {33, 1024}, {9, 12}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            struct problem problem = problem_new(context, TYPE_FP32, 5, shapes[j][0], shapes[j][1], 2);
            problem.padding = fillings[i];
            problem.on_stream = true;
            problem_run(context, &problem);
        }
}

void padding_left_alone(struct context *context) {
    const int64_t shapes[][2] = {{781, 784}, {5, 8}, {102, 128}, {1, 1024}, {127, 128}};
    for (int i = 0; i < 5; i++) {
        struct problem problem = problem_new(context, TYPE_FP32, 6, shapes[i][0], shapes[i][1], 4);
        problem.y_known = true;
        const struct outcome *outcome = problem_run(context, &problem);
        /* A kernel that writes back what it found leaves the bytes alone, and is found out by the counts.
         * Reads of x are not judged here: a pitch far above cols leaves room for padding that is read
         * besides. */
        uint64_t written = 0;
        for (size_t t = 0; t < outcome->traffic_count; t++)
            written += outcome->traffic[t].bytes_written;
        const uint64_t rows = (uint64_t)(problem.x.rows * problem.x.cols) * element_bytes(problem.x.type);
        if (written > rows)
            check_fail(context, "The kernel wrote %llu bytes; the rows of y hold %llu without their padding.",
                       (unsigned long long)written, (unsigned long long)rows);
    }
}

/* The case of tutorial 02. */
void padding_tutorial(struct context *context) {
    const struct problem problem = problem_new(context, TYPE_FP32, 1823, 781, 784, 4);
    check_grid(context, problem_run(context, &problem), &problem);
}
