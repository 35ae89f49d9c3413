#!/usr/bin/env bash
# make verdicts: grades every solution and every test submission (checker/tests/submissions) on one runtime, and sets
# its verdicts beside the other runtime's.
#
#   RUNTIME=simulator|cuda   where to grade (left out: what this machine has)
#   EX=...                   only this exercise
#   RESULTS=<folder>         for verdicts-<runtime>.json and verdicts.md (results/local)
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
submissions=checker/tests/submissions

# ---- one submission: grade.sh's way, in a process of its own ----

# Status, score, maximum and the checks that failed, from a check.json as jansson indents it: a line of JSON.
summarise() {
    awk -v exercise="$1" -v kind="$2" -v name="$3" '
        function value(text) { sub(/^[^:]*: */, "", text); sub(/,$/, "", text); gsub(/^"|"$/, "", text); return text }
        $1 == "\"id\":" { id = value($0) }
        $1 == "\"status\":" && id != "" {
            s = value($0)
            if (s == "fail" || s == "crash" || s == "timeout") { bad = bad (bad == "" ? "" : ", ") "\"" id "\""; if (first == "") first = id }
            if (s == "skip") skipped++
        }
        $1 == "\"message\":" && id == first && said == "" { said = value($0) }
        /^  "status":/ { status = value($0) }
        /^  "score":/ { score = value($0) }
        /^  "max_score":/ { max = value($0) }
        END {
            if (status == "") status = "ungraded"
            sub(/\\n.*/, "", said)
            printf "{\"exercise\": \"%s\", \"kind\": \"%s\", \"name\": \"%s\", \"status\": \"%s\", \"score\": %d, \"max_score\": %d, \"skipped\": %d, \"failed\": [%s], \"message\": \"%s\"}\n",
                exercise, kind, name, status, score, max, skipped, bad, said
        }' "$4"
}

