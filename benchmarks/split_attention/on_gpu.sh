#!/usr/bin/env bash
# split_attention on a GPU, in one go: the solution is graded there, and timed beside reading k and v once and beside torch. Run it
# where the programs are built for the device (checker/commands/bundle.sh), or where they can be. OUT is a folder to
# keep the report and the record in.
#
#   OUT=folder bash benchmarks/split_attention/on_gpu.sh
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
out=${OUT:-results/local/split_attention_gpu}
mkdir -p "$out" || exit 3
status=0
timeout 120 make check EX=split_attention RUNTIME=cuda SOLUTION=1 RESULTS="$out/check" >"$out/check.txt" 2>&1 || status=$?
cat "$out/check.txt"
timeout 120 make bench EX=split_attention RUNTIME=cuda SOLUTION=1 RESULTS="$out/bench" >"$out/bench.txt" 2>&1 || status=$?
cat "$out/bench.txt"
exit $status
