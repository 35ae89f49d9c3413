#!/usr/bin/env bash
# Correct code as other people write it, and its faulty twins: grades the submissions in checker/tests/constructs, of which
# each has to get all points in silence, and those in checker/tests/constructs_faulty, which their expect.txt describes.
#
#   constructs_test.sh [PATTERN]    those whose folder/exercise/name matches, such as 'constructs/fused_softmax/*'
#
# QUICK=1 grades every fourth. Those in constructs_open.txt are expected to come out wrong.
#
# expect.txt has two lines: "reject: CHECK: why", where CHECK is the check that has to fail, or "compile"; and
# "says: REGEX", which the message of that check, or the compiler's, has to match.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
# shellcheck source=checker/tests/submission_grading.sh
source checker/tests/submission_grading.sh

# A faulty submission: says in what its expect.txt is not right, or nothing.
judge_expected() {
    local expectation=$submissions/$task/expect.txt check message found
    check=$(sed -nE 's/^reject: ([a-z_.]+): .*/\1/p' "$expectation")
    message=$(sed -n 's/^says: //p' "$expectation")
    if [ -z "$check" ] || [ -z "$message" ]; then
        echo "its expect.txt does not name a check and what it says"
    elif [ "$check" = compile ]; then
        [ -e "$folder.out/submission.so" ] && echo "the compiler should refuse it, and did not" && return
        grep -qE -e "$message" "$folder.out/compile.log" || {
            echo "the compiler should say '$message':"
            head -n 5 "$folder.out/compile.log"
        }
    else
        grade "$check" 1
        mapfile -t found < <(outcome_of "$check" "$folder.out/check.json")
        [ "${found[0]:-}" != pass ] && [ -e "$folder.out/submission.so" ] && grep -qE -e "$message" <<<"${found[1]:-}" && return
        echo "$check should fail and say '$message', but it was ${found[0]:-not run}:"
        echo "    ${found[1]:-$(head -n 12 "$folder.out/report")}"
    fi
}

# FOLDER/EXERCISE/NAME: says "passed" or what is wrong.
try() {
    local kind=${1%%/*} task=${1#*/} folder=$2/$1 exercise said words
    exercise=${task%%/*} submissions=checker/tests/$kind
    submission_files "$task" "$folder"
    bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" >/dev/null 2>&1
    if [ "$kind" = constructs ]; then
        said=$(judge_correct 1)
    else
        said=$(judge_expected)
    fi
    words=$(open_words "$1")
    if [ -n "$words" ] && [ -z "$said" ]; then
        echo "FAILED $1: it comes out right: take it off constructs_open.txt"
    elif [ -n "$words" ] && ! grep -qF -e "$words" <<<"$said"; then
        echo "FAILED $1: it is said to say '$words', but: $said"
    elif [ -z "$words" ] && [ -n "$said" ]; then
        echo "FAILED $1: $said"
    else
        echo "passed $1"
    fi
    rm -rf "$folder" "$folder.out"
}

if [ "${1:-}" = --one ]; then
    try "$2" "$3"
    exit 0
fi
pattern=${1:-*}
bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
(cd checker/tests && find constructs constructs_faulty -mindepth 2 -maxdepth 2 -type d | LC_ALL=C sort) | while read -r task; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in $pattern) echo "$task" ;; esac
done | awk -v quick="${QUICK:-}" "quick != 1 || NR % 4 == 1" | xargs -P 2 -I TASK bash checker/tests/constructs_test.sh --one TASK "$work" >"$work/results"
grep -v '^passed ' "$work/results"
passed=$(grep -c '^passed ' "$work/results")
failed=$(grep -c '^FAILED ' "$work/results")

# The list names what there is.
listed() { grep -oE "^\\| \\[[a-z]+_softmax/[a-z0-9_]+\\]" checker/tests/constructs/README.md | tr -d "| []" | LC_ALL=C sort; }
there() { (cd checker/tests && find constructs constructs_faulty -mindepth 2 -maxdepth 2 -type d) | sed -E "s|^[a-z_]+/||" | LC_ALL=C sort; }
said=$(diff <(listed) <(there))
expect "checker/tests/constructs/README.md lists every submission" [ -z "$said" ]
end_test
