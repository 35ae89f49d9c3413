#!/usr/bin/env bash
# make run and make watch: what they say and how they end, on the solutions, on the kernel of lesson 00 and on stubs.
# Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
export RUNTIME=simulator
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
run() {
    said=$(make run "$@" 2>&1 </dev/null)
    status=$?
}
one_line() { [ "$(wc -l <<<"$said")" -eq 1 ]; }

# ---- right and wrong ----
for type in FP32 FP16 BF16; do
    run EX=split_softmax SOLUTION=1 SHAPE=3x1025 CHUNK=256 TYPE=$type OUTPUT="$folder/$type.npy"
    expect "the solution is right in $type" ends_with 0
    expect "and says so of all rows in $type" says "^3 of 3 rows are right\.$"
    expect "and writes 3 x 1025 in $type" grep -aq "'shape': (3, 1025)" "$folder/$type.npy"
done
run EX=fused_softmax SOLUTION=1 INPUT="$folder/FP16.npy" CHUNK=4 # fused_softmax ends at 1024 columns
expect "what the contract refuses is told" says "refused with cudaErrorInvalidValue, as the contract asks: a row has at most 1024 columns"
run EX=split_softmax SOLUTION=1 INPUT="$folder/BF16.npy" TYPE=BF16
expect "what was written is read: BF16" says "^3 of 3 rows are right\.$"
run EX=split_softmax SOLUTION=1 INPUT="$folder/BF16.npy"
expect "16-bit whole numbers are asked about" says "If they are BF16, say TYPE=BF16"
expect "in one line" one_line
run EX=online_softmax SOLUTION=1 INPUT="$folder/FP32.npy" CHUNK=7 OUTPUT="$folder/y.npy"
expect "FP32 is given to online_softmax as FP64" says "FP64, chunk 7"
expect "online_softmax is right" says "^3 of 3 rows are right\.$"
run EX=fused_softmax SUBMISSION=docs/first_kernel SHAPE=2x5
expect "the kernel of lesson 00 is wrong in every row" says "^0 of 2 rows are right\.$"
expect "its numbers stand beside the right ones" says "^ +right "
expect "a wrong result ends with 1" ends_with 1
mkdir "$folder/past"
sed 's/col < cols/col <= cols/' docs/first_kernel/fused_softmax.cu >"$folder/past/fused_softmax.cu"
run EX=fused_softmax SUBMISSION="$folder/past" SHAPE=1x33
expect "what the simulator finds is told with its line" says "fused_softmax\.cu:[0-9]+"
expect "and ends with 1" ends_with 1

mkdir "$folder/lanes"
sed 's/value = fmaxf(value, __shfl/if (threadIdx.x < 16) &/' docs/first_kernel/fused_softmax.cu >"$folder/lanes/fused_softmax.cu"
run EX=fused_softmax SUBMISSION="$folder/lanes" SHAPE=2x5
expect "wrong numbers are explained by lanes that were not there" says "lane"

# ---- what cannot be run ----
mkdir "$folder/stub"
sed 's/^int softmax_streaming.*{$/&\n    return 38; \/\/ ENOSYS/' solutions/online_softmax/online_softmax.c >"$folder/stub/online_softmax.c"
run EX=online_softmax SUBMISSION="$folder/stub" SHAPE=2x3
expect "a stub ends with 2" ends_with 2
echo "1 2 3" >"$folder/no.npy"
run EX=online_softmax SOLUTION=1 INPUT="$folder/no.npy"
expect "a file that is none is told" says "no\.npy is no \.npy file"
expect "it ends with 3" ends_with 3
run EX=row_reduction SOLUTION=1 SHAPE=2x5
expect "an exercise without an operator is told" says "row_reduction has no function that makes y of x"
expect "it ends with 3" ends_with 3
for wrong in SHAPE=4 SHAPE=4x SHAPE=-1x4 SHAPE=99999999x99999999 "INPUT=$folder/none.npy" "SHAPE=2x2 TYPE=FP8" "SHAPE=2x2 CHUNK=x" ""; do
    read -ra words <<<"$wrong"
    run EX=split_softmax SOLUTION=1 "${words[@]}"
    expect "'$wrong' ends with 3" ends_with 3
    expect "'$wrong' takes one line" one_line
done

# ---- watch ----
mkdir "$folder/work"
cp "$folder/stub/online_softmax.c" "$folder/work/"
set -m # a process group of its own, as a terminal gives one to a command
RESULTS=$folder/results make watch EX=online_softmax SUBMISSION="$folder/work" >"$folder/watched" 2>&1 </dev/null &
watch=$!
shows() { # words within a minute
    local tenths
    for ((tenths = 0; tenths < 600; tenths++)); do
        grep -qE -e "$1" "$folder/watched" && return
        sleep 0.1
    done
    said=$(cat "$folder/watched")
    return 1
}
expect "make watch checks what is there" shows '^Score: 65 of 100'
expect "and says what is next" shows '^Next: streaming'
cp solutions/online_softmax/online_softmax.c "$folder/work/"
expect "make watch checks what was saved" shows '^Score: 100 of 100'
expect "and how the score has changed" shows '^It was 65 before'
kill -0 $watch 2>/dev/null && pass || fail "make watch ended by itself"
kill -INT -- -$watch
wait $watch
status=$?
set +m
expect "it ends with 130" ends_with 130
expect "it says that it has ended" shows "No longer watching"

# A make that is killed from outside leaves nothing behind that goes on watching.
RESULTS=$folder/results make watch EX=online_softmax SUBMISSION="$folder/work" >"$folder/watched" 2>&1 </dev/null &
watch=$!
expect "make watch begins again" shows '^Score: 100 of 100'
below=$(cat "/proc/$watch/task/$watch/children")
below=${below%% *}
script=$(cat "/proc/$below/task/$below/children")
kill -KILL "$below" $watch
wait $watch
for ((tenths = 0; tenths < 100; tenths++)); do
    kill -0 "${script%% *}" 2>/dev/null || break
    sleep 0.1
done
gone() { ! kill -0 "${script%% *}" 2>/dev/null; }
expect "the script ends with its make" gone
end_test
