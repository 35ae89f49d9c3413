#!/usr/bin/env bash
# make student-kit: the kit to hand out. No sources of solutions, no tests, no mutants; the solutions are in it as compiled
# programs without debugging information and inner names, so that SOLUTION=1, make compare and make bench go on as they do with the sources.
#
#   RESULTS=<folder>   where softmax-workshop-student.tar.gz goes (build/)
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/class/pack.sh
source checker/class/pack.sh

target=${RESULTS:-build}
[[ $target = /* || $target = build ]] || target=$invoked_in/$target
build "the checker" build/runner-host build/runner-simulator build/instrument build/remarks build/host-client
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
kit=$work/softmax-workshop
pack "$kit" || stop "The files of the kit could not be copied."

# Seals one solution: its programs, and files with the names of the sources that say where these are. $1: its folder.
seal() {
    local source=$1 exercise file compiled
    exercise=${source#solutions/} exercise=${exercise%%/*}
    compiled=build/submissions/$exercise-solution${source#"solutions/$exercise"} # where make check has it
    compiled=${compiled/solution\//solution-}
    mkdir -p "$compiled" || exit 3
    bash checker/compile_submission.sh "$exercise" "$source" "$compiled" >/dev/null 2>&1 ||
        stop "$source does not compile here, so it cannot be sealed: make check EX=$exercise SOLUTION=1 says why."
    mkdir -p "$kit/$source/sealed" || exit 3
    for file in submission.so device.so; do
        [ ! -e "$compiled/$file" ] || strip --strip-unneeded -o "$kit/$source/sealed/$file" "$compiled/$file" || exit 3
    done
    for file in $(exercise_files "$exercise"); do
        echo "/* The solution is in this kit as a compiled program, in sealed/. Who teaches has its source. */" >"$kit/$source/$file"
    done
}
for exercise in $(exercises); do
    seal "solutions/$exercise"
    for variant in "solutions/$exercise"/*/; do
        [ ! -d "$variant" ] || seal "${variant%/}"
    done
done
mkdir -p "$target" && tar -C "$work" -czf "$target/softmax-workshop-student.tar.gz" softmax-workshop ||
    stop "$target/softmax-workshop-student.tar.gz could not be written."
echo "$target/softmax-workshop-student.tar.gz ($(du -h "$target/softmax-workshop-student.tar.gz" | cut -f 1)): docs/instructors.md says what a student can get out of it."
