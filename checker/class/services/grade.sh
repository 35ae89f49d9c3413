#!/usr/bin/env bash
# One submission for a service:  grade.sh SERVICE EXERCISE SUBMISSION LIMIT [SEED] >RESULT
#
# LIMIT: seconds, some less than the service gives, so that what was graded by then is kept. Without SEED each run draws one: a
# fresh seed does what hidden tests are for, and the result names it. Ends with 0 when there is a result, whatever its grade.
set -uo pipefail
service=$1 exercise=$2 submission=$3 limit=$4 seed=${5:-}
cd "$(dirname "$0")/../../.." || exit 3
[ -n "$seed" ] || seed=$(($(od -An -N4 -tu4 /dev/urandom) % 1000000 + 1))
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
note=
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES SOLUTION CASE STAGE SEEDS
timeout --kill-after=5 "$limit" make check EX="$exercise" SUBMISSION="$submission" RESULTS="$work" SEED="$seed" \
    >"$work/report" 2>&1 </dev/null
status=$?
cat "$work/report" >&2
case $status in
0 | 1 | 2) ;;
124 | 137) note="It was stopped after $limit seconds; what was not graded by then has no points." ;;
3) note=$(head -n 3 "$work/report") ;; # a file is missing, say
*) exit 3 ;;
esac
if ! [ -s "$work/$exercise/check.json" ]; then # nothing was graded: every check with no points, and why
    [ -n "$note" ] || exit 3
    printf '%s\n' "$note" >"$work/why"
    mkdir -p "$work/$exercise"
    build/checker --exercise "$exercise" --implementation submission --submission "$work/none.so" --source "$submission" \
        --runner build/runner-host --output "$work/$exercise/check.json" --compile-log "$work/why" --seed "$seed" >/dev/null 2>&1
fi
build/class results "$service" "$work/$exercise/check.json" "$note"
