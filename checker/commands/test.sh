#!/usr/bin/env bash
# make test: runs the kit's own tests and adds up what they say. Last line: N passed, N failed.
#
# A test program is NAME_test.c (libcheck; its last summary "Checks: 5, Failures: 0, Errors: 0" counts) or NAME_test.sh
# (its last line "5 passed, 0 failed" counts), in checker/tests/ or checker/simulator/tests/. One that crashes, hangs,
# or fails without saying so is one failure more.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

# The options of make check must not reach the checks that the tests make.
unset EX SOLUTION SUBMISSION RESULTS RUNTIME SEED SEEDS CASE STAGE
passed=0
failed=0
report=build/tests/report
limit=900 # seconds for one program

# Runs one test program. Usage: try NAME COMMAND...
try() {
    local name=$1 status counts good=0 bad=0
    shift
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
    elif [ -z "$counts" ] || [ $((good + bad)) -eq 0 ]; then
        echo "$name did not say what it tested" >>"$report"
        bad=$((bad + 1))
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    if [ "$bad" -ne 0 ] || [ "${V:-}" = 1 ]; then
        sed 's/^/    /' "$report"
    fi
    printf '  %-28s %4d passed, %d failed\n' "$name" "$good" "$bad"
}

mkdir -p build/tests
if ! (build "the kit and its tests" tests); then
    echo "0 passed, 1 failed"
    exit 1
fi
for source in checker/tests/*_test.c checker/simulator/tests/*_test.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    try "$name" "build/tests/$name"
done
for script in checker/simulator/tests/*_test.sh checker/tests/*_test.sh; do
    [ -e "$script" ] || continue
    try "$(basename "$script" .sh)" bash "$script"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
