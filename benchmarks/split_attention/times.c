/* make bench EX=split_attention on a GPU: every chunk beside reading k and v once, in shuffled rounds, and torch's
 * scaled_dot_product_attention in the same run where it is installed.
 *
 * Calls are captured into a CUDA graph and replayed; all take the same inputs, so what fits in the L2 is found there. A
 * submission is compared with FP64 before it is timed, and the graph is replayed on new keys after it: an answer that is
 * kept, or work that is not on the caller's stream, is wrong then. */
#include "../../exercises/split_attention/split_attention.h"
#include "base/memory.h"
#include "gpu.h"
#include "kernels.h"
#include "shapes.h"
#include "statistics.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VARIANTS = 1 + ATTENTION_CHUNKS, MOST_SAMPLES = 1000 };

typedef cudaError_t operator_function(attention a, int chunk, cudaStream_t stream);

/* One shape and type, on the device. */
struct inputs {
    const struct attention_shape *shape;
    enum element_type type;
    attention a;
    size_t bytes, y_bytes; /* of k, as of v; of y, as of q */
    double *scores, *reference;
    unsigned *sink;
    int calls; /* in a sample */
};

struct variant {
    int chunk; /* 0: reading k and v */
    const char *status;
    char *reason;
    cudaGraphExec_t graph;
    double samples[MOST_SAMPLES];
    int count, hold_us;
    double worst; /* error, as a share of what is allowed */
};

static uint64_t random_state;

static uint64_t next_random(void) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void *on_device(size_t bytes) {
    void *memory = NULL;
    gpu_must(cudaMalloc(&memory, bytes), "allocating the inputs");
    return memory;
}

static void fill(const struct inputs *inputs, cudaStream_t stream) {
    const struct attention_shape *shape = inputs->shape;
    const int64_t elements = shape->heads * shape->keys * shape->dim;
    const cudaDataType_t type = inputs->a.type;
    gpu_must(attention_fill((void *)(uintptr_t)inputs->a.q, type, shape->heads * shape->dim, next_random(),
                            stream),
             "filling the inputs");
    gpu_must(attention_fill((void *)(uintptr_t)inputs->a.k, type, elements, next_random(), stream),
             "filling the inputs");
    gpu_must(attention_fill((void *)(uintptr_t)inputs->a.v, type, elements, next_random(), stream),
             "filling the inputs");
    gpu_must(cudaMemsetAsync(inputs->a.y, 0xff, inputs->y_bytes, stream), "poisoning y");
}

static struct inputs inputs_open(const struct attention_shape *shape, enum element_type type) {
    const size_t element = element_bytes(type), keys = (size_t)(shape->heads * shape->keys);
    struct inputs inputs = {.shape = shape,
                            .type = type,
                            .bytes = keys * (size_t)shape->dim * element,
                            .y_bytes = (size_t)(shape->heads * shape->dim) * element,
                            .scores = on_device(keys * sizeof(double)),
                            .reference = on_device((size_t)(shape->heads * shape->dim) * sizeof(double)),
                            .sink = on_device(sizeof(unsigned))};
    inputs.a = (attention){.q = on_device(inputs.y_bytes),
                           .k = on_device(inputs.bytes),
                           .v = on_device(inputs.bytes),
                           .y = on_device(inputs.y_bytes),
                           .type = (cudaDataType_t)type,
                           .heads = shape->heads,
                           .length = shape->keys,
                           .dim = shape->dim};
    gpu_must(cudaMemset(inputs.sink, 0, sizeof(unsigned)), "filling the inputs");
    const int calls = (int)(400 / (5 + 2.0 * (double)inputs.bytes / 2.5e6));
    inputs.calls = calls > 20 ? 20 : calls < 2 ? 2 : calls;
    return inputs;
}

static void inputs_close(struct inputs *inputs) {
    void *const all[] = {(void *)(uintptr_t)inputs->a.q,
                         (void *)(uintptr_t)inputs->a.k,
                         (void *)(uintptr_t)inputs->a.v,
                         inputs->a.y,
                         inputs->scores,
                         inputs->reference,
                         inputs->sink};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cudaFree(all[i]);
}

static void give_up(struct variant *variant, const char *status, char *reason) {
    variant->status = status;
    free(variant->reason);
    variant->reason = reason;
}

static cudaError_t call(const struct inputs *inputs, const struct variant *variant,
                        operator_function *function, cudaStream_t stream) {
    if (variant->chunk == 0)
        return attention_read(inputs->a.k, inputs->a.v, (int64_t)inputs->bytes, inputs->sink, stream);
    return function(inputs->a, variant->chunk, stream);
}

