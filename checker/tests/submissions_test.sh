#!/usr/bin/env bash
# Tests of the suites: grades the submissions in checker/tests/submissions/<exercise>/.
#
#   correct/NAME/        files that replace the solution's: right, written another way. All checks have to pass, and
#                        neither the compiler nor a check may have anything to say.
#   faulty/NAME.patch    the solution with one fault put in. Its head says which check has to find it, with which
#                        status, and what the message has to say (an extended regular expression):
#                            Expect: merge.by_hand
#                            Status: fail|crash
#                            Message: the sums were added as they are
#                            Fault: The sums are added without bringing them to one maximum.
#   fraud/NAME.patch     the same for what is no mistake but an attempt at points that were not earned. A check that
#                        the fraud does not touch has to pass as ever: Intact: partials.by_hand
#
#   submissions_test.sh [PATTERN]    those whose exercise/kind/name matches, such as 'split_softmax/faulty/*'
#
# QUICK=1 takes only one faulty submission for each check, and every fifth fraud. ALL=1 grades the faulty ones by every
# check, and says which others find them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
submissions=checker/tests/submissions

# The value of a line "Key: value" in the head of a patch.
head_of() { sed -n "s/^$1: *//p;/^--- /q" "$2" | head -n 1; }

# Status and message of a check, on two lines, from a check.json as jansson indents it.
outcome_of() {
    awk -v id="$1" '
        $1 == "\"id\":" { inside = index($0, "\"" id "\"") > 0 }
        inside && $1 == "\"status\":" { gsub(/[",]/, "", $2); print $2 }
        inside && $1 == "\"message\":" {
            sub(/^ *"message": "/, ""); sub(/",?$/, ""); gsub(/\\n/, " "); gsub(/\\"/, "\""); print }' "$2"
}

# The first thing that was said about a submission where nothing should be: by the compiler, a check or a warning.
remark_on() {
    head -n 1 "$1/compile.log"
    sed -nE 's/^ *"message": "(.+)",?$/\1/p' "$1/check.json" | head -n 1
    grep -i -m 1 warning "$1/report"
}

# Checks that did not pass, in one line.
others() {
    awk '$1 == "\"id\":" { id = $2 } $1 == "\"status\":" && id && $2 !~ /pass|skip/ { print id }' "$1" |
        tr -d '",' | paste -sd ' '
}

# Compiles and grades the folder $2 as a submission of exercise $1, with the checks $3; results in folder $2.out.
grade() {
    local exercise=$1 folder=$2 pattern=$3 runner=simulator patience=4
    [[ ${statuses:-} = *timeout* ]] && patience=0.2 # what never ends is known by then
    [ "$exercise" = online_softmax ] && runner=host
    mkdir -p "$folder.out"
    bash checker/compile_submission.sh "$exercise" "$folder" "$folder.out" >/dev/null 2>&1
    build/checker --exercise "$exercise" --implementation submission --submission "$folder.out/submission.so" \
        --source "$folder" --runner "build/runner-$runner" --compile-log "$folder.out/compile.log" \
        --case "$pattern" --jobs 1 --patience $patience --output "$folder.out/check.json" >"$folder.out/report" 2>&1
}

# One submission, EXERCISE/correct/NAME, EXERCISE/faulty/NAME or EXERCISE/fraud/NAME. Says "passed" or what is wrong with it.
try() {
    local task=$1 exercise=${1%%/*} name=${1##*/} work=$2 folder
    folder=$work/$task
    mkdir -p "$folder"
    cp "solutions/$exercise"/*.c "solutions/$exercise"/*.cu "$folder" 2>/dev/null
    if [ "$task" = "$exercise/correct/$name" ]; then
        cp "$submissions/$task"/* "$folder"
        if ! grade "$exercise" "$folder" '*'; then
            echo "FAILED $task: it is right, and this is its report:"
            sed 's/^/    /' "$folder.out/report"
        elif [ -n "$(remark_on "$folder.out")" ]; then
            echo "FAILED $task: it is right, and yet it is said: $(remark_on "$folder.out")"
        else
            echo "passed $task"
        fi
        return
    fi
    local patch=$submissions/$task.patch check statuses message found
    check=$(head_of Expect "$patch") statuses=$(head_of Status "$patch") message=$(head_of Message "$patch")
    if ! patch -s -d "$folder" -p1 <"$patch" >"$folder.log" 2>&1; then
        echo "FAILED $task: the patch does not fit the solution any more"
        return
    fi
    local checks=$check
    [ "${ALL:-}" = 1 ] && checks='*'
    grade "$exercise" "$folder" "$checks"
    [ "${ALL:-}" = 1 ] && echo "$task: $(others "$folder.out/check.json")"
    mapfile -t found < <(outcome_of "$check" "$folder.out/check.json")
    if [[ ${found[0]:-} =~ ^(${statuses:-fail})$ ]] && grep -qE -e "${message:-.}" <<<"${found[1]:-}"; then
        local intact
        intact=$(head_of Intact "$patch")
        if [ -n "$intact" ]; then
            grade "$exercise" "$folder" "$intact"
            mapfile -t found < <(outcome_of "$intact" "$folder.out/check.json")
            if [ "${found[0]:-}" != pass ]; then
                echo "FAILED $task: $intact should pass all the same, but it was ${found[0]:-not run}:"
                echo "    ${found[1]:-$(cat "$folder.out/report")}"
                return
            fi
        fi
        echo "passed $task"
    else
        echo "FAILED $task: $check should end with $statuses and say '$message', but it was ${found[0]:-not run}:"
        echo "    ${found[1]:-$(cat "$folder.out/report")}"
    fi
}

if [ "${1:-}" = --one ]; then
    try "$3" "$2"
    exit 0
fi

pattern=${1:-*}
bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The whole suite, on what is right, takes longest: it comes first.
find $submissions -mindepth 3 -maxdepth 3 \( -path '*/correct/*' -o -path '*/faulty/*.patch' -o -path '*/fraud/*.patch' \) |
    sed -e "s|^$submissions/||" -e 's|\.patch$||' | sort -t / -k 2,2 -k 1,1r -k 3,3 | while read -r task; do
    # shellcheck disable=SC2254 # it is a pattern
    case $task in $pattern) echo "$task" ;; esac
done >"$work/every"
# One faulty submission for each check: the first that says it expects this one.
if [ "${QUICK:-}" = 1 ]; then
    while read -r task; do
        case $task in
        */faulty/*) echo "$task ${task%%/*}/$(head_of Expect "$submissions/$task.patch")" ;;
        *) echo "$task" ;;
        esac
    done <"$work/every" | awk 'NF == 1 && (!/\/fraud\// || frauds++ % 5 == 0) || NF == 2 && !seen[$2]++ { print $1 }' >"$work/tasks"
    echo "QUICK=1: $(wc -l <"$work/tasks") of $(wc -l <"$work/every") submissions. make test grades all of them."
else
    cp "$work/every" "$work/tasks"
fi
xargs -a "$work/tasks" -P "$(nproc)" -n 1 bash "$0" --one "$work" >"$work/results"
grep -v '^passed ' "$work/results"
passed=$(grep -c '^passed ' "$work/results")
failed=$(($(wc -l <"$work/tasks") - passed))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
