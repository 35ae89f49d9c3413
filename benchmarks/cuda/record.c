/* A case to JSON (see record.h). */
#include "record.h"
#include "base/memory.h"
#include "document.h"
#include "statistics.h"
#include <string.h>

static const char *status_words(const struct variant *variant) {
    static const char *const words[] = {"timed", "todo", "wrong", "refused", "unavailable"};
    return words[variant->status];
}

static const struct variant *find_variant(const struct variant *variants, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(variants[i].name, name) == 0 && variants[i].status == VARIANT_TIMED)
            return &variants[i];
    return NULL;
}

/* The empty kernel moves nothing; everything else has to move what the contract says. */
static void refuse_impossible(const struct bench_case *bench, struct variant *variant) {
    for (enum mode mode = 0; mode < MODES && variant->status == VARIANT_TIMED; mode++) {
        if (variant->counts[mode] == 0 || strcmp(variant->name, "empty kernel") == 0)
            continue;
        const struct traffic_contract contract = case_contract(bench, mode, case_calls(bench, variant, mode));
        const struct summary summary = summarize(variant->samples[mode], (size_t)variant->counts[mode]);
        char *arithmetic = floor_refuse(summary.median, &contract, &bench->gpu->limits);
        if (arithmetic)
            variant_give_up(variant, VARIANT_REFUSED, arithmetic);
    }
}

/* Median, spread and all samples, in microseconds. */
static json_t *samples_to_json(const double *samples, int count) {
    const struct summary summary = summarize(samples, (size_t)count);
    json_t *all = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(all, json_real(samples[i]));
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "median", summary.median, "min", summary.min, "max",
                     summary.max, "lower_quartile", summary.lower, "upper_quartile", summary.upper, "samples",
                     all);
}

static json_t *time_to_json(const struct bench_case *bench, const struct variant *variant, enum mode mode,
                            double copy_us) {
    const int calls = case_calls(bench, variant, mode);
    const struct traffic_contract contract = case_contract(bench, mode, calls);
    const double bytes = (double)(contract.read_bytes + contract.write_bytes);
    json_t *time =
        json_pack("{s:s, s:s, s:i}", "mode", mode_name(mode), "cache", cache_name(mode), "calls", calls);
    json_object_update_new(time, samples_to_json(variant->samples[mode], variant->counts[mode]));
    const double median = number_in(time, "median");
    json_object_set_new(time, "gb_per_second", json_real(bytes / median / 1e3));
    json_object_set_new(time, "floor", json_real(floor_microseconds(&contract, &bench->gpu->limits)));
    if (copy_us > 0)
        json_object_set_new(time, "share_of_copy", json_real(copy_us / median));
    return time;
}

static void add_variant(json_t *of_case, const struct bench_case *bench, const struct variant *variant,
                        const struct variant *copy) {
    json_t *json = document_variant(of_case, variant->name,
                                    variant->other        ? "other"
                                    : variant->submission ? "submission"
                                                          : "baseline",
                                    variant->parameter);
    json_t *times = json_array(), *left_out = json_array();
    json_object_set_new(json, "status", json_string(status_words(variant)));
    json_object_set_new(json, "reason", json_string(variant->reason ? variant->reason : ""));
    for (enum mode mode = 0; mode < MODES && variant->status == VARIANT_TIMED; mode++) {
        if (variant->left_out[mode])
            json_array_append_new(left_out, json_pack("{s:s, s:s, s:s}", "mode", mode_name(mode), "cache",
                                                      cache_name(mode), "reason", variant->left_out[mode]));
        if (variant->counts[mode] == 0)
            continue;
        const double copy_us = copy && copy->counts[mode]
                                   ? summarize(copy->samples[mode], (size_t)copy->counts[mode]).median
                                   : 0;
        json_array_append_new(times, time_to_json(bench, variant, mode, copy_us));
    }
    json_object_set_new(json, "times", times);
    json_object_set_new(json, "left_out", left_out);
    if (variant->status == VARIANT_TIMED && variant->counts[MODE_STREAM_WARM] > 0)
        json_object_set_new(json, "host_us",
                            samples_to_json(variant->host_us, variant->counts[MODE_STREAM_WARM]));
    json_object_set_new(json, "error", json_real(variant->worst_error));
    json_object_set_new(json, "hidden_us", json_real(variant->hidden_us));
    if (variant->remote)
        return;
    json_object_set_new(json, "launches", json_integer(variant->kernels));
    json_object_set_new(json, "most_blocks", json_integer((json_int_t)variant->most_blocks));
    json_object_set_new(json, "scratch_bytes", json_integer((json_int_t)variant->scratch_bytes));
}

/* Every variant of the submission against every variant that stands after it, and every baseline. */
static void add_comparisons(json_t *of_case, const struct variant *variants, int count) {
    json_t *comparisons = json_array();
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count && variants[a].submission && !variants[a].other; b++) {
            for (enum mode mode = 0; mode <= MODE_GRAPH_COLD; mode++) {
                const struct variant *left = &variants[a], *right = &variants[b];
                if (left->status != VARIANT_TIMED || right->status != VARIANT_TIMED ||
                    left->counts[mode] != right->counts[mode] || left->counts[mode] == 0 ||
                    strcmp(right->name, "empty kernel") == 0)
                    continue;
                const struct ratio ratio =
                    compare_samples(left->samples[mode], right->samples[mode], (size_t)left->counts[mode]);
                json_array_append_new(comparisons,
                                      json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:s}", "a",
                                                left->name, "b", right->name, "mode", mode_name(mode),
                                                "cache", cache_name(mode), "low", ratio.low, "ratio",
                                                ratio.median, "high", ratio.high, "confidence",
                                                ratio.confidence, "a_is", comparison_words(ratio.verdict)));
            }
        }
    }
    json_object_set_new(of_case, "comparisons", comparisons);
}

void record_case(json_t *document, const struct bench_case *bench, struct variant *variants, int count) {
    const struct traffic_contract contract = case_contract(bench, MODE_GRAPH_WARM, bench->calls);
    json_t *of_case = document_case(document, &bench->workload.shape, bench->workload.type);
    json_object_set_new(of_case, "slots", json_integer(bench->slot_count));
    json_object_set_new(of_case, "calls_in_a_sample", json_integer(bench->calls));
    json_object_set_new(of_case, "set_bytes", json_integer((json_int_t)contract.set_bytes));
    json_object_set_new(of_case, "set_fits_l2", json_boolean(set_fits_l2(&contract, &bench->gpu->limits)));
    for (int i = 0; i < count; i++)
        refuse_impossible(bench, &variants[i]);
    const struct variant *copy = find_variant(variants, count, "copy");
    for (int i = 0; i < count; i++)
        add_variant(of_case, bench, &variants[i], copy);
    add_comparisons(of_case, variants, count);
}
