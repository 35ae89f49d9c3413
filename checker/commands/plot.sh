#!/usr/bin/env bash
# make plot: draws a record of make bench again. EX=split_softmax takes results/local/split_softmax/bench.json;
# FILE=x.json any record, drawn beside it; A=x.json B=y.json lays the times of two over each other, in results/local.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh

results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
if [ -n "${A:-}" ] || [ -n "${B:-}" ]; then
    if [ -z "${A:-}" ] || [ -z "${B:-}" ]; then
        stop "Two records are laid over each other: make plot A=x.json B=y.json."
    fi
    mkdir -p "$results" || exit 3
    build "the plot program" -f benchmarks/build.mk build/plot
    build/plot --two "$results" "$(path_from "$invoked_in" "$A")" "$(path_from "$invoked_in" "$B")"
elif [ -n "${FILE:-}" ]; then
    EX=${EX:-none}
    draw_record "$(dirname "$(path_from "$invoked_in" "$FILE")")" "$(path_from "$invoked_in" "$FILE")"
else
    require_exercise plot
    require_measured plot
    [ -f "$results/$EX/bench.json" ] || stop "There is no record of $EX here yet: make bench EX=$EX makes one."
    beside=$results/$EX/solution-counts.json # of the same make bench
    [ -f "$beside" ] || beside=
    draw_record "$results/$EX" "$results/$EX/bench.json" "$beside"
fi
