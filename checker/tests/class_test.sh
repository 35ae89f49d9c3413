#!/usr/bin/env bash
# make grade on a small class: grades as make check gives them, no names but in grades.csv, resumed after kill -9, shards put
# together by make merge. CLASS_ALL='*/*/*' takes every test submission of every exercise in
# place of a few, which takes long; CLASS_ALL='split_softmax/fraud/*' those.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
bash -c 'source checker/commands/common.sh; build "the checker" programs build/class' || exit 1

sandbox=
why=$(sandbox_probe) || {
    sandbox=no
    echo "Not tested: make grade in sandboxes. $why"
}
export SANDBOX=$sandbox
folder=$(mktemp -d) && chmod 711 "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
class=$folder/class

# Usage: submission NAME EXERCISE/KIND/TEST_SUBMISSION, as the test of submissions makes it
submission() {
    local name=$1 exercise=${2%%/*} from=checker/tests/submissions/$2 file
    mkdir -p "$class/$name"
    for file in "exercises/$exercise"/*.c "exercises/$exercise"/*.cu; do
        [ ! -e "$file" ] || cp "solutions/$exercise/${file##*/}" "$class/$name/"
    done
    if [ -d "$from" ]; then
        cp "$from"/* "$class/$name/"
    elif [ -e "$from.patch" ]; then
        patch -s -p 1 -d "$class/$name" <"$from.patch"
    fi
}

# Runs make, keeping what it says and how it ends.
run_make() {
    said=$(make "$@" 2>&1 </dev/null)
    status=$?
}
silent_about() { ! grep -qE -e "$1" <<<"$said"; }

# id, status and points of each check, as one line a check.
grades_in() {
    sed -nE 's/^ *"(id|status|points|score)": "?([^",]*)"?,?$/\2/p' "$1"
}

# Usage: same_as_alone EXERCISE FOLDER...   each graded alone, and what the class has of it
same_as_alone() {
    local exercise=$1 name differ=0
    shift
    for name in "$@"; do
        name=${name##*/}
        RESULTS=$folder/alone make check EX="$exercise" SUBMISSION="$class/$name" >/dev/null 2>&1 </dev/null
        cmp -s <(grades_in "$folder/alone/$exercise/check.json") <(grades_in "$folder/whole/$exercise/submissions/$name/check.json") && continue
        differ=$((differ + 1))
        diff <(grades_in "$folder/alone/$exercise/check.json") <(grades_in "$folder/whole/$exercise/submissions/$name/check.json") |
            sed "s|^|    $exercise, $name: |"
    done
    [ $differ = 0 ]
}

if [ -n "${CLASS_ALL:-}" ]; then
    for exercise in exercises/*/; do
        exercise=${exercise%/} exercise=${exercise##*/}
        rm -rf "$class" "$folder/whole"
        for task in checker/tests/submissions/"$exercise"/*/*; do
            task=${task#checker/tests/submissions/} task=${task%.patch}
            # shellcheck disable=SC2053 # it is a pattern
            [[ $task = $CLASS_ALL ]] || continue
            submission "${task//\//.}" "$task"
        done
        [ -d "$class" ] || continue
        SECONDS=0
        run_make grade EX="$exercise" SUBMISSIONS="$class" RESULTS="$folder/whole"
        tail -n 6 <<<"$said"
        echo "$exercise: $(find "$class" -mindepth 1 -maxdepth 1 | wc -l) submissions in $SECONDS s on $(nproc) processors"
        expect "$exercise: all are graded" ends_with 0
        expect "$exercise: every grade in the class is the grade alone" same_as_alone "$exercise" "$class"/*
    done
    end_test
    exit
fi

EX=online_softmax
submission ann_arbor $EX/solution
submission ben_nevis $EX/faulty/no_shift
submission 'cy & <i>di' $EX/fraud/prints_its_score
submission dot_matrix $EX/solution
mkdir "$class/ed_norton" "$class/fay_wray" "$class/.git"
cp exercises/$EX/$EX.c "$class/fay_wray/"
ln -s ../ann_arbor/$EX.c "$class/ed_norton/$EX.c" # a peer's file
# A copy with other names, and comments taken out.
sed -E -i 's/\blength\b/piece_size/g; s/\brescaled\b/seen_from/g; s/\blarger\b/bigger_of/g; s|/\*.*\*/||' "$class/dot_matrix/$EX.c"
echo "a list" >"$class/list.txt"

# ---- refusals ----
run_make grade EX=$EX
expect "without SUBMISSIONS it asks for them" says "Where are the submissions\?"
expect "and ends with 3" ends_with 3
run_make grade EX=$EX SUBMISSIONS="$folder/nowhere"
expect "a folder that is not there is named" says "no such folder"
run_make grade EX=$EX SUBMISSIONS="$class" SHARD=4/3
expect "a shard that cannot be is refused" says "SHARD is which part of how many"
mkdir "$folder/bin" && chmod 755 "$folder/bin"
printf '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n' >"$folder/bin/bwrap"
chmod 755 "$folder/bin/bwrap"
SANDBOX='' PATH=$folder/bin:$PATH run_make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/none"
expect "where no sandbox can be made it says so" says "makes no sandbox \(bwrap: No permissions"
expect "it says what SANDBOX=no means" says "SANDBOX=no grades without sandboxes: only for submissions of people you trust"
expect "and nothing is graded" test ! -e "$folder/none"
expect "and it ends with 3" ends_with 3

