#!/usr/bin/env bash
# Every submission of checker/tests/constructs compiles with nvcc and links to the functions of its contract: its constructs
# are CUDA C, whatever the simulator makes of them. Where nvcc is not installed, nothing is tested, and that is said.
#
#   constructs_nvcc.sh [PATTERN]    those whose exercise/name matches, such as 'split_softmax/*'
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
submissions=checker/tests/constructs
export NVCC_ARCHITECTURE=-arch=sm_90

try() {
    local task=$1 exercise=${1%%/*} folder=$2/$1 words
    words=$(open_words "nvcc/$task")
    submission_files "$task" "$folder"
    if bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" cuda >"$folder.log" 2>&1; then
        [ -z "$words" ] && echo "passed $task" || echo "FAILED $task: it compiles now: take it off constructs_open.txt"
    elif [ -n "$words" ] && grep -qF -e "$words" "$folder.log"; then
        echo "passed $task"
    else
        echo "FAILED $task: nvcc does not take it"
        grep -v 'warning' "$folder.log" | head -n 12 | sed "s|$folder/||; s/^/    /"
    fi
    rm -rf "$folder" "$folder.out"
}

if [ "${1:-}" = --one ]; then
    try "$2" "$3"
    exit 0
fi
if ! command -v nvcc >/dev/null; then
    echo "Not tested: nvcc is not on the PATH."
    exit 0
fi
bash -c 'source checker/commands/common.sh; build "the runner for a GPU" build/runner-cuda build/instrument build/remarks' || exit 1
pattern=${1:-*}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
(cd "$submissions" && ls -d -- */*/) | sed 's|/$||' | while read -r task; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in $pattern) echo "$task" ;; esac
done | xargs -P 2 -I TASK bash checker/tests/constructs_nvcc.sh --one TASK "$work" >"$work/results"
grep -v '^passed' "$work/results"
failed=$(grep -c '^FAILED' "$work/results")
passed=$(grep -c '^passed' "$work/results")
end_test