/* y against FP64, with the contract's tolerance; what max|v| is stands in the distribution: it is below 3.5. */
static void compare(const struct inputs *inputs, struct variant *variant, const struct gpu *gpu,
                    const char *when) {
    const struct attention_shape *shape = inputs->shape;
    const int64_t count = shape->heads * shape->dim;
    const double largest = 3.4;
    if (variant->chunk == 0)
        return;
    gpu_must(attention_reference(inputs->a.q, inputs->a.k, inputs->a.v, inputs->a.type, shape->heads,
                                 shape->keys, shape->dim, inputs->scores, inputs->reference, gpu->stream),
             "computing what is right");
    gpu_must(cudaDeviceSynchronize(), "computing what is right");
    double *right = get_memory((size_t)count * sizeof *right);
    void *y = get_memory(inputs->y_bytes);
    gpu_must(cudaMemcpy(right, inputs->reference, (size_t)count * sizeof *right, cudaMemcpyDeviceToHost),
             "copying a result");
    gpu_must(cudaMemcpy(y, inputs->a.y, inputs->y_bytes, cudaMemcpyDeviceToHost), "copying a result");
    for (int64_t i = 0; i < count; i++) {
        const double got = element_get(y, (size_t)i, inputs->type), error = fabs(got - right[i]);
        const double allowed = inputs->type == TYPE_FP32 ? 2e-4 * fabs(right[i]) + 2e-6 * largest
                                                         : 1e-2 * fabs(right[i]) + 1e-3 * largest;
        if (error / allowed > variant->worst)
            variant->worst = error / allowed;
        if (error <= allowed)
            continue;
        give_up(variant, "wrong",
                format_text("%s: head %lld, column %lld is %.6g, and should be %.6g", when,
                            (long long)(i / shape->dim), (long long)(i % shape->dim), got, right[i]));
        break;
    }
    free(right);
    free(y);
}

static void prepare(const struct inputs *inputs, struct variant *variant, operator_function *function,
                    const struct gpu *gpu) {
    fill(inputs, gpu->stream);
    const cudaError_t error = call(inputs, variant, function, gpu->stream);
    gpu_must(cudaDeviceSynchronize(), "running the submission");
    (void)cudaGetLastError();
    if (error != cudaSuccess) {
        give_up(variant, error == cudaErrorNotSupported ? "todo" : "wrong",
                format_text("the call returned %s", cudaGetErrorName(error)));
        return;
    }
    compare(inputs, variant, gpu, "wrong before it was timed");
    if (strcmp(variant->status, "timed") != 0)
        return;
    cudaGraph_t graph = NULL;
    gpu_must(cudaStreamBeginCapture(gpu->blocking, cudaStreamCaptureModeGlobal), "capturing a call");
    cudaError_t captured = cudaSuccess;
    for (int i = 0; i < inputs->calls && captured == cudaSuccess; i++)
        captured = call(inputs, variant, function, gpu->blocking);
    const cudaError_t end = cudaStreamEndCapture(gpu->blocking, &graph);
    captured = captured == cudaSuccess ? end : captured;
    if (captured == cudaSuccess)
        captured = cudaGraphInstantiate(&variant->graph, graph, 0);
    if (captured != cudaSuccess)
        give_up(
            variant, "refused",
            format_text("the call cannot be captured into a CUDA graph (%s)", cudaGetErrorName(captured)));
    if (graph)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
}

/* One sample, behind a hold that is long enough for the host to be ahead. */
static void sample(const struct inputs *inputs, struct variant *variant, const struct gpu *gpu, bool keep) {
    enum { MOST_HOLD_US = 50000 };
    struct elapsed elapsed;
    bool ahead = false;
    if (strcmp(variant->status, "timed") != 0)
        return;
    do {
        stopwatch_hold(&gpu->watch, variant->hold_us);
        stopwatch_start(&gpu->watch);
        gpu_must(cudaGraphLaunch(variant->graph, gpu->stream), "replaying a graph");
        gpu_must(stopwatch_end(&gpu->watch, &ahead), "timing a graph");
        gpu_must(stopwatch_read(&gpu->watch, &elapsed), "timing a graph");
        variant->hold_us *= ahead ? 1 : 2;
    } while (!ahead && variant->hold_us <= MOST_HOLD_US);
    if (!ahead)
        give_up(variant, "refused", copy_text("its graph cannot be issued ahead of the device"));
    else if (keep)
        variant->samples[variant->count++] = elapsed.device_us / inputs->calls;
}

