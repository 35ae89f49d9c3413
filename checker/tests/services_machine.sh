#!/usr/bin/env bash
# The services' adapters and the student kit on a machine that has nothing, from their archives alone, as their services and a
# student do it: Gradescope's setup.sh as root and run_autograder, Classroom 50's bundle in a checkout, README's first command.
#
#   services_machine.sh [SUITE...]     bookworm (Debian 12)
#
# By hand: it takes some minutes. What it needs is told in machine.sh. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/machine.sh
source checker/tests/machine.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm)
EX=split_softmax
for tool in zip unzip; do
    command -v $tool >/dev/null || not_run "$tool is not installed"
done
for archive in gradescope classroom50 student-kit; do
    make "$archive" EX=$EX RESULTS="$work" >/dev/null 2>&1 </dev/null || not_run "make $archive failed"
done

for suite in "${suites[@]}"; do
    # ---- Gradescope ----
    machine_make "$suite" || continue
    machine_folder=/autograder
    mkdir -p "$root/autograder/source" "$root/autograder/submission" "$root/autograder/results"
    unzip -q -d "$root/autograder/source" "$work/gradescope-$EX.zip"
    cp "$root/autograder/source/run_autograder" "$root/autograder/"
    cp solutions/$EX/*.c solutions/$EX/*.cu "$root/autograder/submission/"
    try "$suite" root "Everything that the workshop needs is there now" "bash source/setup.sh"
    try "$suite" root "Score: 100 of 100 points" "./run_autograder"
    said=$(cat "$root/autograder/results/results.json")
    expect "$suite: results.json has 100 points, all visible" [ "$(sed -nE 's/^ *"score": ([0-9]+),$/\1/p' <<<"$said" | awk '{ sum += $1 } END { print sum }')" = 100 ]
    cp exercises/$EX/*.c exercises/$EX/*.cu "$root/autograder/submission/"
    try "$suite" root "Score: 0 of 100 points" "./run_autograder"

    # ---- Classroom 50, with the packages there that its runtime block names ----
    machine_folder=/checkout
    mkdir -p "$root/checkout/exercises/$EX" "$root/bundle"
    cp -r "$work/classroom50-$EX/." "$root/bundle/"
    cp solutions/$EX/*.c solutions/$EX/*.cu "$root/checkout/exercises/$EX/"
    chroot "$root" chown -R student: /checkout
    try "$suite" student "Score: 100 of 100 points" "CLASSROOM=c ASSIGNMENT=a SUBMISSION_TAG=submit/1 COMMIT_URL=u RELEASE_URL=r bash /bundle/grade.sh"
    said=$(cat "$root/checkout/result.json")
    expect "$suite: result.json has the score" says '"score": 100,'
    machine_forget

    # ---- a student ----
    machine_make "$suite" || continue
    machine_folder=/home/student/softmax-workshop
    tar -C "$root/home/student" -xzf "$work/softmax-workshop-student.tar.gz"
    chroot "$root" chown -R student: /home/student
    try "$suite" root "Everything that the workshop needs is there now" "make setup && chown -R student: ."
    try "$suite" student "Score of the solution: 100 of 100 points" "make setup check EX=$EX SOLUTION=1"
    try "$suite" student "not checked yet" "make list"
    try "$suite" student "0 of 100 points" "make check EX=online_softmax; true"
    try "$suite" student "hint 1 of" "make hint EX=online_softmax"
    try "$suite" student "not written yet" "make run EX=fused_softmax SHAPE=2x5; true"
    try "$suite" student "counts.png" "make bench EX=fused_softmax SOLUTION=1"
    try "$suite" student "drawn: " "make compare EX=$EX SUBMISSION=solutions/$EX WITH=wide_loads; true"
    machine_forget
done
machine_end
