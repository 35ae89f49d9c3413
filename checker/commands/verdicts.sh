#!/usr/bin/env bash
# make verdicts: grades every solution and every test submission (checker/tests/submissions) on one runtime, and sets
# its verdicts beside the other runtime's.
#
#   RUNTIME=simulator|cuda   where to grade (left out: what this machine has)
#   EX=...                   only this exercise
#   ONLY=<pattern>           only submissions that match (an extended regular expression, as in split_softmax/faulty/size);
#                            what is known of the others stays in verdicts-<runtime>.json
#   RESULTS=<folder>         for verdicts-<runtime>.json and verdicts.md (results/local)
#
# On a GPU, what the checks let pass is graded once more under the tools of compute-sanitizer; and the patches in gpu/,
# which the simulator does not compile, are graded there alone. Their heads are those of submissions_test.sh, with
# "Status: rejected" or "uncompiled", and "Environment: NAME=value ..." for the run.
#
# Ends with 1 when a correct submission does not pass, or a faulty one passes that is not listed, with the reason, in
# checker/tests/submissions/simulator_only.txt.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/runtime.sh
source checker/commands/runtime.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh

# ---- one submission, in a process of its own ----

# Lines of a JSON file: "name TAB value", and for the objects of a list "name TAB key=value TAB ...".
lines_of() { build/checker --print "$1"; }

# The checks of a check.json that did not pass: a line "id TAB message" each.
failed_checks() {
    lines_of "$1" | awk -F '\t' '
        function value(key,    i) { for (i = 2; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2) }
        $1 == "checks" && value("status") ~ /^(fail|crash|timeout)$/ { print value("id") "\t" value("message") }'
}

# A line of words from the check.json $4, separated by tabs: exercise, kind, name, status, score, maximum, tools, failed
# checks, message. A faulty submission is "rejected" or "accepted"; score and maximum are those of the checks that ran.
# $5: the tools of compute-sanitizer, where they watched.
summarise() {
    local status score='' max='' bad said
    status=$(lines_of "$4" | sed -n 's/^status\t//p')
    bad=$(failed_checks "$4" | cut -f 1 | paste -sd , | sed 's/,/, /g')
    said=$(failed_checks "$4" | cut -f 2 | sed -n '1s/\\n.*//p')
    [ -n "$said" ] || said=$(failed_checks "$4" | cut -f 2 | head -n 1)
    case $2 in
    solution | correct)
        score=$(lines_of "$4" | sed -n 's/^score\t//p') max=$(lines_of "$4" | sed -n 's/^max_score\t//p') ;;
    *) [ -z "$bad" ] && status=accepted || status=rejected ;;
    esac
    [[ $said != 'Your files do not compile'* ]] || status=uncompiled
    [ -n "$(lines_of "$4")" ] || status=ungraded
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$status" "$score" "$max" "${5:+compute-sanitizer}" "$bad" "$said"
}

# The same line from a row of an earlier verdicts-<runtime>.json, and as a row of a new one.
earlier_lines() {
    [ ! -s "$1" ] || lines_of "$1" | awk -F '\t' -v OFS='\t' '
        function value(key,    i) { for (i = 2; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2) }
        $1 == "verdicts" { print value("exercise"), value("kind"), value("name"), value("status"), value("score"),
                                 value("max_score"), value("under"), value("failed"), value("message") }'
}
as_json() {
    awk -F '\t' '
        function quoted(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }
        {
            n = split($8, failed, ", "); list = ""
            for (i = 1; i <= n; i++) list = list (i > 1 ? ", " : "") quoted(failed[i])
            printf "%s  {\"exercise\": %s, \"kind\": %s, \"name\": %s, \"status\": %s, ", (NR > 1 ? ",\n" : ""), quoted($1), quoted($2), quoted($3), quoted($4)
            if ($6 != "") printf "\"score\": %d, \"max_score\": %d, ", $5, $6
            if ($7 != "") printf "\"under\": %s, ", quoted($7)
            printf "\"failed\": [%s], \"message\": %s}", list, quoted($9)
        }
        END { print "" }'
}

