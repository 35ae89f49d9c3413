#!/usr/bin/env bash
# make compare: what it says of correct submissions written in different ways, of a faulty one, of stubs; and what happens
# when something is missing. The words are held to what each submission is known to do.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION SUBMISSION WITH DIFF SEED V RUNTIME

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Runs make, keeping what it says, as one line too (words are wrapped), and how it ends.
run_make() {
    text=$(RESULTS="$folder/results" make "$@" 2>&1 </dev/null)
    status=$?
    # A wrapped sentence goes on in the next line.
    said="$text
$(tr -s '\n ' ' ' <<<"$text")"
}

compare_with_solution() {
    submission_files "$1" "$folder/$1"
    run_make compare EX="${1%%/*}" SUBMISSION="$folder/$1"
}

says_not() { ! says "$1"; }
is_png() { [ "$(head -c 4 "$1" 2>/dev/null | tail -c 3)" = PNG ]; }
split=split_softmax/correct fused=fused_softmax/correct

# ---- correct submissions, each with what is true of it ----
twice='x is read twice, at split_softmax.cu:[0-9]+ and :[0-9]+; the solution reads it once: it keeps the chunk in registers'
compare_with_solution $split/shared_memory_tree
expect "shared_memory_tree ends well" ends_with 0
expect "shared_memory_tree: the chunk is read twice" says "1. partials: $twice"
expect "shared_memory_tree: and reduced behind many barriers" says "a block waits at 16 barriers; one of the solution at 2"
expect "shared_memory_tree: all points on both sides" says 'operator +25/25 +25/25'
expect "shared_memory_tree: bytes of x beside the least" says 'x: bytes read +1.05 million +524,288 +524,288'
expect "an equal count has no row" says_not 'y: bytes written'
expect "no source of the solution is shown" says_not '__shfl_xor_sync'
lines=$(sed -nE 's/.*1\. partials: x is read twice, at split_softmax.cu:([0-9]+) and :([0-9]+);.*/\1 \2/p' <<<"$said")
read -r first second <<<"$lines"
x_is_read_at() { sed -n "${1:-0}p" "$folder/$split/shared_memory_tree/split_softmax.cu" | grep -qE 'load|x_row|x\['; }
expect "the first line named reads x" x_is_read_at "$first"
expect "the second line named reads x" x_is_read_at "$second"
expect "a picture is drawn" is_png "$folder/results/split_softmax/compare.png"
expect "the record is one of a comparison" grep -qF '"format": "softmax-workshop compare"' "$folder/results/split_softmax/compare.json"
run_make compare EX=split_softmax SUBMISSION="$folder/$split/shared_memory_tree" DIFF=1
expect "DIFF=1 at a full score shows the solution's functions" says 'block_max: yours has no function of this name'
expect "DIFF=1 says what is the same" says 'ranges_overlap: the same'

compare_with_solution $split/chunk_in_registers
expect "chunk_in_registers is as good, and told so" says 'In every count that matters yours does the same. Good work.'
[ "${QUICK:-}" = 1 ] || { # eight more of the same kind
    compare_with_solution $split/launched_by_address
    expect "launched_by_address is as good" says 'In every count that matters yours does the same. Good work.'
    compare_with_solution $split/atomics_block
    expect "atomics_block: atomics are named" says '8,192 atomic operations, which take turns where they meet; the solution has 0'
    compare_with_solution $split/single_thread
    expect "single_thread: a block has one thread" says 'a block of normalize has 1 thread, less than a warp'
    expect "single_thread: three reads" says 'x is read three times, at split_softmax.cu:'
    compare_with_solution $split/grid_stride
    expect "grid_stride: its blocks do not fill the device" says 'normalize runs on 24 blocks, so that 108 of an H200.s 132 multiprocessors have nothing to do; that of the solution on 128'
    compare_with_solution $split/warp_per_chunk
    expect "warp_per_chunk: 128 warps in 43 blocks" says 'partials_kernel runs on 43 blocks'
    compare_with_solution $split/four_allocations
    expect "four_allocations: are counted" says 'a call makes 4 allocations of scratch; the solution 1'
    compare_with_solution $split/float4_edges
    expect "float4_edges: does better in one count" says 'What yours does better than the solution.*a load or store moves 12 bytes a lane'
    compare_with_solution $fused/shared_tree
    expect "fused shared_tree: barriers" says 'a block waits at 18 barriers; one of the solution at 0'
    compare_with_solution $fused/scalar_warp
    expect "fused scalar_warp: narrow loads" says 'a load or store moves 4 bytes a lane, of the solution 16'
}

