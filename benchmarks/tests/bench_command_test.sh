#!/usr/bin/env bash
# make bench and make plot without a GPU: counts in the simulator, figures, and what happens when something is
# missing or broken. Nothing that is timed decides anything.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION SUBMISSION SHAPES SAMPLES SEED A B FILE
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Runs make, keeping what it says and how it ends.
run_make() {
    said=$(RESULTS="$folder/results" RUNTIME=simulator make "$@" 2>&1 </dev/null)
    status=$?
}

one_line() { [ "$(grep -c . <<<"$said")" -eq 1 ]; }
is_png() { [ "$(head -c 4 "$1" 2>/dev/null | tail -c 3)" = PNG ]; }
is_svg() { grep -q '<svg' "$1" 2>/dev/null; }
record_says() { grep -qE -e "$2" "$folder/results/$1/bench.json"; }
unchanged() { [ "$(cksum "$record")" = "$before" ]; }
nothing_aside() { [ "$(find "$folder/results" -name '*.[0-9]*' | wc -l)" -eq 0 ]; }

bash -c 'source checker/commands/common.sh; build "the benchmark" -f benchmarks/build.mk build/plot' || exit 1

# ---- counts, end to end ----
run_make bench EX=split_softmax SOLUTION=1 SHAPES=3x1025,2x4097
record=$folder/results/split_softmax/bench.json
expect "a bench without a GPU ends well" ends_with 0
expect "it says that these are counts and not times" says "counts from the simulator, not times"
expect "it says whose files are measured" says "solutions/split_softmax"
expect "1025 columns in chunks of 256 make 5 blocks a row: 15" says "C=256 +3 +15 +15 +144 "
expect "scratch is 8 * M * (T + 1) bytes: 72 for C=1024" says "C=1024 +3 +6 +6 +72 "
expect "the record says counts" record_says split_softmax '"measures": "counts"'
expect "the record holds digests of the sources" record_says split_softmax '"file": "solutions/split_softmax/split_softmax.cu"'
expect "the record has a version of the method" record_says split_softmax '"method_version": [0-9]+'
expect "a PNG is drawn" is_png "$folder/results/split_softmax/counts.png"
expect "an SVG is drawn" is_svg "$folder/results/split_softmax/counts.svg"
expect "nothing is left beside them" nothing_aside
expect "a sentence says which chunk, and why" says "3 x 1025: by the counts C=256. No value gives each of an H200's 132 multiprocessors a block;"
expect "types of which the numbers agree stand in one block" says "3 x 1025 FP16, BF16 +at least"
expect "the record says what each kernel did" record_says split_softmax '"name": "merge_kernel"'
counts_svg=$folder/results/split_softmax/counts.svg
expect "a panel asks a question" grep -qF 'Has every multiprocessor a block?' "$counts_svg"
expect "and has the line that answers it" grep -qF 'multi-' "$counts_svg"
expect "kernels that coincide are one curve" grep -qF 'partials, normalize' "$counts_svg"
expect "what a split cannot do without is a line" grep -qF '1.5: x twice' "$counts_svg"
expect "no panel says that there are no values" bash -c "! grep -qF 'no values' '$counts_svg'"
expect "a log scale says that it is one" grep -qF '(log scale)' "$counts_svg"

# ---- recorded times beside counts ----
svg_says() { grep -qF -e "$2" "$1"; }
counts=$folder/results/split_softmax/counts.svg
expect "a shape that was not recorded is drawn without recorded times" bash -c "! grep -qF RECORDED '$counts'"
run_make bench EX=split_softmax SOLUTION=1 SHAPES=4x32769
expect "recorded times of the solution stand beside its counts" svg_says "$counts" "own solution on NVIDIA"
run_make bench EX=split_softmax SOLUTION=wide_loads SHAPES=4x32769
expect "and of a variant beside those of the variant" svg_says "$counts" "own solution/wide_loads on NVIDIA"

run_make bench EX=fused_softmax SOLUTION=1 SHAPES=9x61
expect "fused_softmax: one launch of ceil(9 / 4) blocks" says "R=4 +1 +3 "
expect "fused_softmax: a picture" is_png "$folder/results/fused_softmax/counts.png"