# Makes the folder of a submission; prints its name. Without files it is graded as what does not compile.
make_folder() {
    local task=$1 folder=$2/$1
    case $task in
    */solution/*)
        mkdir -p "$folder"
        cp "solutions/${task%%/*}"/*.c* "$folder"
        [[ $task = */solution/solution ]] || cp "solutions/${task%%/*}/${task##*/}"/* "$folder"
        ;;
    *) submission_files "$task" "$folder" || rm -f "$folder"/* ;;
    esac
    echo "$folder"
}

# Grades the checks $1 of the submission; further options follow.
run_checks() {
    local checks=$1
    shift
    timeout --kill-after=5 300 build/checker --exercise "$exercise" --implementation submission \
        --submission "$out/submission.so" --source "$folder" --runner "build/runner-$runner" \
        --compile-log "$out/compile.log" --jobs 1 --patience "$patience" --case "$checks" "$@" \
        --output "$out/check.json" >"$out/report" 2>&1
}

was_rejected() { failed_checks "$out/check.json" | cut -f 1 | grep -xF -e "$1" >/dev/null; }

# What is faulty is judged by the check that its patch names; by all of them where that one lets it pass; and on a GPU,
# where these do too, by the tools of compute-sanitizer.
grade_faulty() {
    local check
    check=$(head_of Expect "$submissions/$task.patch")
    patience=0.5 # what never ends need not be waited for so long
    run_checks "$check"
    was_rejected "$check" && return
    run_checks '*'
    [ "$runner" = cuda ] && [ -z "$(failed_checks "$out/check.json")" ] || return 0
    cp "$out/check.json" "$out/check.json.plain"
    patience=6
    run_checks "$check" --runner checker/sanitize/watch_runner.sh --sanitize "$all_tools"
    tools=all
    was_rejected "$check" && return
    tools=''
    cp "$out/check.json.plain" "$out/check.json"
}

grade_one() {
    local task=$1 work=$2 runner=$3 exercise=${1%%/*} name=${1##*/} kind folder out patience=1 tools='' settings=()
    kind=${task#*/} kind=${kind%%/*}
    is_cuda "$exercise" || runner=host
    folder=$(make_folder "$task" "$work")
    out=$folder.out
    mkdir -p "$out"
    case $kind in
    solution | correct) ;;
    *) read -r -a settings < <(head_of Environment "$submissions/$task.patch") ;;
    esac
    [ ${#settings[@]} -eq 0 ] || export "${settings[@]?}"
    bash checker/compile_submission.sh "$exercise" "$folder" "$out" "$runner" >"$out/compiler" 2>&1
    case $kind in
    solution | correct) run_checks '*' ;;
    *) grade_faulty ;;
    esac
    [ -s "$out/check.json" ] || echo '{}' >"$out/check.json"
    summarise "$exercise" "$kind" "$name" "$out/check.json" "$tools" >"$work/$task.verdict"
    echo "  $task: $(verdict_of "$task")"
}

verdict_of() { cut -f 4 "$work/$1.verdict"; }

if [ "${1:-}" = --one ]; then
    grade_one "$2" "$3" "$4"
    exit 0
fi

