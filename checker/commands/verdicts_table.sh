#!/usr/bin/env bash
# Prints, as Markdown, what make verdicts found on both runtimes, from verdicts-simulator.json and verdicts-cuda.json.
#
#   verdicts_table.sh FOLDER
set -uo pipefail
folder=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh
reasons=checker/tests/submissions/simulator_only.txt

both=()
for runtime in simulator cuda; do
    [ -s "$folder/verdicts-$runtime.json" ] && both+=("$folder/verdicts-$runtime.json")
done
[ ${#both[@]} -gt 0 ] || exit 1
cat <<'TEXT'
# Verdicts of both runtimes

Every solution and every test submission of `checker/tests/submissions`, on the simulator and on a GPU. Written by
`make verdicts` from verdicts-simulator.json and verdicts-cuda.json beside this file.

A solution or a correct submission is graded by all checks; its score is out of the points of the checks that the
runtime can make. A faulty one (`faulty/`), and an attempt at points that were not earned (`fraud/`), is graded by the
check that is meant to find it, and by all where that one lets it pass; the checks that rejected it are named. On the
GPU, "under compute-sanitizer" says that it took `SANITIZE=all`. "uncompiled": the rules at compile time refuse it.
`gpu/` holds what the simulator does not offer.

TEXT
awk -v reasons="$reasons" -v plain_c="^($(exercises host | paste -sd '|'))/" '
    function field(line, key) { return match(line, "\"" key "\": \"[^\"]*\"") ? substr(line, RSTART + length(key) + 5, RLENGTH - length(key) - 6) : "" }
    function number(line, key) { return match(line, "\"" key "\": [0-9]+") ? substr(line, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : "" }
    function failed(line,    list, part, n) {
        if (!match(line, /"failed": \[[^]]*\]/)) return ""
        list = substr(line, RSTART + 11, RLENGTH - 12)
        gsub(/"/, "", list)
        n = split(list, part, ", ")
        return n <= 2 ? list : part[1] ", " part[2] " and " n - 2 " more"
    }
    function right(side) {
        return total[side, "solution", "passed"] + total[side, "correct", "passed"] " of " \
            all[side, "solution"] + all[side, "correct"]
    }
    function wrong(side, kind) {
        return total[side, kind, "rejected"] + total[side, kind, "uncompiled"] " of " all[side, kind] + 0
    }
    BEGIN {
        while ((getline line < reasons) > 0)
            if (line !~ /^#/ && match(line, /: /))
                reason[substr(line, 1, RSTART - 1)] = substr(line, RSTART + 2)
    }
    FNR == 1 { side = FILENAME ~ /cuda\.json$/ ? "cuda" : "simulator" }
    /"exercise"/ {
        key = field($0, "exercise") "/" field($0, "kind") "/" field($0, "name")
        if (!(key in seen)) order[++count] = key
        seen[key] = 1
        status = field($0, "status")
        cell[key, side] = status (field($0, "under") == "" ? "" : " under " field($0, "under")) \
            (number($0, "max_score") == "" ? "" : ", " number($0, "score") " of " number($0, "max_score")) \
            (failed($0) == "" || status == "uncompiled" ? "" : ": " failed($0))
        total[side, field($0, "kind"), status]++
        all[side, field($0, "kind")]++
    }
    END {
        print "| | simulator | GPU |"
        print "| --- | --- | --- |"
        printf "| solutions and correct submissions that pass | %s | %s |\n", right("simulator"), right("cuda")
        printf "| faulty submissions that are rejected | %s | %s |\n", wrong("simulator", "faulty"), wrong("cuda", "faulty")
        printf "| frauds that are rejected or not compiled | %s | %s |\n", wrong("simulator", "fraud"), wrong("cuda", "fraud")
        printf "| faulty submissions for the GPU alone, rejected or not compiled | | %s |\n\n", wrong("cuda", "gpu")
        print "| submission | simulator | GPU | why only the simulator sees it |"
        print "| --- | --- | --- | --- |"
        for (i = 1; i <= count; i++) {
            key = order[i]
            short = key
            sub("/solution/solution", "/solution", short)
            gpu = key ~ plain_c ? "no CUDA in it" : cell[key, "cuda"]
            cpu = key ~ /\/gpu\// ? "not offered" : cell[key, "simulator"]
            print "| " short " | " cpu " | " gpu " | " reason[key] " |"
        }
    }' "${both[@]}"
