#!/usr/bin/env bash
# Submissions that cheat the clock, on a GPU: each is refused, found wrong, or timed in full. Needs build/bench-cuda;
# compiles the submissions where build/bench-cheats does not hold them. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
passed=0
failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Times a submission; its table is in $folder/table.
measure() {
    local library=build/bench-cheats/$1/submission.so
    [ -f "$library" ] ||
        bash benchmarks/compile_cuda.sh fused_softmax "benchmarks/tests/submissions/$1" "build/bench-cheats/$1" >/dev/null
    build/bench-cuda --exercise fused_softmax --implementation submission --submission "$library" --shapes 256x512 \
        --samples 15 --output "$folder/bench.json" >"$folder/table" 2>&1
}

# expect NAME WORDS PATTERN: the first line of the table for R=4 matches.
expect() {
    local name=$1 words=$2 pattern=$3 line
    measure "$name"
    line=$(grep -m 1 '^ *R=4 ' "$folder/table")
    if grep -qE -e "$pattern" <<<"$line"; then
        passed=$((passed + 1))
        echo "as it should be: $name: $line"
    else
        failed=$((failed + 1))
        printf 'not so: %s: %s\n' "$name" "$words"
        head -n 20 "$folder/table"
    fi
}

timed='R=4 +[0-9]+\.[0-9]+ '
expect own_stream "refused: its graph is empty" 'refused: nothing of the call was on the stream'
expect own_stream_joined "timed, both streams" "$timed"
expect hidden_half "plain calls timed to the end of the other stream" "$timed.*\.\.[0-9.]+ +[0-9.]+ +(1[0-9][0-9]|2[0-9][0-9])\."
expect cached_result "refused or wrong" '(refused|wrong)[^0-9]'
expect address_cache "refused or wrong" '(refused|wrong)[^0-9]'
expect glance_cache "refused: a result is kept" 'refused: .*kept from one call to the next'
expect pinned_l2 "refused: it sets L2 aside" 'refused: .*L2 aside'
expect ten_calls "refused or wrong" '(refused|wrong)[^0-9]'
expect half_the_rows "wrong before it is timed" 'wrong: wrong before it was timed'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