# ---- all of them ----
only=${EX:-}
EX=${EX:-split_softmax}
require_exercise verdicts
runtime='' runner='' unavailable=''
choose_runtime
EX=$only
[ "$runtime" = host ] && runtime=simulator
[ -z "$unavailable" ] || stop "$unavailable"
programs=(build/checker "build/runner-$runtime")
[ "$runtime" = simulator ] && programs+=(build/instrument build/remarks build/host-client build/runner-host)
build "the checker" "${programs[@]}"
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/* ]] || results=$invoked_in/$results
mkdir -p "$results" || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

list_tasks() {
    local exercise path
    for exercise in $(exercises); do
        [ -z "$only" ] || [ "$only" = "$exercise" ] || continue
        is_cuda "$exercise" || [ "$runtime" != cuda ] || continue # no CUDA in it
        echo "$exercise/solution/solution"
        for path in "solutions/$exercise"/*/; do
            [ -d "$path" ] && path=${path%/} && echo "$exercise/solution/${path##*/}"
        done
        (
            cd "$submissions" || exit
            ls -d "$exercise"/correct/*/ "$exercise"/faulty/*.patch "$exercise"/fraud/*.patch 2>/dev/null
            [ "$runtime" = cuda ] && ls "$exercise"/gpu/*.patch 2>/dev/null
        ) | sed -e 's|/$||' -e 's|\.patch$||'
    done
}
list_tasks | grep -E -e "${ONLY:-.}" >"$work/tasks"
jobs=$(nproc)
[ "$runtime" = cuda ] && [ "$jobs" -gt 16 ] && jobs=16 # they share the GPU
xargs -P "$jobs" -I TASK bash checker/commands/verdicts.sh --one TASK "$work" "$runtime" <"$work/tasks"

# Lines of this run, and of an earlier one for what was left out of this.
verdict_lines() {
    local task
    while read -r task; do
        cat "$work/$task.verdict"
    done <"$work/tasks"
    [ -z "${ONLY:-}" ] || earlier_lines "$results/verdicts-$runtime.json" |
        awk -F '\t' 'NR == FNR { now[$0] = 1; next } !(($1 "/" $2 "/" $3) in now)' "$work/tasks" -
}
device=$(find "$work" -name check.json | while read -r file; do lines_of "$file" | sed -n 's/^device\t\(..*\)/\1/p'; done | head -n 1)
{
    printf '{ "runtime": "%s", "device": "%s", "verdicts": [\n' "$runtime" "$device"
    verdict_lines | awk -F '\t' '{ print $1 "\t" index("solution correct faulty fraud gpu", $2) "\t" $3 "\t" $0 }' |
        LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -k 2,2n -k 3,3 | cut -f 4- | as_json
    echo ']}'
} >"$work/verdicts.json" && mv "$work/verdicts.json" "$results/verdicts-$runtime.json"

bash checker/commands/verdicts_table.sh "$results" >"$results/verdicts.md"

# ---- what is not as it should be ----

# Patches of gpu/ are here for what is said of them, too.
is_as_meant() {
    local patch=$submissions/$1.patch
    case $1 in
    */solution/* | */correct/*) [ "$2" = passed ] ;;
    */gpu/*) [ "$2" = "$(head_of Status "$patch")" ] && grep -qsE -e "$(head_of Message "$patch")" "$work/$1.verdict" "$work/$1.out/compile.log" ;;
    */fraud/*) [ "$2" = rejected ] || [ "$2" = uncompiled ] ;;
    *) [ "$2" = rejected ] ;;
    esac
}

wrong=0
while read -r task; do
    status=$(verdict_of "$task")
    is_as_meant "$task" "$status" && continue
    [ "$runtime" = cuda ] && [ "$status" = accepted ] &&
        grep -q "^$task: " "$submissions/simulator_only.txt" 2>/dev/null && continue
    case $task in
    */solution/* | */correct/*) echo "$task is correct and did not pass: $status." ;;
    *) echo "$task is not correct and was not rejected for what it does: $status." ;;
    esac
    sed 's/^/    /' "$work/$task.out/report"
    wrong=$((wrong + 1))
done <"$work/tasks"
echo "$(wc -l <"$work/tasks") submissions graded on the $runtime runtime, $wrong of them not as they should be."
echo "Written: $results/verdicts-$runtime.json and $results/verdicts.md"
[ $wrong -eq 0 ]