# ---- the student's counts and the solution's in one panel ----
mkdir "$folder/tree"
cp solutions/split_softmax/split_softmax.c checker/tests/submissions/split_softmax/correct/shared_memory_tree/split_softmax.cu "$folder/tree"
run_make bench EX=split_softmax SUBMISSION="$folder/tree" SHAPES=3x1025
expect "a submission stands beside the solution" grep -qF 'submission beside solution' "$folder/results/split_softmax/counts.svg"
expect "and where they agree they are named together" grep -qF 'submission, solution' "$folder/results/split_softmax/counts.svg"
other=$folder/other.json # a record in which normalize has as few blocks as merge
sed -E '/"name": "normalize(_kernel)?"/,/\}/ s/"blocks": [0-9]+/"blocks": 3/' "$folder/results/split_softmax/bench.json" >"$other"
run_make plot A="$folder/results/split_softmax/bench.json" B="$other"
overlay_says() { tr -d '\n' <"$folder/results/overlay.svg" | grep -qE -e "$1"; }
expect "two records are A and B, whosesoever they are" overlay_says 'A beside B'
expect "what coincides is named, and nothing else" overlay_says 'A merge.*B merge, normalize'
run_make bench EX=split_softmax SOLUTION=1 SHAPES=64x16384
expect "what takes long says so before" says "This takes about [0-9]+ seconds"

# A terminal is shown how far it is.
said=$(script -qec "env RESULTS='$folder/shown' RUNTIME=simulator make bench EX=split_softmax SOLUTION=1 SHAPES=3x1025" /dev/null </dev/null 2>&1 | tr '\r' '\n')
status=$?
expect "a terminal shows a bar" says '\[########\.{16}\]  33 %.*3 x 1025 FP16'

# ---- what cannot be measured ----
before=$(cksum "$record")
run_make bench EX=split_softmax SOLUTION=1 SHAPES=3x
expect "a shape that makes no sense is answered with a sentence" says "SHAPES is 'all' or ROWSxCOLS"
expect "and ends with 3" ends_with 3
expect "the earlier record is as it was" unchanged
run_make bench EX=online_softmax
expect "online_softmax is not measured, and a sentence says so" says "online_softmax runs on the CPU"
run_make bench EX=row_reduction
expect "row_reduction has no operator to measure" says "row_reduction has stages and no operator.*: make bench takes fused_softmax"
mkdir -p "$folder/stub" "$folder/wrong"
cp exercises/split_softmax/split_softmax.h "$folder/stub" 2>/dev/null
cat >"$folder/stub/split_softmax.c" <<'STUB'
#include "split_softmax.h"
int64_t split_softmax_chunks(int64_t cols, int chunk) { return (cols + chunk - 1) / chunk; }
size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) { return (size_t)(rows + cols + chunk); }
cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    return split_softmax_normalize(x, chunk, NULL, NULL, y, stream);
}
STUB
cat >"$folder/stub/split_softmax.cu" <<'STUB'
#include "split_softmax.h"
cudaError_t split_softmax_partials(matrix, int, float *, float *, cudaStream_t) { return cudaErrorNotSupported; }
cudaError_t split_softmax_merge(const float *, const float *, int64_t, int64_t, float *, float *, cudaStream_t) { return cudaErrorNotSupported; }
cudaError_t split_softmax_normalize(matrix, int, const float *, const float *, matrix, cudaStream_t) { return cudaErrorNotSupported; }
STUB
run_make bench EX=split_softmax SUBMISSION="$folder/stub" SHAPES=3x5
expect "a stub is said to be not written yet" says "C=256, C=1024, C=4096 +not written yet"
expect "a stub leaves no record" unchanged
expect "a stub ends with 3" ends_with 3
# The solution, but for its first number.
cp solutions/split_softmax/split_softmax.cu "$folder/wrong/"
cp solutions/split_softmax/split_softmax.c "$folder/wrong/right.h"
cat >"$folder/wrong/split_softmax.c" <<WRONG
#include "split_softmax.h"
#define split_softmax right_softmax
#include "right.h"
#undef split_softmax
cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    cudaError_t error = right_softmax(x, y, chunk, stream);
    return error == cudaSuccess ? cudaMemsetAsync(y.data, 0x3c, 4, stream) : error;
}
WRONG
run_make bench EX=split_softmax SUBMISSION="$folder/wrong" SHAPES=3x50
expect "wrong numbers are not counted, and the place is named" says "row 0, column 0 is .*, and should be"
expect "wrong numbers leave no record" unchanged

