#!/usr/bin/env bash
# make hint: one more hint each time, for STAGE or for the first stage that the last check of the student's files did
# not pass. Hints are in docs/hints/<EX>.md: a "## stage" heading, and under it a "### " heading for each hint, from
# the gentlest to the plainest. How many were shown is kept in results/local/<EX>/hints: a stage and a number a line.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

require_exercise hint
hints=docs/hints/$EX.md
[ -f "$hints" ] || stop "There are no hints for $EX. Its lesson is the place to look: docs/README.md names it."
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
shown_file=$results/$EX/hints

stages() { sed -nE 's/^## +(.*[^ ]) *$/\1/p' "$hints"; }
list_stages() { stages | paste -sd , | sed 's/,/, /g'; }

# The first stage with a check that has not passed, if it was the student's own files that were graded last.
unfinished_stage() {
    local result=$results/$EX/check.json
    grep -q '"implementation": *"exercise"' "$result" 2>/dev/null || return
    awk -F '"' '$2 == "stage" { stage = $4 }
                $2 == "status" && stage != "" && $4 != "pass" && $4 != "skip" { print stage; exit }' "$result"
}

# Whether every check of the student's own files passed when they were graded last.
all_passed() {
    local result=results/local/$EX/check.json
    grep -q '"implementation": *"exercise"' "$result" 2>/dev/null && grep -q '"status": *"passed"' "$result" && [ -z "$(unfinished_stage)" ]
}

# Prints hint number $2 of stage $1, without its heading.
hint() {
    awk -v stage="$1" -v number="$2" '
        /^## / { inside = substr($0, 4) == stage; count = 0; next }
        inside && /^### / { count++; next }
        inside && count == number { print }' "$hints" | sed -e '/./,$!d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

count_hints() {
    awk -v stage="$1" '/^## / { inside = substr($0, 4) == stage } inside && /^### / { count++ } END { print count + 0 }' \
        "$hints"
}

if [ -z "${STAGE:-}" ] && all_passed; then
    echo "$EX: all checks passed, so there is nothing to hint at. STAGE= shows the hints of a stage: $(list_stages)."
    exit 0
fi
stage=${STAGE:-$(unfinished_stage)}
stage=${stage:-$(stages | head -n 1)}
if ! grep -qxF -e "$stage" <<<"$(stages)"; then
    guess=$(stages | nearest "$stage")
    stop "There are no hints for a stage '$stage'.${guess:+ Did you mean STAGE=$guess?} Stages of $EX: $(list_stages)."
fi

# Anything but "stage number" lines is not ours.
if [ -f "$shown_file" ] && grep -qvxE -e '[a-z_]+ [0-9]{1,4}' "$shown_file"; then
    echo "$shown_file, where it is kept which hints you have seen, is damaged: the hints start again."
    rm -f "$shown_file"
fi

total=$(count_hints "$stage")
shown=$(awk -v stage="$stage" '$1 == stage { number = $2 } END { print number + 0 }' "$shown_file" 2>/dev/null)
shown=${shown:-0}
next=$((shown + 1))
if [ "$next" -gt "$total" ]; then
    echo "$EX, stage $stage: you have seen all $total hints. Here they are again."
    for ((i = 1; i <= total; i++)); do
        printf '\n%d. ' "$i"
        hint "$stage" "$i"
    done
    sealed=
    [ ! -e "solutions/$EX/sealed" ] || sealed=', compiled: make compare sets yours beside it'
    printf '\nStill stuck? A finished version is in solutions/%s/%s. Other stages: STAGE=... (%s).\n' "$EX" "$sealed" "$(list_stages)"
    exit 0
fi
echo "$EX, stage $stage, hint $next of $total:"
echo
hint "$stage" "$next"
echo
if [ "$next" -lt "$total" ]; then
    echo "make hint EX=$EX STAGE=$stage gives the next one."
else
    echo "That was the last one for this stage."
fi
mkdir -p "$results/$EX" 2>/dev/null || stop "This hint was not noted, for $results cannot be written: RESULTS= names another folder."
{
    grep -v "^$stage " "$shown_file" 2>/dev/null
    echo "$stage $next"
} >"$shown_file.new" && mv "$shown_file.new" "$shown_file"