# ---- normalize with one block a row: right numbers, and an idle device ----
mkdir "$folder/one_block"
cp solutions/split_softmax/split_softmax.c "$folder/one_block"
sed -E '/normalize_kernel\(const/,/^}/ {
        s|int row = .*blockIdx.x % chunks;|int row = blockIdx.x; for (int index = 0; index < chunks; index++) {|
        s|^}|}}|
    }
    /void launch_normalize/,/^}/ s|\(x.rows \* chunks\)|x.rows|' \
    solutions/split_softmax/split_softmax.cu >"$folder/one_block/split_softmax.cu"
run_make compare EX=split_softmax SUBMISSION="$folder/one_block"
expect "one block a row in normalize comes first" says 'What the solution does better, the weightiest first: 1. normalize_kernel runs on one block, so that 131 of an H200.s 132 multiprocessors have nothing to do; that of the solution on 128'
run_make compare EX=split_softmax SOLUTION=1 WITH=wide_loads
expect "a variant beside the solution" says 'What wide_loads does better.*a load or store moves'
expect "recorded times are said to be recorded, and whose" says 'times of wide_loads alone, as recorded on NVIDIA H200'

# ---- faulty, unfinished, not compilable ----
mkdir "$folder/faulty"
cp "$folder/$split/shared_memory_tree"/* "$folder/faulty"
sed -i 's/__syncthreads();//' "$folder/faulty/split_softmax.cu"
run_make compare EX=split_softmax SUBMISSION="$folder/faulty" DIFF=1
expect "a faulty one is compared" ends_with 0
expect "a call that was stopped by a finding says the finding" says 'yours: (Reads|Writes) what thread [0-9]+ of the same block'
expect "and not that something of the kit's is broken" says_not 'This check is broken'
expect "the checks that differ are named" says 'partials.by_hand +fail +pass'
expect "no barriers are no merit of wrong code" says 'Yours is not right yet, so what it does without says nothing'
expect "before a full score DIFF=1 shows nothing" says_not 'the same$|yours has no function'
expect "and asks for DIFF=yes" says 'DIFF=yes shows it all the same'
run_make compare EX=split_softmax SUBMISSION="$folder/faulty" DIFF=yes
expect "DIFF=yes shows it" says 'block_max: yours has no function of this name'
before=$(cksum "$folder/results/split_softmax/compare.json")
unchanged() { [ "$(cksum "$folder/results/split_softmax/compare.json")" = "$before" ]; }
mkdir "$folder/stub"
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
run_make compare EX=split_softmax SUBMISSION="$folder/stub"
expect "stubs: there is nothing to compare" says 'Nothing of split_softmax is written yet'
expect "stubs end with 2" ends_with 2
expect "stubs leave the record" unchanged
echo '#error "not today"' >>"$folder/faulty/split_softmax.cu"
run_make compare EX=split_softmax SUBMISSION="$folder/faulty"
expect "what does not compile is said, with the compiler's words" says 'not today.*does not compile, so there is nothing to compare'
expect "and ends with 3" ends_with 3
expect "and leaves the record" unchanged
run_make compare EX=split_softmax SOLUTION=1
expect "the solution is not compared with itself" says 'Both are solutions/split_softmax'
run_make compare EX=split_softmax SOLUTION=1 WITH=wide_load
expect "a misspelt variant is guessed" says 'Did you mean SOLUTION=wide_loads'
run_make compare EX=online_softmax SUBMISSION=checker/tests/submissions/online_softmax/correct/explicit
expect "online_softmax is compared by its checks" says 'plain C, which the simulator does not run: it is compared by its checks alone'
expect "online_softmax ends well" ends_with 0
run_make compare EX=row_reduction SUBMISSION=checker/tests/submissions/row_reduction/correct/warp_a_row
expect "row_reduction is compared by its checks" says 'has stages and no operator to count: it is compared by its checks alone'

# ---- times, from a record as build/bench-cuda --beside writes it ----
time_of_us() { echo "{\"mode\":\"graph\",\"cache\":\"warm\",\"median\":$1}"; }
variant() { echo "{\"name\":\"$1\",\"role\":\"$2\",\"parameter\":$3,\"reason\":\"$4\",\"times\":[${5:+$(time_of_us "$5")}]}"; }
comparison() { echo "{\"a\":\"$1\",\"b\":\"other $1\",\"mode\":\"graph\",\"cache\":\"warm\",\"low\":$2,\"ratio\":$3,\"high\":$4,\"confidence\":0.97,\"a_is\":\"$5\"}"; }
both=$folder/both.json
cat >"$both" <<RECORD
{"format":"softmax-workshop bench","format_version":1,"method_version":2,"exercise":"split_softmax","parameter":"chunk","symbol":"C",
"measures":"times","device":{"name":"a GPU"},"settings":{"samples":21},"cases":[{"rows":4,"cols":32769,"pitch":32769,"type":"FP32","contract_bytes":1048608,
"variants":[$(variant C=256 submission 256 "" 7.4),$(variant C=1024 submission 1024 "" 6.0),$(variant C=4096 submission 4096 "wrong before it was timed" ""),
$(variant "other C=256" other 256 "" 6.8),$(variant "other C=1024" other 1024 "" 6.1),$(variant "other C=4096" other 4096 "" 6.4)],
"comparisons":[$(comparison C=256 1.083 1.088 1.094 slower),$(comparison C=1024 0.985 0.99 0.995 "the same")]}]}
RECORD
mkdir "$folder/times"
tab=$(printf '\t')
said=$(build/compare --exercise split_softmax --output "$folder/times/compare.json" --times "$both" \
    --yours "yours${tab}exercise${tab}${tab}mine${tab}" --other "the solution${tab}solution${tab}${tab}theirs${tab}" 2>&1)
status=$?
said+=$(tr -s '\n ' ' ' <<<"$said")
expect "times alone are a comparison" ends_with 0
expect "which is slower is said, by how much, and how sure that is" says '4 x 32769 FP32, C=256: 7.40 us and 6.80 us, yours is 8.8 % slower \(8.3 to 9.4\)'
expect "what is told apart by nothing is the same" says 'C=1024: 6.00 us and 6.10 us, yours is the same within 2 %'
expect "what was not timed says why" says 'C=4096: not compared \(yours: wrong before it was timed\)'
expect "a sentence closes" says 'Yours is slower in 1 of 2, by 8.8 %\. In 1 of 2 there is no difference that can be told'
expect "the pairs are in the record" grep -q '"yours_is": "slower"' "$folder/times/compare.json"
said=$(build/compare --exercise split_softmax --output "$folder/times/compare.json" --times benchmarks/tests/nothing.json \
    --yours "yours${tab}exercise${tab}${tab}mine${tab}" --other "the solution${tab}solution${tab}${tab}theirs${tab}" 2>&1)
status=$?
expect "a record of times that is not there takes one line, and 3" ends_with 3
RUNTIME=cuda run_make compare EX=online_softmax SOLUTION=1
expect "online_softmax is not timed" says 'online_softmax runs on the CPU'
RUNTIME=gpu run_make compare EX=split_softmax SOLUTION=1
expect "a runtime that is none" says "RUNTIME is simulator or cuda, not 'gpu'"
if ! command -v nvidia-smi >/dev/null; then
    RUNTIME=cuda run_make compare EX=split_softmax SOLUTION=1 WITH=wide_loads
    expect "without a GPU RUNTIME=cuda is refused in a sentence" says 'RUNTIME=cuda: no NVIDIA GPU was found'
    expect "and ends with 3" ends_with 3
fi

# ---- no gnuplot ----
mkdir "$folder/bin"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = gnuplot ] || ln -s "$tool" "$folder/bin/" 2>/dev/null
done
PATH=$folder/bin run_make compare EX=split_softmax SUBMISSION="$folder/$split/chunk_in_registers"
expect "without gnuplot the comparison is made" says 'recorded: .*compare.json'
expect "and a sentence says that nothing was drawn" says 'gnuplot is not installed'
expect "and it ends well" ends_with 0

end_test