grade_one() {
    local task=$1 work=$2 runtime=$3 exercise kind name folder out runner
    exercise=${task%%/*} name=${task##*/} kind=${task#*/}
    kind=${kind%%/*}
    runner=$runtime
    [ "$exercise" = online_softmax ] && runner=host
    folder=$work/$task out=$work/$task.out
    mkdir -p "$folder" "$out"
    case $kind in
    solution) folder=solutions/$exercise ;;
    *)
        cp "solutions/$exercise"/*.c "solutions/$exercise"/*.cu "$folder" 2>/dev/null
        if [ "$kind" = correct ]; then
            cp "$submissions/$task"/* "$folder"
        else
            patch -s -d "$folder" -p1 <"$submissions/$task.patch" >"$out/patch.log" 2>&1
        fi
        ;;
    esac
    bash checker/compile_submission.sh "$exercise" "$folder" "$out" "$runner" >"$out/compiler" 2>&1
    build/checker --exercise "$exercise" --implementation submission --submission "$out/submission.so" \
        --source "$folder" --runner "build/runner-$runner" --compile-log "$out/compile.log" --jobs 2 \
        --output "$out/check.json" >"$out/report" 2>&1
    [ -s "$out/check.json" ] || echo '{}' >"$out/check.json"
    summarise "$exercise" "$kind" "$name" "$out/check.json" >"$work/$task.verdict"
    echo "  $task: $(sed -E 's/.*"status": "([a-z]*)", "score": ([0-9]*), "max_score": ([0-9]*).*/\1, \2 of \3/' "$work/$task.verdict")"
}

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
[ "$runtime" = simulator ] && programs+=(build/translate build/runner-host)
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
        [ "$exercise" = online_softmax ] && [ "$runtime" = cuda ] && continue # no CUDA in it
        echo "$exercise/solution/solution"
        for path in "$submissions/$exercise"/correct/*/; do
            path=${path#"$submissions/"}
            [ -n "$(ls "$submissions/$path" 2>/dev/null)" ] && echo "${path%/}"
        done
        for path in "$submissions/$exercise"/faulty/*.patch; do
            path=${path#"$submissions/"}
            [ -e "$submissions/$path" ] && echo "${path%.patch}"
        done
    done
}
list_tasks >"$work/tasks"
jobs=$(nproc)
[ "$runtime" = cuda ] && [ "$jobs" -gt 6 ] && jobs=6 # they share the GPU
xargs -P "$jobs" -I TASK bash checker/commands/verdicts.sh --one TASK "$work" "$runtime" <"$work/tasks"

{
    printf '{ "runtime": "%s", "device": "%s", "verdicts": [\n' "$runtime" \
        "$(grep -hm1 '"device"' -r "$work" --include=check.json | grep -v '""' | sed -E 's/.*: "(.*)",?$/\1/' | head -n 1)"
    while read -r task; do
        sed 's/^/  /' "$work/$task.verdict"
    done <"$work/tasks" | sed '$!s/$/,/'
    echo ']}'
} >"$results/verdicts-$runtime.json"

# ---- both runtimes, side by side ----
table() {
    echo "# Verdicts of both runtimes"
    echo
    echo "Every solution and every test submission of \`checker/tests/submissions\`, graded with all checks. Written by"
    echo "\`make verdicts\` from verdicts-simulator.json and verdicts-cuda.json beside this file. A score is out of the"
    echo "points of the checks that the runtime can make."
    echo
    echo "| submission | simulator | failed there | GPU | failed there | why only one runtime sees it |"
    echo "| --- | --- | --- | --- | --- | --- |"
    awk -v reasons="$submissions/simulator_only.txt" '
        function field(line, key) { return match(line, "\"" key "\": \"[^\"]*\"") ? substr(line, RSTART + length(key) + 5, RLENGTH - length(key) - 6) : "" }
        function number(line, key) { return match(line, "\"" key "\": [0-9]+") ? substr(line, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : "" }
        function failed(line,    list, part, n) {
            if (!match(line, /"failed": \[[^]]*\]/)) return ""
            list = substr(line, RSTART + 11, RLENGTH - 12); gsub(/"/, "", list)
            n = split(list, part, ", ")
            return n <= 2 ? list : part[1] ", " part[2] " and " n - 2 " more"
        }
        BEGIN { while ((getline line < reasons) > 0) if (match(line, /: /)) reason[substr(line, 1, RSTART - 1)] = substr(line, RSTART + 2) }
        FNR == 1 { side = FILENAME ~ /cuda/ ? "cuda" : "simulator" }
        /"exercise"/ {
            key = field($0, "exercise") "/" field($0, "kind") "/" field($0, "name")
            if (!(key in seen)) { order[++count] = key; seen[key] = 1 }
            verdict[key, side] = field($0, "status") ", " number($0, "score") "/" number($0, "max_score")
            bad[key, side] = failed($0)
        }
        END {
            for (i = 1; i <= count; i++) {
                key = order[i]
                short = key; sub("/solution/solution", "/solution", short)
                print "| " short " | " verdict[key, "simulator"] " | " bad[key, "simulator"] " | " verdict[key, "cuda"] " | " bad[key, "cuda"] " | " reason[key] " |"
            }
        }' "$@"
}
both=()
for each in simulator cuda; do
    [ -s "$results/verdicts-$each.json" ] && both+=("$results/verdicts-$each.json")
done
table "${both[@]}" >"$results/verdicts.md"

# ---- what is not as it should be ----
wrong=0
while read -r task; do
    status=$(sed -E 's/.*"status": "([a-z]*)", "score".*/\1/' "$work/$task.verdict")
    case $task in
    */faulty/*)
        [ "$status" = failed ] && continue
        [ "$runtime" = cuda ] && grep -q "^$task: " "$submissions/simulator_only.txt" 2>/dev/null && continue
        echo "$task is faulty and was not rejected: $status."
        ;;
    *)
        [ "$status" = passed ] && continue
        echo "$task is correct and did not pass: $status."
        sed 's/^/    /' "$work/$task.out/report"
        ;;
    esac
    wrong=$((wrong + 1))
done <"$work/tasks"
echo "$(wc -l <"$work/tasks") submissions graded on the $runtime runtime, $wrong of them not as they should be."
echo "Written: $results/verdicts-$runtime.json and $results/verdicts.md"
[ $wrong -eq 0 ]