static void take_rounds(const struct inputs *inputs, struct variant *variants, const struct gpu *gpu,
                        int rounds) {
    int order[VARIANTS];
    for (int i = 0; i < VARIANTS; i++)
        order[i] = i;
    for (int round = 0; round <= rounds; round++) { /* the first warms up */
        for (int i = VARIANTS - 1; i > 0; i--) {
            const int j = (int)(next_random() % (uint64_t)(i + 1)), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        for (int i = 0; i < VARIANTS; i++)
            sample(inputs, &variants[order[i]], gpu, round > 0);
    }
}

static void judge_after(const struct inputs *inputs, struct variant *variant, const struct gpu *gpu) {
    if (strcmp(variant->status, "timed") != 0 || variant->chunk == 0)
        return;
    fill(inputs, gpu->stream);
    gpu_must(cudaGraphLaunch(variant->graph, gpu->stream), "replaying a graph");
    gpu_must(cudaDeviceSynchronize(), "replaying a graph");
    compare(inputs, variant, gpu, "a graph of the call, replayed on new keys");
}

static json_t *samples_to_json(const double *samples, int count) {
    json_t *all = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(all, json_real(samples[i]));
    return all;
}

static void record_variant(json_t *of_case, const struct inputs *inputs, const struct variant *variant) {
    json_t *json = json_pack("{s:s, s:i, s:s, s:s, s:i, s:f}", "name",
                             variant->chunk ? "submission" : "read k and v", "chunk", variant->chunk,
                             "status", variant->status, "reason", variant->reason ? variant->reason : "",
                             "calls", inputs->calls, "worst_error_share", variant->worst);
    if (strcmp(variant->status, "timed") == 0) {
        json_object_set_new(json, "median",
                            json_real(summarize(variant->samples, (size_t)variant->count).median));
        json_object_set_new(json, "samples", samples_to_json(variant->samples, variant->count));
    }
    json_array_append_new(json_object_get(of_case, "variants"), json);
}

/* Returns whether some chunk was timed. */
static bool time_case(const struct attention_settings *settings, const struct gpu *gpu,
                      operator_function *function, json_t *of_case, const struct attention_shape *shape,
                      enum element_type type) {
    static struct variant variants[VARIANTS];
    struct inputs inputs = inputs_open(shape, type);
    bool timed = false;
    memset(variants, 0, sizeof variants);
    for (int i = 0; i < VARIANTS; i++) {
        variants[i].chunk = i == 0 ? 0 : attention_bench_chunks[i - 1];
        variants[i].status = "timed";
        variants[i].hold_us = 200;
        prepare(&inputs, &variants[i], function, gpu);
    }
    take_rounds(&inputs, variants, gpu, settings->samples);
    for (int i = 0; i < VARIANTS; i++) {
        judge_after(&inputs, &variants[i], gpu);
        record_variant(of_case, &inputs, &variants[i]);
        timed |= i > 0 && strcmp(variants[i].status, "timed") == 0;
        if (variants[i].graph)
            cudaGraphExecDestroy(variants[i].graph);
        free(variants[i].reason);
    }
    inputs_close(&inputs);
    return timed;
}

/* ---- torch ---- */

static void case_name(char *name, size_t bytes, const json_t *of_case) {
    snprintf(name, bytes, "%lldx%lldx%lld:%s", json_integer_value(json_object_get(of_case, "heads")),
             json_integer_value(json_object_get(of_case, "keys")),
             json_integer_value(json_object_get(of_case, "dim")),
             json_string_value(json_object_get(of_case, "type")));
}

static json_t *case_named(const json_t *record, const char *wanted) {
    json_t *of_case;
    char name[96];
    size_t i;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        case_name(name, sizeof name, of_case);
        if (strcmp(name, wanted) == 0)
            return of_case;
    }
    return NULL;
}

/* "8x4096x64:FP16 FLASH_ATTENTION 12.3 12.4 ..." or "8x4096x64:FP16 - why". */
static void read_line(json_t *record, char *line) {
    char *rest = NULL, *name = strtok_r(line, " \n", &rest), *backend = strtok_r(NULL, " \n", &rest);
    json_t *of_case = name && backend ? case_named(record, name) : NULL;
    static double samples[MOST_SAMPLES];
    int count = 0;
    if (of_case == NULL)
        return;
    const bool good = strcmp(backend, "-") != 0;
    json_t *json = json_pack("{s:s, s:i, s:s, s:s}", "name", "torch", "chunk", 0, "status",
                             good ? "timed" : "unavailable", "reason",
                             good   ? backend
                             : rest ? rest
                                    : "");
    for (char *word; good && count < MOST_SAMPLES && (word = strtok_r(NULL, " \n", &rest)) != NULL; count++)
        samples[count] = strtod(word, NULL);
    if (count > 0) {
        json_object_set_new(json, "median", json_real(summarize(samples, (size_t)count).median));
        json_object_set_new(json, "samples", samples_to_json(samples, count));
    }
    json_array_append_new(json_object_get(of_case, "variants"), json);
}

