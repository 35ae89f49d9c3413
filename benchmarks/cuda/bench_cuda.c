/* bench-cuda: make bench on a GPU. Times every value of the parameter and the baselines, for each shape and
 * type, in shuffled rounds; docs/benchmarks.md tells the method.
 *
 * The submission is loaded into this process. What it could do to the clock is looked for (judge.c, floor.c),
 * and what it prints is no result. */
#include "base/memory.h"
#include "bench_case.h"
#include "cudnn.h"
#include "document.h"
#include "judge.h"
#include "patience.h"
#include "record.h"
#include "sample.h"
#include "time_table.h"
#include "torch.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void end_early(int signal_number) {
    static const char words[] = "\nStopped. Nothing was written; an earlier record is as it was.\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(128 + signal_number);
}

static void progress(const char *words) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", words);
}

/* One sample to take in a round. */
struct turn {
    int variant;
    enum mode mode;
};

static void shuffle(struct bench_case *bench, struct turn *turns, int count) {
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)(case_random(bench) % (uint64_t)(i + 1));
        const struct turn kept = turns[i];
        turns[i] = turns[j];
        turns[j] = kept;
    }
}

static void take_turn(struct bench_case *bench, struct torch *torch, struct variant *variant,
                      enum mode mode) {
    if (variant->status != VARIANT_TIMED || variant->left_out[mode])
        return;
    if (variant->remote) {
        torch_sample(torch, variant, mode);
        return;
    }
    patience_begin(bench, variant);
    sample_take(bench, variant, mode);
    patience_over();
}

/* Rounds of the variants of this process, or of the other one's. The first round warms up and counts for
 * nothing. */
static void take_rounds(struct bench_case *bench, struct torch *torch, struct variant *variants, int count,
                        bool remote, int rounds) {
    struct turn turns[MOST_VARIANTS * MODES];
    int turn_count = 0;
    for (int i = 0; i < count; i++)
        for (enum mode mode = 0; mode < MODES && variants[i].remote == remote; mode++)
            turns[turn_count++] = (struct turn){i, mode};
    for (int round = 0; round <= rounds; round++) {
        shuffle(bench, turns, turn_count);
        for (int i = 0; i < turn_count; i++) {
            struct variant *variant = &variants[turns[i].variant];
            int *kept = &variant->counts[turns[i].mode];
            const int before = *kept;
            take_turn(bench, torch, variant, turns[i].mode);
            if (round == 0 && *kept > before)
                *kept = before;
        }
    }
}

/* PyTorch's rounds come in one piece, between the two halves of ours: for some time after the device has
 * switched from one process to another, launches cost about 0.35 us less (H200, driver 580), so taking turns
 * one by one would give every variant two different times at random. */
static void take_samples(struct bench_case *bench, struct torch *torch, struct variant *variants, int count) {
    const int samples = bench->settings->samples;
    for (int i = 0; i < count; i++)
        variant_reserve(&variants[i], samples + 1);
    take_rounds(bench, torch, variants, count, false, samples / 2);
    take_rounds(bench, torch, variants, count, true, samples);
    take_rounds(bench, torch, variants, count, false, samples - samples / 2);
}

/* Returns how many variants of the submission were timed. */
static int time_case(struct bench_case *bench, struct torch *torch, const char *no_torch, void *library,
                     void *beside, json_t *document) {
    struct variant variants[MOST_VARIANTS];
    int count = variants_of_submission(variants, bench->settings, library, false), timed = 0;
    count += beside ? variants_of_submission(variants + count, bench->settings, beside, true)
                    : variants_of_baselines(variants + count);
    for (int i = 0; i < count; i++)
        if (variants[i].status == VARIANT_TIMED) {
            patience_begin(bench, &variants[i]);
            judge_before(bench, &variants[i]);
            patience_over();
        }
    variants[count] = torch_variant(torch, no_torch, bench);
    take_samples(bench, torch, variants, count + 1);
    torch_close_case(torch, &variants[count]);
    for (int i = 0; i < count; i++) {
        patience_begin(bench, &variants[i]);
        judge_after(bench, &variants[i]);
        patience_over();
    }
    record_case(document, bench, variants, count + 1);
    for (int i = 0; i <= count; i++) {
        timed += variants[i].submission && !variants[i].other && variants[i].status == VARIANT_TIMED;
        variant_free(&variants[i]);
    }
    return timed;
}

static void describe(json_t *document, const struct settings *settings, const struct gpu *gpu,
                     const struct torch *torch) {
    json_object_set_new(document, "device", gpu_describe(gpu));
    json_object_set_new(
        document, "settings",
        json_pack("{s:i, s:f, s:s}", "samples", settings->samples, "same_within", 0.02, "order",
                  "all variants and modes shuffled in each round; PyTorch's rounds between the halves of the "
                  "others; first rounds dropped"));
    json_t *environment = json_object_get(document, "environment");
    json_object_set_new(environment, "PyTorch", json_string(torch_version(torch)));
    json_object_set_new(environment, "cuDNN", json_string(cudnn_version()));
}

/* Each has its own kernels and its own functions of the contract's names: none is seen by the other. */
static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        stop("The submission cannot be loaded: %s.", dlerror());
    return library;
}

int main(int count, char **arguments) {
    const struct settings settings = settings_read(count, arguments);
    signal(SIGINT, end_early);
    signal(SIGTERM, end_early);
    signal(SIGPIPE, SIG_IGN);
    const struct gpu gpu = gpu_open();
    char *no_torch = NULL;
    struct torch *torch = torch_start(settings.torch, &no_torch);
    void *library = load(settings.submission), *beside = settings.beside ? load(settings.beside) : NULL;
    json_t *document = document_new(&settings, "times", "cuda");
    int timed = 0;
    gpu_warm_up(&gpu);
    for (size_t i = 0; i < settings.shape_count * 3; i++) {
        const struct shape *shape = &settings.shapes[i / 3];
        const enum element_type type = supported_types[i % 3];
        static struct bench_case bench;
        char *trouble = NULL, *words = format_text("timing %lld x %lld %s ...", (long long)shape->rows,
                                                   (long long)shape->cols, element_name(type));
        progress(words);
        free(words);
        if (case_open(&bench, &settings, &gpu, shape, type, &trouble)) {
            timed += time_case(&bench, torch, no_torch, library, beside, document);
            case_close(&bench);
        } else {
            fprintf(stderr, "%lld x %lld %s is left out: %s.\n", (long long)shape->rows,
                    (long long)shape->cols, element_name(type), trouble);
        }
    }
    progress("");
    describe(document, &settings, &gpu, torch);
    torch_end(torch);
    if (!settings.quiet)
        time_table_print(stdout, document);
    char *trouble = document_write(document, settings.output);
    if (trouble)
        stop("%s", trouble);
    if (timed == 0)
        fprintf(stderr, "\nNothing of the submission was timed: the table says why.\n");
    fflush(NULL);
    _exit(0); /* a submission's own threads and destructors have no part in this */
}