# ---- plots of other records ----
run_make plot EX=online_softmax
expect "make plot does not advise a bench that refuses" says "online_softmax runs on the CPU and is not measured: make plot takes .*time make run EX=online_softmax"
run_make plot EX=split_softmax
expect "make plot draws again" says "drawn: .*/counts.png"
head -c 300 "$record" >"$folder/damaged.json"
run_make plot FILE="$folder/damaged.json"
expect "a damaged record takes one line" one_line
expect "a damaged record is called damaged" says "damaged.json is damaged: it stops being JSON at line"
echo '{"checks": []}' >"$folder/foreign.json"
run_make plot FILE="$folder/foreign.json"
expect "a foreign file is called no record" says "it is JSON, but no record of make bench"
run_make plot A="$record" B="$record"
expect "two records of counts are laid over each other" says "drawn: .*/overlay.png"
expect "curves that coincide are drawn once, and named together" svg_says "$folder/results/overlay.svg" "A, B"
run_make plot A="$record" B=benchmarks/tests/times.json
expect "counts are not laid over times" says "when both hold times"
run_make plot A="$record"
expect "one record is not enough for two" says "make plot A=x.json B=y.json"
expect "the record is still as it was" unchanged

# ---- times: a record of few numbers, drawn and laid over itself ----
cp benchmarks/tests/times.json "$folder/"
run_make plot FILE="$folder/times.json"
expect "times are drawn" says "drawn: .*/time-warm.png"
for name in time-warm time-cold speed-up share-of-copy; do
    expect "a figure $name" is_png "$folder/$name.png"
    expect "a figure $name, as SVG" is_svg "$folder/$name.svg"
done
run_make plot A=benchmarks/tests/times.json B=benchmarks/tests/times.json
expect "two records are laid over each other" is_png "$folder/results/overlay.png"
sed 's/"method_version":1/"method_version":2/' benchmarks/tests/times.json >"$folder/method2.json"
run_make plot A=benchmarks/tests/times.json B="$folder/method2.json"
expect "times of two methods are not laid over each other" says "taken by different methods, 1 and 2"

# ---- two runs ----
run_make agree A=benchmarks/tests/times.json B=benchmarks/tests/times.json
expect "a run agrees with itself" says "The two runs agree: all 57 medians"
expect "and that ends with 0" ends_with 0
# 20.086 us, of the looped kernel on 4 x 32769, become 25.
sed 's/"median":20\.086/"median":25/' benchmarks/tests/times.json >"$folder/slower.json"
run_make agree A=benchmarks/tests/times.json B="$folder/slower.json"
expect "a median that is further apart is named" says "4 x 32769 FP32, looped: 20.1 and 25 us"
expect "and that ends with 1" ends_with 1
run_make agree A=benchmarks/tests/times.json B="$folder/method2.json"
expect "times of two methods are not compared" says "taken by different methods, 1 and 2"
expect "and that ends with 3" ends_with 3
run_make agree A=benchmarks/tests/times.json
expect "one record is not enough to compare" says "make agree A=x.json B=y.json"

# ---- no gnuplot, and a folder that cannot be written ----
mkdir "$folder/bin"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = gnuplot ] || ln -s "$tool" "$folder/bin/" 2>/dev/null
done
said=$(PATH=$folder/bin build/plot "$folder" "$record" 2>&1)
status=$?
expect "without gnuplot a sentence says so" says "gnuplot is not installed"
expect "without gnuplot the record is as it was" unchanged
said=$(build/plot "$folder/no/such/folder" "$record" 2>&1)
status=$?
expect "a folder that is not there takes one line" one_line

# ---- Ctrl-C ----
build/bench-simulator --exercise split_softmax --submission build/submissions/split_softmax-solution/submission.so \
    --runner build/runner-simulator --shapes 64x131072 --output "$record" >"$folder/said" 2>&1 &
process=$!
sleep 1
kill -TERM $process # a shell's background process ignores SIGINT; both have one handler
wait $process
status=$?
said=$(cat "$folder/said")
expect "stopped, it says that nothing was written" says "Stopped. Nothing was written"
expect "stopped, it leaves the record as it was" unchanged

end_test