static void time_torch(const struct attention_settings *settings, json_t *record) {
    if (settings->torch[0] == '\0')
        return;
    char *command = format_text("python3 '%s' %d %llu", settings->torch, settings->samples,
                                (unsigned long long)settings->seed);
    json_t *of_case;
    size_t i;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        char name[96];
        case_name(name, sizeof name, of_case);
        char *longer = format_text("%s %s", command, name);
        free(command);
        command = longer;
    }
    FILE *torch = popen(command, "r");
    char *line = NULL;
    size_t bytes = 0;
    while (torch && getline(&line, &bytes, torch) > 0)
        read_line(record, line);
    if (torch)
        pclose(torch);
    free(line);
    free(command);
}

/* ---- the table ---- */

static double median_of(const json_t *of_case, const char *name, int chunk, const char **reason) {
    const json_t *variant;
    size_t i;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        if (strcmp(json_string_value(json_object_get(variant, "name")), name) != 0 ||
            json_integer_value(json_object_get(variant, "chunk")) != chunk)
            continue;
        *reason = json_string_value(json_object_get(variant, "reason"));
        const json_t *median = json_object_get(variant, "median");
        return median ? json_real_value(median) : NAN;
    }
    *reason = "";
    return NAN;
}

static void print_number(const char *format, double number) {
    if (isnan(number))
        printf(" %9s", "-");
    else
        printf(format, number);
}

static void print_case(const json_t *of_case) {
    const char *reason, *torch_backend;
    const double read = median_of(of_case, "read k and v", 0, &reason),
                 torch = median_of(of_case, "torch", 0, &torch_backend),
                 bytes = (double)json_integer_value(json_object_get(of_case, "floor_bytes"));
    double best = NAN;
    char name[96];
    case_name(name, sizeof name, of_case);
    printf("%-22s %9.2f %6.2f", name, read, bytes / read / 1e6);
    for (int i = 0; i < ATTENTION_CHUNKS; i++) {
        const double median = median_of(of_case, "submission", attention_bench_chunks[i], &reason);
        print_number(" %9.2f", median);
        best = fmin(best, median); /* fmin passes over a NaN */
    }
    print_number(" %9.3f", best / read);
    print_number(" %9.2f", torch);
    print_number(" %9.2f", torch / best);
    printf("  %s\n", torch_backend);
    for (int i = 0; i < ATTENTION_CHUNKS; i++)
        if (isnan(median_of(of_case, "submission", attention_bench_chunks[i], &reason)))
            printf("  chunk %d: %s\n", attention_bench_chunks[i], reason);
}

static void print_table(const json_t *record) {
    const json_t *of_case;
    size_t i;
    printf("\nMicroseconds for one call, medians of calls in a replayed CUDA graph on the same inputs. read: "
           "k and v once, by\n"
           "a kernel that does nothing else. best / read: the fastest chunk. torch: "
           "scaled_dot_product_attention, its\n"
           "fastest backend.\n\n%-22s %9s %6s %9s %9s %9s %9s %9s %9s\n",
           "heads x keys x dim", "read", "TB/s", "C=64", "C=256", "C=1024", "best/read", "torch", "/ best");
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        print_case(of_case);
    }
}

int main(int count, char **arguments) {
    const struct attention_settings settings =
        attention_settings_read(count, arguments, "8x4096,32x8192,8x131072");
    const struct gpu gpu = gpu_open();
    void *library = dlopen(settings.submission, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        attention_stop("The submission cannot be loaded: %s.", dlerror());
    void *address = dlsym(library, "split_attention");
    operator_function *function;
    memcpy(&function, &address, sizeof function);
    if (address == NULL)
        attention_stop("The submission does not define split_attention.");
    random_state = settings.seed;
    json_t *record = attention_record(&settings, "times");
    json_object_set_new(record, "device", gpu_describe(&gpu));
    bool timed = false;
    gpu_warm_up(&gpu);
    for (size_t i = 0; i < settings.shape_count; i++)
        for (int type = 0; type < 3; type++)
            timed |= time_case(&settings, &gpu, function,
                               attention_case(record, &settings.shapes[i], supported_types[type]),
                               &settings.shapes[i], supported_types[type]);
    time_torch(&settings, record);
    print_table(record);
    attention_record_write(record, settings.output);
    if (!timed)
        fprintf(stderr, "\nNothing of the submission was timed: the table says why.\n");
    fflush(NULL);
    _exit(timed ? 0 : 3); /* a submission's own threads and destructors have no part in this */
}
