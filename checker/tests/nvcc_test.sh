#!/usr/bin/env bash
# Every solution and every correct submission of checker/tests/submissions is CUDA C to nvcc too, without a warning in
# the solutions. Where nvcc is not installed there is nothing to try, and the test says so.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

if ! command -v nvcc >/dev/null; then
    echo "nvcc is not on the PATH: that the submissions compile for a GPU was not tested."
    echo "0 passed, 0 failed"
    exit 0
fi
export NVCC_ARCHITECTURE=-arch=sm_90

# EXERCISE/solution or EXERCISE/correct/NAME, compiled in the folder $2.
try() {
    local task=$1 exercise=${1%%/*} folder=$2/$1
    if [ "$task" = "$exercise/solution" ]; then
        folder=solutions/$exercise
    elif [ -d "solutions/$task" ]; then
        folder=solutions/$task
    else
        mkdir -p "$folder"
        cp "solutions/$exercise"/*.c "solutions/$exercise"/*.cu "$folder" 2>/dev/null
        cp "checker/tests/submissions/$task"/* "$folder"
    fi
    if bash checker/compile_submission.sh "$exercise" "$folder" "$2/$task.out" cuda >"$2/log.$$" 2>&1; then
        echo "passed $task"
    else
        echo "FAILED $task: nvcc does not take it"
        sed 's/^/    /' "$2/log.$$"
    fi
}

if [ "${1:-}" = --one ]; then
    try "$2" "$3"
    exit 0
fi

bash -c 'source checker/commands/common.sh; build "the runner for a GPU" build/runner-cuda build/translate' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for exercise in fused_softmax split_softmax; do
    echo "$exercise/solution"
    for folder in solutions/"$exercise"/*/ checker/tests/submissions/"$exercise"/correct/*/; do
        folder=${folder%/}
        [ -z "$(ls "$folder" 2>/dev/null)" ] || echo "${folder#*"${folder%%"$exercise"*}"}"
    done
done | xargs -P "$(nproc)" -I TASK bash checker/tests/nvcc_test.sh --one TASK "$work" >"$work/results"
grep -v '^passed' "$work/results"
failed=$(grep -c '^FAILED' "$work/results")
passed=$(grep -c '^passed' "$work/results")
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
