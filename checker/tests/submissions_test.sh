#!/usr/bin/env bash
# Tests of the suites: grades the submissions in checker/tests/submissions/, and lists them in docs/submissions.md, which
# says what they are and how one is added.
#
#   submissions_test.sh [PATTERN]    those whose exercise/kind/name matches, such as 'split_softmax/faulty/*'
#
# SEEDS=20 grades each with each of the seeds 1 to 20. QUICK=1 takes only one faulty submission for every third check, and every
# eighth fraud. ALL=1 grades the faulty ones by every check, and says which others find them.
#
# A run over all of them, or with SEEDS, writes the rows of what it graded; any other expects the list to be true.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
# shellcheck source=checker/tests/submission_grading.sh
source checker/tests/submission_grading.sh
seeds=${SEEDS:-1}
# shellcheck source=checker/tests/submissions_list.sh
source checker/tests/submissions_list.sh

# With seed $1 a submission with a fault, or a fraud: says in what its head is not right, or nothing.
judge_faulty() {
    local found
    grade "$check" "$1"
    mapfile -t found < <(outcome_of "$check" "$folder.out/check.json")
    if ! [[ ${found[0]:-} =~ ^($statuses)$ ]] || ! grep -qE -e "$message" <<<"${found[1]:-}"; then
        echo "$check should end with $statuses and say '$message', but it was ${found[0]:-not run}:"
        echo "    ${found[1]:-$(cat "$folder.out/report")}"
        return
    fi
    if [ -n "$absent" ] && grep -qE -e "$absent" <<<"${found[1]:-}"; then
        echo "$check should not say '$absent': ${found[1]}"
        return
    fi
    [ -n "$intact" ] || return
    grade "$intact" "$1"
    mapfile -t found < <(outcome_of "$intact" "$folder.out/check.json")
    [ "${found[0]:-}" = pass ] && return
    echo "$intact should pass all the same, but it was ${found[0]:-not run}:"
    echo "    ${found[1]:-$(cat "$folder.out/report")}"
}

# One submission, EXERCISE/correct/NAME, EXERCISE/faulty/NAME or EXERCISE/fraud/NAME. Says "passed" or what is wrong with it.
try() {
    local task=$1 exercise=${1%%/*} folder=$2/$1 patch=$submissions/$1.patch judge=judge_faulty
    local check='' statuses='' message='' intact='' absent='' seed said first='' wrong=()
    if [ -d "$submissions/$task" ]; then
        judge=judge_correct
    else
        check=$(head_of Expect "$patch") statuses=$(head_of Status "$patch") message=$(head_of Message "$patch")
        intact=$(head_of Intact "$patch") absent=$(head_of Absent "$patch")
        if [ -z "$check" ] || [ -z "$statuses" ] || [[ $message = '' || $message = . ]]; then
            echo "FAILED $task: its head does not say which check finds it, with which status and what message"
            return
        fi
    fi
    if ! submission_files "$task" "$folder"; then
        echo "FAILED $task: $(command -v patch >/dev/null && echo "the patch does not fit the solution any more" || echo "patch is not installed: run make setup")"
        return
    fi
    bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" >/dev/null 2>&1
    for ((seed = 1; seed <= seeds; seed++)); do
        said=$($judge $seed)
        [ -n "$said" ] && wrong+=("$seed") && first=${first:-$said}
    done
    if [ "${ALL:-}" = 1 ] && [ $judge = judge_faulty ]; then
        grade '*' 1
        echo "$task: $(others "$folder.out/check.json")"
    fi
    if [ ${#wrong[@]} -eq 0 ]; then
        echo "passed $task"
    elif [ "$seeds" -eq 1 ]; then
        echo "FAILED $task: $first"
    else
        echo "FAILED $task, with ${#wrong[@]} of $seeds seeds (${wrong[*]}): $first"
    fi
    rm -rf "$folder" "$folder.out"
}

if [ "${1:-}" = --one ]; then
    try "$3" "$2"
    exit 0
fi

pattern=${1:-*}
[[ $seeds =~ ^[1-9][0-9]{0,4}$ ]] || { echo "SEEDS is how many seeds to try, from 1 to 99999, not '$seeds'." && exit 1; }
bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The whole suite, on what is right, takes longest: it comes first.
find $submissions -mindepth 3 -maxdepth 3 \( -path '*/correct/*' -o -path '*/faulty/*.patch' -o -path '*/fraud/*.patch' \) |
    sed -e "s|^$submissions/||" -e 's|\.patch$||' | LC_ALL=C sort -t / -k 2,2 -k 1,1r -k 3,3 >"$work/every"
while read -r task; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in $pattern) echo "$task" ;; esac
done <"$work/every" >"$work/tasks"
# One faulty submission for every third check: the first that says it expects this one.
if [ "${QUICK:-}" = 1 ]; then
    mv "$work/tasks" "$work/matching"
    while read -r task; do
        case $task in
        */faulty/*) echo "$task ${task%%/*}/$(head_of Expect "$submissions/$task.patch")" ;;
        *) echo "$task" ;;
        esac
    done <"$work/matching" | awk 'NF == 1 && (!/\/fraud\// || frauds++ % 8 == 0) || NF == 2 && !seen[$2]++ && checks++ % 3 == 0 { print $1 }' >"$work/tasks"
    echo "QUICK=1: $(wc -l <"$work/tasks") of $(wc -l <"$work/matching") submissions. make test grades all of them."
fi
xargs -a "$work/tasks" -P "$(nproc)" -n 1 bash "$0" --one "$work" >"$work/results"
grep -v '^passed ' "$work/results"
passed=$(grep -c '^passed ' "$work/results")
failed=$(($(wc -l <"$work/tasks") - passed))

if [ -n "${SEEDS:-}" ] || cmp -s "$work/tasks" "$work/every"; then
    list_write
elif list_is_true; then
    pass
else
    failed=$((failed + 1))
fi
end_test
