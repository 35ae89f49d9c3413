#!/usr/bin/env bash
# What a faulty submission is told first, by the whole report: checker/tests/told.txt holds, for each, the check that is told
# first, how well it says what is wrong (names: it names the mistake; lists: among other causes; vague; misleads), and words that
# have to be there. A change of a check or a text that makes one worse fails here. Between tabs, a line each.
#
# EXERCISE/faulty/NAME is one of checker/tests/submissions/; EXERCISE/told/NAME a patch in checker/tests/told/, of a mistake
# whose words were once wrong.
#
#   told_test.sh [PATTERN]    those whose exercise/kind/name matches
#
# QUICK=1 grades every 40th; all the same, every faulty submission has to have its line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
list=checker/tests/told.txt

# Puts the files of the submission $1 into the folder $2.
files_of() {
    [[ $1 = */told/* ]] || {
        submission_files "$1" "$2"
        return
    }
    mkdir -p "$2"
    cp "solutions/${1%%/*}"/*.c "solutions/${1%%/*}"/*.cu "$2" 2>/dev/null
    patch -s -d "$2" -p1 <"checker/tests/told/${1/\/told/}.patch" >"$2.log" 2>&1
}

# The first failure of the submission $1, from its heading to the next blank line, in one line. $2: a folder for it.
first_told() {
    local exercise=${1%%/*} folder=$2/$1 runner=simulator
    [ "$exercise" = online_softmax ] && runner=host
    files_of "$1" "$folder" || return 1
    bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" >/dev/null 2>&1
    build/checker --exercise "$exercise" --implementation submission --submission "$folder.out/submission.so" \
        --source "$folder" --runner "build/runner-$runner" --compile-log "$folder.out/compile.log" --seed 1 --jobs 1 \
        --output "$folder.out/check.json" >"$folder.out/report" 2>&1
    awk '/^(FAIL|CRASH|TIME ) /{ inside = 1 } inside && !NF { exit } inside' "$folder.out/report" | tr -s ' \n' ' '
    rm -rf "$folder" "$folder.out"
}

# One line of the list: says "passed" or what is wrong.
try() {
    local task check class words said
    IFS=$'\t' read -r task check class words < <(grep -P "^\Q$1\E\t" $list)
    if ! [[ $class =~ ^(names|lists|vague|misleads)$ ]] || [ -z "$words" ]; then
        echo "FAILED $task: its line has no class or no words"
        return
    fi
    said=$(first_told "$task" "$2")
    if [[ $said != *" $check: "* ]] || ! grep -qE -e "$words" <<<"$said"; then
        echo "FAILED $task is told something else first than $check, '$words': $said"
    else
        echo "passed $task"
    fi
}

if [ "${1:-}" = --one ]; then
    try "$3" "$2"
    exit 0
fi

bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
while IFS=$'\t' read -r task _; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in ${1:-*}) echo "$task" ;; esac
done < <(grep -v '^#' $list) >"$work/tasks"
if [ "${QUICK:-}" = 1 ]; then
    mv "$work/tasks" "$work/matching"
    awk 'NR % 40 == 1' "$work/matching" >"$work/tasks"
    echo "QUICK=1: $(wc -l <"$work/tasks") of $(wc -l <"$work/matching") first failures."
fi
xargs -a "$work/tasks" -P "$(nproc)" -n 1 bash "$0" --one "$work" >"$work/results"
while read -r result said; do
    if [ "$result" = passed ]; then pass; else fail "$said"; fi
done <"$work/results"

# The list is whole, of the exercises that are in it, and as good as it was said to be: 95 of 100 are named or listed, and nothing misleads.
find checker/tests/submissions/*/faulty checker/tests/told -name '*.patch' | sed -E 's|.*/submissions/||; s|checker/tests/told/([^/]*)|\1/told|; s|\.patch$||' |
    grep -F -f <(grep -v "^#" $list | cut -d / -f 1 | sort -u | sed "s|$|/|") | LC_ALL=C sort >"$work/every"
grep -v '^#' $list | cut -f 1 | LC_ALL=C sort >"$work/listed"
if cmp -s "$work/every" "$work/listed"; then
    pass
else
    fail "told.txt does not hold each faulty submission once:" "$(diff "$work/every" "$work/listed" | grep '^[<>]' | head -n 10)"
fi
counts=$(awk -F '\t' '!/^#/ { n[$3]++; all++ } END { printf "names %d, lists %d, vague %d, misleads %d, of %d", n["names"], n["lists"],
    n["vague"], n["misleads"], all; exit !(n["misleads"] == 0 && n["names"] + n["lists"] >= 0.95 * all) }' $list)
good=$?
echo "told first: $counts"
if [ $good = 0 ]; then pass; else fail "fewer than 95 of 100 are named or listed, or one misleads: $counts"; fi
end_test
