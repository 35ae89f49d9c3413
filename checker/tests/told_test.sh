#!/usr/bin/env bash
# What a faulty submission is told first, by the whole report: checker/tests/told.txt holds, for each, the check that is told
# first, how well it says what is wrong (names: it names the mistake; lists: among other causes; vague; misleads), and words that
# have to be there. A change of a check or a text that makes one worse fails here. Between tabs, a line each.
#
#   told_test.sh [PATTERN]    those whose exercise/faulty/name matches
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# The first failure of the submission $1, from its heading to the next blank line, in one line.
first_told() {
    local exercise=${1%%/*} folder=$work/submission runner=simulator
    [ "$exercise" = online_softmax ] && runner=host
    rm -rf "$folder" "$folder.out"
    submission_files "$1" "$folder" || return 1
    bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" >/dev/null 2>&1
    build/checker --exercise "$exercise" --implementation submission --submission "$folder.out/submission.so" \
        --source "$folder" --runner "build/runner-$runner" --compile-log "$folder.out/compile.log" --seed 1 \
        --output "$folder.out/check.json" >"$folder.out/report" 2>&1
    awk '/^(FAIL|CRASH|TIME ) /{ inside = 1 } inside && !NF { exit } inside' "$folder.out/report" | tr -s ' \n' ' '
}

bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
while IFS=$'\t' read -r task check class words; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in ${1:-*}) ;; *) continue ;; esac
    said=$(first_told "$task")
    if ! [[ $class =~ ^(names|lists|vague|misleads)$ ]] || [ -z "$words" ]; then
        fail "$task: its line has no class or no words"
    elif [[ $said != *" $check: "* ]] || ! grep -qE -e "$words" <<<"$said"; then
        fail "$task is told something else first than $check, '$words':" "    $said"
    else
        pass
    fi
done < <(grep -v '^#' checker/tests/told.txt)
awk -F '\t' '!/^#/ { n[$3]++; all++ } END { printf "told first: names %d, lists %d, vague %d, misleads %d, of %d\n",
    n["names"], n["lists"], n["vague"], n["misleads"], all }' checker/tests/told.txt
end_test
