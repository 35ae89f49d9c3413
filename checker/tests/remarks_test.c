/* What build/remarks remarks on, and the twin of each that it passes in silence. */
#include "remarks/remarks.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A text and the line of the one remark it is to get; 0: it is to get none. */
struct example {
    const char *text;
    int line;
};

static void check_remarks(const char *id, const struct example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct remarks remarks = {0};
        remarks_read(examples[i].text, strlen(examples[i].text), &remarks);
        ck_assert_msg(remarks.count == (examples[i].line ? 1 : 0), "%zu remarks on:\n%s", remarks.count,
                      examples[i].text);
        if (examples[i].line) {
            ck_assert_str_eq(remarks.items[0].id, id);
            ck_assert_int_eq(remarks.items[0].line, examples[i].line);
        }
        remarks_free(&remarks);
    }
}

START_TEST(remarks_on_streams)
{
    static const struct example examples[] = {
        {"void f(cudaStream_t s) {\nk<<<g, b>>>(a); }", 2},
        {"void f(int n, cudaStream_t s) { k<<<g, b, 0, s>>>(a);\n k<<<g, b, 0>>>(a); }", 2},
        {"void f(cudaStream_t s) {\nk<<<g, b, 0, 0>>>(a); }", 2},
        {"void f(cudaStream_t s) {\nk<<<g, b, 0, nullptr>>>(a); }", 2},
        {"void f(cudaStream_t s) {\nk<<<dim3(1, 2, 3), f<int, 2>(b)>>>(a); }", 2},
        {"void f(cudaStream_t s) {\nk<<<g, b, 0, s>>>(a); }", 0},
        {"void f(cudaStream_t s) {\n#define GO(...) k<<<__VA_ARGS__>>>(a)\n GO(g, b, 0, s); }", 0},
        {"void f(void) { k<<<g, b>>>(a); }", 0},
        {"void f(void) { cudaStream_t s = 0; k<<<g, b>>>(a); }", 0},
    };
    check_remarks("launch-without-stream", examples, COUNT(examples));
}
END_TEST

START_TEST(remarks_on_grid_barriers)
{
    static const struct example examples[] = {
        {"__threadfence();\nwhile (atomicAdd(&arrived, 0) < gridDim.x);", 2},
        {"__threadfence();\nwhile (*(volatile int *)flag == 0) { __nanosleep(100); }", 2},
        {"__threadfence();\ndo { } \nwhile (atomicCAS(p, 0, 0) != n);", 3},
        {"__threadfence();\nlast = atomicInc(&arrived, n) == n - 1;\nif (last) f();", 0},
        {"while (atomicAdd(&arrived, 0) < gridDim.x);", 0},
        {"__threadfence(); while (i < n) { i += atomicAdd(p, 1); }", 0},
        {"__threadfence(); do { old = assumed; f(); } while (atomicCAS(p, old, new) != old);", 0},
    };
    check_remarks("threadfence-grid-barrier", examples, COUNT(examples));
}
END_TEST

