#!/usr/bin/env bash
# make mutants: puts faults into the solutions, one at a time, and sees whether a check finds each. For who changes the
# checks; it takes long, and is no part of make test. docs/mutants.md tells how it works and what came of it.
#
#   EX=fused_softmax    one exercise; else all
#   JOBS=2              mutants tried at the same time
#   MUTANTS_STEP=10     a sample: every 10th mutant
#   AGAIN=1             try again those that survived, after a change to the checks; keep what was found before
#
# Results are kept in build/mutants/<EX>/results/, a file for each mutant, so a run that was cut off goes on where it
# was; build/mutants/<EX>.json is the record. Status 0: every mutant was found, or has its reason in
# checker/mutants/equivalent.txt; 1: not so; 3: nothing could be tried.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/mutants/try.sh
source checker/mutants/try.sh

if [ "${1:-}" = --one ]; then
    mutant_try "$2" "$3" "$4"
    exit
fi

step=${MUTANTS_STEP:-1} jobs=${JOBS:-2}
[[ $step =~ ^[1-9][0-9]{0,4}$ ]] || stop "MUTANTS_STEP is a whole number from 1, not '$step'."
[[ $jobs =~ ^[1-9][0-9]{0,2}$ ]] || stop "JOBS is a whole number from 1, not '$jobs'."
if [ -n "${EX:-}" ]; then
    require_exercise mutants
    chosen=$EX
else
    chosen=$(exercises)
fi
build "the mutator" build/mutants-of build/checker build/instrument build/remarks build/runner-simulator build/host-client build/runner-host

# Tries what has no result yet: lines "FILE NUMBER" on standard input.
try_all() {
    local exercise=$1 file number
    while read -r file number; do
        [ -s "build/mutants/$exercise/results/$file.$number" ] || echo "$exercise $file $number"
    done | xargs -r -P "$jobs" -L 1 nice -n 10 bash "$0" --one
}

status=0
for exercise in $chosen; do
    folder=build/mutants/$exercise
    mkdir -p "$folder/results"
    mutant_prepare "$exercise" "${AGAIN:-}" || exit 3
    : >"$folder/tasks"
    for file in $(exercise_files "$exercise"); do
        build/mutants-of list "solutions/$exercise/$file" | cut -f 1 |
            awk -v file="$file" -v step="$step" '($1 - 1) % step == 0 { print file, $1 }' >>"$folder/tasks"
    done
    echo "$exercise: $(wc -l <"$folder/tasks") mutants ..."
    try_all "$exercise" <"$folder/tasks"
    while read -r file number; do
        cat "$folder/results/$file.$number" || exit 3
    done <"$folder/tasks" >"$folder/results.tsv"
    build/mutants-of record "$exercise" "solutions/$exercise" "$step" "$folder/results.tsv" \
        checker/mutants/equivalent.txt >"build/mutants/$exercise.json"
    case $? in
    0) ;;
    1) status=1 ;;
    *) exit 3 ;;
    esac
    build/mutants-of table "build/mutants/$exercise.json" | sed '/^### Survivors/,$d'
done
[ "$step" = 1 ] && mutant_table
[ $status = 0 ] && echo "Every mutant was found by a check, or is known to change nothing."
exit $status
