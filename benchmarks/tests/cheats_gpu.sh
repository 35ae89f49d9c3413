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

# How it is reported. Usage: report NAME WORDS LINE, after the command that says whether it is so.
report() {
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
        echo "as it should be: $1: $3"
    else
        failed=$((failed + 1))
        printf 'not so: %s: %s\n' "$1" "$2"
        head -n 20 "$folder/table"
    fi
}

# expect NAME WORDS PATTERN: the first line of the table for R=4 matches.
expect() {
    local line
    measure "$1"
    line=$(grep -m 1 '^ *R=4 ' "$folder/table")
    grep -qE -e "$3" <<<"$line"
    report "$1" "$2" "$line"
}

# expect_full NAME WORDS FACTOR: a plain call of R=4 takes no less than FACTOR times what one in a graph takes, in the
# first case; or it is refused or wrong. The columns of the table: name, warm, min..max, cold, stream.
expect_full() {
    local line
    measure "$1"
    line=$(grep -m 1 '^ *R=4 ' "$folder/table")
    awk -v factor="$3" '{ found = 1; exit !($2 == "refused:" || $2 == "wrong:" || ($2 > 0 && $5 >= factor * $2)) } END { if (!found) exit 1 }' <<<"$line"
    report "$1" "$2" "$line"
}

timed='R=4 +[0-9]+\.[0-9]+ '
expect own_stream "refused: its graph is empty" 'refused: nothing of the call was on the stream'
expect own_stream_joined "timed, both streams" "$timed"
expect_full own_stream_joined "plain calls timed in full" 0.8
expect_full own_stream_uncaptured "plain calls on another stream timed in full, or none" 0.8
# 200 us each, of which none may run before the clock starts: 20 calls are held back for 200 us and more.
expect hidden_half "plain calls timed to the end of the other stream" "$timed.*\.\.[0-9.]+ +[0-9.]+ +(199|2[0-9][0-9])\."
expect waits_uncaptured "refused: it waits" 'refused: its calls cannot be issued ahead of the device'
expect slow_host "refused: the host takes too long" 'refused: its calls cannot be issued ahead of the device'
expect cached_result "refused or wrong" '(refused|wrong)[^0-9]'
expect address_cache "refused or wrong" '(refused|wrong)[^0-9]'
expect glance_cache "refused: a result is kept" 'refused: .*kept from one call to the next'
expect pinned_l2 "refused: it sets L2 aside" 'refused: .*L2 aside'
expect ten_calls "refused or wrong" '(refused|wrong)[^0-9]'
expect half_the_rows "wrong before it is timed" 'wrong: wrong before it was timed'
measure hanging_call
line=$(grep -m 1 'did not come to an end' "$folder/table")
[ -n "$line" ]
report hanging_call "a sentence, after a minute" "$line"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