START_TEST(remarks_on_masks)
{
    static const struct example examples[] = {
        {"if (lane < 16)\n v += __shfl_xor_sync(0xffffffff, v, 8);", 2},
        {"if (lane == 0) {\n v = __shfl_sync(0xffffffffu, v, 0); }", 2},
        {"if (!lane) { f(); } else {\n __syncwarp(FULL_MASK); }", 2},
        {"if (threadIdx.x == 0)\n __any_sync(-1, v);", 2},
        {"if (threadIdx.x % 32 >= 4)\n __any_sync(~0u, v);", 2},
        {"while (warp == 0 && lane <= 7) {\n __ballot_sync(0xFFFFFFFF, v); }", 2},
        {"if (tile.thread_rank() < 8)\n __shfl_down_sync(0xffffffff, v, 1);", 2},
        {"v = lane < 4 ?\n __shfl_sync(0xffffffff, v, 1) : 0;", 2},
        {"if (0 == lane)\n v = __shfl_sync(0xffffffff, v, 0);", 2},
        {"if (warp == 0) { v = __shfl_xor_sync(0xffffffff, v, 1); }", 0},
        {"if (threadIdx.x < 32) { v = __shfl_xor_sync(0xffffffff, v, 1); }", 0},
        {"if (threadIdx.x / 32 == 0) { v = __shfl_xor_sync(0xffffffff, v, 1); }", 0},
        {"if ((threadIdx.x >> 5) == 0) { v = __shfl_xor_sync(0xffffffff, v, 1); }", 0},
        {"if (threadIdx.y == 0) { v = __shfl_xor_sync(0xffffffff, v, 1); }", 0},
        {"if (lane < 16) { v = __shfl_xor_sync(0x0000ffff, v, 1); }", 0},
        {"if (lane < warps) { v = s[lane]; } v = __shfl_xor_sync(0xffffffff, v, 1);", 0},
        {"v = __shfl_xor_sync(0xffffffff, lane < 4 ? s[lane] : 0, 1);", 0},
        {"if (lane == 0) s[warp] = v;\n v = __shfl_xor_sync(0xffffffff, v, 1);", 0},
        {"v = f(lane == 0 ? 1 : 2, __shfl_xor_sync(0xffffffff, v, 1));", 0},
    };
    check_remarks("full-mask-in-branch", examples, COUNT(examples));
}
END_TEST

START_TEST(remarks_on_local_arrays)
{
#define KERNEL(...)                                                                                          \
    "__global__ void k(const float *x, int cols, bool odd) {\nfloat v[32]; int n = 0;\n" __VA_ARGS__ "}"
    static const struct example examples[] = {
        {KERNEL("for (int c = 0; c < cols; c += 32)\n v[n++] = x[c];\n"), 4},
        {KERNEL("for (int i = 0; i < 32; i++)\n if (i < cols)\n v[n++] = x[i];\n"), 5},
        {KERNEL("for (int i = 0; i < 32; i++)\n { if (odd) { f(); } else {\n v[++n] = x[i]; } }\n"), 5},
        {KERNEL("while (n < cols)\n sum += v[n++];\n"), 4},
        {"__device__ float f(matrix x) { float v[8];\nfor (int i = 0; i < x.cols; i++) v[n++] = 0; }", 2},
        {KERNEL("for (int i = 0; i < 32; i++)\n v[n++] = x[i];\n"), 0},
        {KERNEL("if (cols > 0) n = 1;\nfor (int i = 0; i < EACH; i++)\n v[n++] = x[i];\n"), 0},
        {"constexpr int each = 4;\n" KERNEL("for (int i = 0; i < each; i++)\n v[n++] = x[i];\n"), 0},
        {"template <int each>\n" KERNEL("for (int i = 0; i < each; i++) { v[n++] = x[i]; }\n"), 0},
        {KERNEL("for (int c = 0; c < cols; c += 32)\n y[n++] = x[c];\n"), 0},
        {"__global__ void k(int cols) { __shared__ float v[32];\nfor (int i = 0; i < cols; i++) v[n++] = 0; "
         "}",
         0},
        {"void host(int cols) { float v[32];\nfor (int i = 0; i < cols; i++) v[n++] = 0; }", 0},
        {KERNEL("for (int i = 0; i < 32; i++)\n v[i] = i < cols ? x[i] : 0;\n"), 0},
    };
    check_remarks("index-at-run-time", examples, COUNT(examples));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("remarks");
    TCase *remarks = tcase_create("remarks");
    tcase_add_test(remarks, remarks_on_streams);
    tcase_add_test(remarks, remarks_on_grid_barriers);
    tcase_add_test(remarks, remarks_on_masks);
    tcase_add_test(remarks, remarks_on_local_arrays);
    suite_add_tcase(suite, remarks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
