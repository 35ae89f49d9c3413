#!/usr/bin/env bash
# make test: runs the kit's own tests and adds up what they say. Last line: N passed, N failed.
#
# A test program is NAME_test.c (libcheck; its last summary "Checks: 5, Failures: 0, Errors: 0" counts) or NAME_test.sh
# (its last line "5 passed, 0 failed" counts), in a folder named tests. One that crashes, hangs, or fails without
# saying so is one failure more; one that says why it cannot run here and "0 passed, 0 failed" is named as not run, and a
# line "Not tested: ..." is shown. They run side by side, and the one that fills all processors by itself after them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

# The options of make check must not reach the checks that the tests make.
unset SCRIPT SUBMISSIONS LIMIT MEMORY SHARD FRESH SANDBOX INPUT OUTPUT SHAPE TYPE CHUNK ROWS_PER_BLOCK EX SOLUTION SUBMISSION RESULTS RUNTIME SEED SEEDS CASE STAGE SANITIZE
limit=1200                       # seconds for one program
export CK_TIMEOUT_MULTIPLIER=10 # libcheck gives a test 4 seconds by the clock: too few on a busy machine

# Runs one test program and prints what became of it: name, passed, failed, and its report where there is something to
# say. Usage: try NAME COMMAND...
try() {
    local name=$1 report=build/tests/$1.report status counts good=0 bad=0
    shift
    SECONDS=0
    timeout --kill-after=10 $limit "$@" >"$report" 2>&1 </dev/null
    status=$?
    counts=$(sed -nE \
        -e 's/.*Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+).*/\1 \2 \3/p' \
        -e 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$report" | tail -n 1 |
        awk 'NF == 3 { print $1 - $2 - $3, $2 + $3 } NF == 2 { print }')
    [ -n "$counts" ] && read -r good bad <<<"$counts"
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
        echo "$name did not end within $limit seconds" >>"$report"
        bad=$((bad + 1))
    elif [ $status -ge 128 ]; then
        echo "$name was ended by signal $((status - 128))" >>"$report"
        bad=$((bad + 1))
    elif [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "$name ended with status $status" >>"$report"
        bad=1
    elif [ "$counts" = "0 0" ]; then
        printf '         %-24s not run: ' "$name" >"$report.said"
        head -n 1 "$report" >>"$report.said"
        cat "$report.said"
        return
    elif [ -z "$counts" ]; then
        echo "$name did not say what it tested" >>"$report"
        bad=$((bad + 1))
    fi
    { # all at once, so that two programs do not mix their lines
        [ "$bad" -eq 0 ] && [ "${V:-}" != 1 ] || sed 's/^/    /' "$report"
        grep '^Not tested: ' "$report" | sed "s/^/         $name: /"
        printf '%5d s  %-24s %4d passed, %d failed\n' "$SECONDS" "$name" "$good" "$bad"
    } >"$report.said"
    cat "$report.said"
}

# A test program by its source.
try_source() {
    local name
    name=$(basename "${1%.*}")
    case $1 in
    *.c) try "$name" "build/tests/$name" ;;
    *) try "$name" bash "$1" ;;
    esac
}

if [ "${1:-}" = --one ]; then
    try_source "$2"
    exit 0
fi

mkdir -p build/tests
rm -f build/tests/*.report*
mapfile -t sources < <(find checker benchmarks -path '*/tests/*' \( -name '*_test.c' -o -name '*_test.sh' \) \
    -not -path '*/submissions/*' | LC_ALL=C sort)
if [ "${QUICK:-}" = 1 ]; then # a minute of nvcc, where there is one
    echo "QUICK=1: nvcc_test is left out."
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep -v '/nvcc_test\.sh$')
fi
mapfile -t programs < <(printf '%s\n' "${sources[@]}" | sed -n 's|.*/\(.*\)\.c$|build/tests/\1|p')
if ! (build "the kit and its tests" -f benchmarks/build.mk programs "${programs[@]}"); then
    echo "0 passed, 1 failed"
    exit 1
fi
printf '%s\n' "${sources[@]}" | grep -v '/submissions_test\.sh$' |
    xargs -P "$(nproc)" -n 1 bash checker/commands/test.sh --one
bash checker/commands/test.sh --one checker/tests/submissions_test.sh

# A source without a report was never run.
read -r passed failed < <(tail -q -n 1 build/tests/*.report.said |
    awk -v expected=${#sources[@]} '/ passed, [0-9]+ failed$/ { passed += $(NF - 3); failed += $(NF - 1) }
        END { print passed + 0, failed + (expected > NR ? expected - NR : 0) }')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
