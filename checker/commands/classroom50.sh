#!/usr/bin/env bash
# make classroom50: the kit as an autograder of Classroom 50, a folder for CLASSROOM/autograders/ASSIGNMENT/. No solution and no
# test is in it.
#
#   EX=split_softmax    the exercise
#   LIMIT=540, SEED=7   as for make gradescope
#   RESULTS=<folder>    where classroom50-EX/ goes (build/)
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/class/pack.sh
source checker/class/pack.sh

require_exercise classroom50
[[ ${LIMIT:-540} =~ ^[1-9][0-9]{0,4}$ ]] || stop "LIMIT is a number of seconds, not '$LIMIT'."
[[ ${SEED:-1} =~ ^[0-9]{1,18}$ ]] || stop "SEED is a whole number, not '$SEED'."
target=${RESULTS:-build}
[[ $target = /* || $target = build ]] || target=$invoked_in/$target
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
pack "$work/kit" || stop "The files of the kit could not be copied."
rm -rf "$work/kit/benchmarks" "$work/kit/results"
folder=$target/classroom50-$EX
rm -rf "$folder" && mkdir -p "$folder" || stop "$folder cannot be made."
tar -C "$work" -czf "$folder/kit.tar.gz" kit || stop "$folder could not be written."
printf 'EX=%s\nLIMIT=%s\nSEED=%s\n' "$EX" "${LIMIT:-540}" "${SEED:-}" >"$folder/options"
cp checker/class/services/classroom50.py "$folder/autograder.py"
cp checker/class/services/classroom50.sh "$folder/grade.sh"
echo "$folder: docs/instructors.md says where it goes."
