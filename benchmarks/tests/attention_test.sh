#!/usr/bin/env bash
# make bench EX=split_attention without a GPU: what is counted, and what is not measured. What a GPU would run is compiled, where nvcc
# is found.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION SUBMISSION SHAPES SAMPLES SEED RUNTIME

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
run_make() {
    said=$(RESULTS="$folder/results" make "$@" 2>&1 </dev/null)
    status=$?
}
record=$folder/results/split_attention/attention.json
# counted CHUNK TYPE FIELD: of the one shape that was measured; a variant is a line of the record.
counted() {
    sed -n "/\"type\": \"$2\"/,/\]}/p" "$record" | sed -nE "s/.*\"chunk\": $1,.*\"$3\": ([0-9]+).*/\1/p"
}
equal() { [ "$1" = "$2" ]; }

run_make bench EX=split_attention SOLUTION=1 RUNTIME=simulator SHAPES=2x300x64
expect "the solution is counted" ends_with 0
expect "it says whose files are measured" says 'solutions/split_attention'
# 2 heads of 300 keys of 64 numbers; 5, 2 and 1 chunks of 66 floats each.
for type in FP32 FP16 BF16; do
    bytes=$([ $type = FP32 ] && echo 153600 || echo 76800)
    for chunk in 64 256 1024; do
        states=$((4 * 2 * ((300 + chunk - 1) / chunk) * 66))
        expect "k is read once, $type, chunk $chunk" equal "$bytes" "$(counted $chunk $type k_bytes_read)"
        expect "v is read once, $type, chunk $chunk" equal "$bytes" "$(counted $chunk $type v_bytes_read)"
        expect "no more than the states is written, $type, chunk $chunk" equal "$states" "$(counted $chunk $type other_bytes_written)"
        expect "the scratch is the plan's, $type, chunk $chunk" equal "$states" "$(counted $chunk $type scratch_bytes)"
    done
done

submission_files split_attention/faulty/not_divided "$folder/wrong"
run_make bench EX=split_attention SUBMISSION="$folder/wrong" RUNTIME=simulator SHAPES=1x70x64
expect "wrong numbers are not counted" says 'should be|is expected'
expect "and then nothing is measured" ends_with 3
run_make bench EX=split_attention RUNTIME=simulator SHAPES=1x70x64
expect "of the stubs nothing is counted" says 'not written yet'
run_make bench EX=split_attention SOLUTION=1 RUNTIME=simulator SHAPES=1x70x65
expect "a dim that there is not" says 'dim 64 or 128'
expect "is refused" ends_with 3
for command in map compare run; do
    run_make $command EX=split_attention SOLUTION=1
    expect "make $command says that it is not for it" says "make $command is for exercises that make a matrix y"
    expect "make $command ends with 3" ends_with 3
done

if command -v nvcc >/dev/null; then
    said=$(NVCC_ARCHITECTURE=-arch=sm_90 make -s -f checker/build.mk -f benchmarks/build.mk build/attention-times 2>&1)
    expect "the program of times compiles" [ -x build/attention-times ]
fi
end_test
