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
awk -F '\t' -v reasons="$reasons" -v plain_c="^($(exercises host | paste -sd '|'))/" '
    function field(key,    i) { for (i = 2; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2) }
    function failed(    part, n) {
        n = split(field("failed"), part, ", ")
        return n <= 2 ? field("failed") : part[1] ", " part[2] " and " n - 2 " more"
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
    $1 == "runtime" { side = $2 }
    $1 == "verdicts" {
        key = field("exercise") "/" field("kind") "/" field("name")
        if (!(key in seen)) order[++count] = key
        seen[key] = 1
        status = field("status")
        cell[key, side] = status (field("under") == "" ? "" : " under " field("under")) \
            (field("max_score") == "" ? "" : ", " field("score") " of " field("max_score")) \
            (failed() == "" || status == "uncompiled" ? "" : ": " failed())
        total[side, field("kind"), status]++
        all[side, field("kind")]++
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
    }' <(for file in "${both[@]}"; do build/checker --print "$file"; done)
