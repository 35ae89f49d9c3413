/* How fast the simulator is, and what it counts: the three stages of split_softmax on one shape.
 *
 *   speed SUBMISSION.so ROWS COLUMNS CHUNK     FP32
 *
 * Prints seconds for each stage, the traffic of each kernel with every buffer, the peak memory of the
 * process, and the cost of one switch between fibers. Not a test: nothing here passes or fails. */
#include "../simulator.h"
#include "link/runtime.h"
#include "matrix.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

typedef cudaError_t partials_function(matrix, int, float *, float *, cudaStream_t);
typedef cudaError_t merge_function(const float *, const float *, int64_t, int64_t, float *, float *,
                                   cudaStream_t);
typedef cudaError_t normalize_function(matrix, int, const float *, const float *, matrix, cudaStream_t);

static struct kernel_trace kernels[16];
static uint32_t kernel_count;

static void print_record(uint32_t type, const void *payload, size_t bytes) {
    (void)bytes;
    if (type == RECORD_KERNEL) {
        const struct kernel_trace *kernel = payload;
        kernels[kernel_count++ % 16] = *kernel;
        printf("  %-20s %llu sectors read, %llu written, %.1f lanes a request, %llu bank conflicts\n",
               kernel->name, (unsigned long long)kernel->sectors_read,
               (unsigned long long)kernel->sectors_written,
               (double)kernel->request_lanes / (double)kernel->requests,
               (unsigned long long)kernel->bank_conflicts);
    } else if (type == RECORD_TRAFFIC) {
        const struct traffic *traffic = payload;
        printf("  %-20s %-12s read %12llu bytes, written %12llu\n", kernels[traffic->kernel % 16].name,
               traffic->name, (unsigned long long)traffic->bytes_read,
               (unsigned long long)traffic->bytes_written);
    } else if (type == RECORD_FINDING) {
        printf("  finding: %s\n", ((const struct finding *)payload)->text);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double finish(const char *stage, double start) {
    cudaDeviceSynchronize();
    double end = seconds();
    printf("  %-20s %8.2f s\n", stage, end - start);
    return end;
}

static void *array(int index, const char *name, size_t bytes) {
    void *pointer;
    if (cudaMalloc(&pointer, bytes) != cudaSuccess)
        exit(1);
    runtime_name_buffer(pointer, index, name, 0);
    return pointer;
}

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    struct link_map *map;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    runtime_submission(library, map->l_addr, 0, path);
    return library;
}

static fiber_context here, there;

static void ping_pong(void) {
    for (;;)
        fiber_switch(&there, here);
}

static void print_switch_cost(void) {
    enum { SWITCHES = 20 * 1000 * 1000 };
    fiber_open(ping_pong);
    there = fiber_make(fiber_take());
    double start = seconds();
    for (int i = 0; i < SWITCHES / 2; i++)
        fiber_switch(&here, there);
    printf("  one fiber switch     %8.1f ns\n", 1e9 * (seconds() - start) / SWITCHES);
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: speed SUBMISSION.so ROWS COLUMNS CHUNK\n");
        return 2;
    }
    int64_t rows = atoll(arguments[2]), cols = atoll(arguments[3]);
    int chunk = atoi(arguments[4]);
    int64_t chunks = (cols + chunk - 1) / chunk;
    struct ready ready;
    runtime_open(print_record, &ready);
    void *library = load(arguments[1]);
    partials_function *partials = (partials_function *)dlsym(library, "split_softmax_partials");
    merge_function *merge = (merge_function *)dlsym(library, "split_softmax_merge");
    normalize_function *normalize = (normalize_function *)dlsym(library, "split_softmax_normalize");
    runtime_case_begin(1);
    size_t bytes = (size_t)(rows * cols) * sizeof(float);
    matrix x = {array(0, "x", bytes), CUDA_R_32F, rows, cols, cols};
    matrix y = {array(1, "y", bytes), CUDA_R_32F, rows, cols, cols};
    size_t states = (size_t)(rows * chunks) * sizeof(float);
    float *partial_max = array(2, "partial_max", states), *partial_sum = array(3, "partial_sum", states);
    float *row_max = array(4, "row_max", (size_t)rows * 4), *row_sum = array(5, "row_sum", (size_t)rows * 4);
    float *values = malloc(bytes);
    for (int64_t i = 0; i < rows * cols; i++)
        values[i] = (float)(i % 1000) * 0.01f;
    cudaMemcpy(x.data, values, bytes, cudaMemcpyHostToDevice);
    free(values);
    printf("%lld x %lld FP32, C = %d\n", (long long)rows, (long long)cols, chunk);
    runtime_call_begin(0, NULL);
    double time = seconds(), start = time;
    partials(x, chunk, partial_max, partial_sum, NULL);
    time = finish("partials", time);
    merge(partial_max, partial_sum, rows, chunks, row_max, row_sum, NULL);
    time = finish("merge", time);
    normalize(x, chunk, row_max, row_sum, y, NULL);
    time = finish("normalize", time);
    runtime_call_end();
    printf("  %-20s %8.2f s\n", "all", time - start);
    runtime_case_end();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("  peak memory          %8.0f MiB\n", (double)usage.ru_maxrss / 1024);
    print_switch_cost();
    return 0;
}
