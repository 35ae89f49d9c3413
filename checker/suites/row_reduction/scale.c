/* Stage scale: a first kernel. */
#include "checks.h"
#include "far_apart.h"

void scale_by_hand(struct context *context) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_SCALE, 2, 3, 3);
    problem.factor = 2.5;
    for (int64_t i = 0; i < 6; i++)
        table_set(&problem.x, i / 3, i % 3, (double)(i + 1));
    row_problem_run(context, &problem);
}

/* Numbers of elements below, at and above a block, a warp and a row of blocks; and one factor that is 0. */
void scale_every_element(struct context *context) {
    static const int64_t shapes[][2] = {{1, 1},   {1, 31},  {1, 256}, {1, 257},  {5, 33},   {2, 1025},
                                        {3, 512}, {257, 1}, {33, 7},  {1, 5000}, {1025, 3}, {300, 260}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct row_problem problem =
            row_problem_new(context, FUNCTION_ROW_SCALE, shapes[i][0], shapes[i][1], shapes[i][1]);
        problem.factor = i == 5 ? 0 : problem.factor;
        row_problem_run(context, &problem);
    }
}

/* The padding of y keeps its bytes, those that it has and those that nobody has written. */
void scale_pitch(struct context *context) {
    static const int64_t shapes[][3] = {{4, 5, 8}, {3, 300, 301}, {7, 1, 64}, {2, 255, 257}, {5, 1000, 1024}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct row_problem problem =
            row_problem_new(context, FUNCTION_ROW_SCALE, shapes[i][0], shapes[i][1], shapes[i][2]);
        problem.guarded = true;
        problem.output_known = i % 2 == 0;
        row_problem_run(context, &problem);
    }
    run_far_apart(context, FUNCTION_ROW_SCALE);
}