# ---- a class ----
run_make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/whole"
expect "a class is graded" ends_with 0
expect "it says how many" says "^6 submissions: 6 graded now, 0 as before\."
expect "what is no folder is left alone, and said" says "^1 entries of the folder are no folders"
expect "what is said has no names" silent_about "ann_arbor|ben_nevis"
results=$folder/whole/$EX
expect "every grade in the class is the grade alone" same_as_alone $EX "$class"/{ben_nevis,cy*,fay_wray}
csv=$(tr -d '\r' <"$results/grades.csv")
status='' said=$csv
expect "grades.csv has a column a stage" says '^number,submission,status,score,max_score,summarize,merge,streaming,note$'
expect "a right one has all points" says '^1,"ann_arbor",passed,100,100,30,35,35,""$'
expect "a stub is incomplete" says '^6,"fay_wray",incomplete,0,100,0,0,0,""$'
expect "a link to a peer's file gives nothing" says '^5,"ed_norton",failed,0,100,0,0,0'
said=$(grep -rlE 'ann_arbor|ben_nevis|dot_matrix|ed_norton|fay_wray|<i>di' "$results")
expect "names are in grades.csv alone" [ "$said" = "$results/grades.csv" ]
said=$(cat "$results/submissions/ed_norton/check.json")
expect "the link is named" says "is a link that leads out of the folder"
said=$(cat "$results/junit.xml")
expect "junit.xml has a suite a submission" [ "$(grep -c '<testsuite name="submission [0-9]*" tests="[0-9]*" failures=' <<<"$said")" -eq 6 ]
expect "a failing check is a failure there" says '<testcase classname="online_softmax" name="summarize.far_from_zero" time="[0-9.]*"><failure type="fail">'
said=$(sed '/^<svg/,/^<\/svg>/d' "$results/summary.html")
expect "the summary loads nothing" silent_about 'https?://|<script|<img|<link'
expect "it has two figures" [ "$(grep -c '</svg>' "$results/summary.html")" -eq 2 ]
expect "and tells nothing of this machine" [ "$(grep -c "$folder" "$results/summary.html")" -eq 0 ]
expect "the commonest mistakes are there, with an example" says '<b>streaming.by_hand</b>.*</td><td class=n>[0-9]+</td><td>submission [23]: '
expect "a mistake that is behind all the checks counts once" says '<b>every check</b>.*<td class=n>1</td><td>submission 5: Your files do not compile'

if command -v sim_c >/dev/null; then
    expect "a copy with other names is pointed to" says '<td>1 and 4</td><td class=n>(8[5-9]|9[0-9]|100)</td>'
    expect "stubs are not alike" silent_about '<td>[0-9] and 6</td>'
else
    expect "what is missing is said" says 'similarity-tester \(sim_c\) is not installed'
    echo "Not tested: submissions that are nearly the same, for sim_c is not installed"
fi

# ---- once more ----
run_make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/whole"
expect "what was graded is not graded again" says "^6 submissions: 0 graded now, 6 as before\."
expect "and the table is the same" [ "$(tr -d '\r' <"$results/grades.csv")" = "$csv" ]
cp "$class/ann_arbor/$EX.c" "$class/fay_wray/$EX.c"
run_make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/whole"
expect "new files are graded, and they alone" says "^6 submissions: 1 graded now, 5 as before\."
cp exercises/$EX/$EX.c "$class/fay_wray/"

# ---- cut off by kill -9, and resumed ----
make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/cut" JOBS=1 >/dev/null 2>&1 </dev/null &
for ((i = 0; i < 400; i++)); do
    [ -e "$folder/cut/$EX/submissions/ben_nevis/outcome.json" ] && break
    sleep 0.1
done
# The processes of this run: of those that name its folder, all at once.
said=$(grep -lsaF "$folder/cut" /proc/[0-9]*/cmdline /proc/[0-9]*/environ | cut -d / -f 3 | sort -u)
for process in $said; do
    [ "$process" = $$ ] || { tr '\0' ' ' <"/proc/$process/cmdline" | grep -q "build/class run\|commands/grade.sh"; } 2>/dev/null && kill -9 "$process"
done 2>/dev/null
wait 2>/dev/null
before=$(cat "$folder/cut/$EX/submissions/ann_arbor/outcome.json")
status=''
expect "it was cut off in the middle" test ! -e "$folder/cut/$EX/grades.csv"
run_make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/cut"
expect "it goes on where it was" says "graded now, [2-5] as before"
expect "with the same table" [ "$(tr -d '\r' <"$folder/cut/$EX/grades.csv")" = "$csv" ]
expect "what was graded is as it was" [ "$(cat "$folder/cut/$EX/submissions/ann_arbor/outcome.json")" = "$before" ]

# ---- shards ----
for part in 1 2 3; do
    SANDBOX=$sandbox make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/part$part" SHARD=$part/3 >/dev/null 2>&1 </dev/null
done
run_make merge EX=$EX RESULTS="$folder/part1 $folder/part3" OUTPUT="$folder/merged"
expect "a missing shard is named" says "^Shard 2/3 is missing"
expect "and nothing is put together" ends_with 3
run_make merge EX=$EX RESULTS="$folder/part1 $folder/part2 $folder/part3" OUTPUT="$folder/merged"
expect "shards are put together" ends_with 0
expect "to the same table" [ "$(tr -d '\r' <"$folder/merged/$EX/grades.csv" 2>/dev/null)" = "$csv" ]
expect "each submission was in one shard" [ "$(find "$folder"/part?/$EX/submissions -name check.json | wc -l)" -eq 6 ]
expect "pages come with them" test -s "$folder/merged/$EX/submissions/ann_arbor/page.html"
SEED=2 make grade EX=$EX SUBMISSIONS="$class" RESULTS="$folder/part2" SHARD=2/3 >/dev/null 2>&1 </dev/null
run_make merge EX=$EX RESULTS="$folder/part1 $folder/part2 $folder/part3" OUTPUT="$folder/merged"
expect "shards of other seeds do not belong together" says "were graded with different seeds"
end_test
