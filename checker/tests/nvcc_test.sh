#!/usr/bin/env bash
# Every solution and every correct submission of checker/tests/submissions is CUDA C to nvcc too, without a warning in
# the solutions. What the simulator does not offer (submissions/*/gpu/*.patch) compiles, or is refused with the words
# that it names. Where nvcc is not installed it is seen only whether those patches fit.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh

# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
export NVCC_ARCHITECTURE=-arch=sm_90

compiles() { bash checker/compile_submission.sh "$1" "$2" "$3" cuda >"$3.log" 2>&1; }

# EXERCISE/gpu/NAME, in the folder $2: patched, and where there is nvcc, compiled as its head says.
try_patch() {
    local task=$1 exercise=${1%%/*} folder=$2/$1 patch=$submissions/$1.patch settings=()
    if ! submission_files "$task" "$folder"; then
        echo "FAILED $task: $(command -v patch >/dev/null && echo "the patch does not fit the solution any more" || echo "patch is not installed: run make setup")"
        return
    fi
    read -r -a settings < <(head_of Environment "$patch")
    [ ${#settings[@]} -eq 0 ] || export "${settings[@]?}"
    if ! command -v nvcc >/dev/null; then
        echo "passed $task"
    elif compiles "$exercise" "$folder" "$folder.out"; then
        [ "$(head_of Status "$patch")" = uncompiled ] && echo "FAILED $task: it was to be refused, and was not" || echo "passed $task"
    elif [ "$(head_of Status "$patch")" = uncompiled ] && grep -qE -e "$(head_of Message "$patch")" "$folder.out.log"; then
        echo "passed $task"
    else
        echo "FAILED $task: it does not compile, or is refused for another reason"
        sed 's/^/    /' "$folder.out.log"
    fi
}

# EXERCISE/solution or EXERCISE/correct/NAME, compiled in the folder $2.
try() {
    local task=$1 exercise=${1%%/*} folder=$2/$1
    if [[ $task = */gpu/* ]]; then
        try_patch "$@"
        return
    fi
    if [ "$task" = "$exercise/solution" ]; then
        folder=solutions/$exercise
    elif [ -d "solutions/$task" ]; then
        folder=solutions/$task
    else
        submission_files "$task" "$folder"
    fi
    mkdir -p "$(dirname "$2/$task")"
    if compiles "$exercise" "$folder" "$2/$task.out"; then
        echo "passed $task"
    else
        echo "FAILED $task: nvcc does not take it"
        sed 's/^/    /' "$2/$task.out.log"
    fi
}

if [ "${1:-}" = --one ]; then
    try "$2" "$3"
    exit 0
fi

tasks() {
    local exercise folder
    (cd "$submissions" && ls -d -- */gpu/*.patch) | sed 's/\.patch$//'
    command -v nvcc >/dev/null || return 0
    for exercise in $(exercises simulator); do
        echo "$exercise/solution"
        for folder in solutions/"$exercise"/*/ "$submissions/$exercise"/correct/*/; do
            folder=${folder%/}
            [ -z "$(ls "$folder" 2>/dev/null)" ] || echo "${folder#*"${folder%%"$exercise"*}"}"
        done
    done
}

if command -v nvcc >/dev/null; then
    bash -c 'source checker/commands/common.sh; build "the runner for a GPU" build/runner-cuda build/instrument build/remarks' || exit 1
else
    echo "Not tested: nvcc is not on the PATH, so nothing was compiled for a GPU."
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tasks | xargs -P "$(nproc)" -I TASK bash checker/tests/nvcc_test.sh --one TASK "$work" >"$work/results"
grep -v '^passed' "$work/results"
failed=$(grep -c '^FAILED' "$work/results")
passed=$(grep -c '^passed' "$work/results")
[ "$passed" -gt 0 ] || failed=$((failed + 1))
end_test
