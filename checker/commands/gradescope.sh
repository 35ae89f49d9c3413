#!/usr/bin/env bash
# make gradescope: the kit as an autograder of Gradescope, a zip to upload. No solution and no test is in it.
#
#   EX=split_softmax    the exercise
#   LIMIT=540           seconds for one submission: set Gradescope's own time-out some more (it is 10 minutes unless changed)
#   SEED=7              always this seed; left out, each run draws one, and its result names it
#   RESULTS=<folder>    where gradescope-EX.zip goes (build/)
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/class/pack.sh
source checker/class/pack.sh

require_exercise gradescope
[[ ${LIMIT:-540} =~ ^[1-9][0-9]{0,3}$ ]] && [ "${LIMIT:-540}" -le 2370 ] || stop "LIMIT is a number of seconds up to 2370, for Gradescope allows 40 minutes, not '$LIMIT'."
[[ ${SEED:-1} =~ ^[0-9]{1,18}$ ]] || stop "SEED is a whole number, not '$SEED'."
command -v zip >/dev/null || stop "make gradescope writes a zip file, and zip is not installed: install Debian's package zip."
target=${RESULTS:-build}
[[ $target = /* || $target = build ]] || target=$invoked_in/$target
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
pack "$work/zip/kit" || stop "The files of the kit could not be copied."
rm -rf "$work/zip/kit/benchmarks" "$work/zip/kit/results"
printf 'EX=%s\nLIMIT=%s\nSEED=%s\n' "$EX" "${LIMIT:-540}" "${SEED:-}" >"$work/zip/options"
cp checker/class/services/gradescope_setup.sh "$work/zip/setup.sh"
cp checker/class/services/gradescope_run.sh "$work/zip/run_autograder"
chmod 755 "$work/zip/setup.sh" "$work/zip/run_autograder"
mkdir -p "$target" && rm -f "$target/gradescope-$EX.zip"
(cd "$work/zip" && zip -qr "$work/it.zip" .) && mv "$work/it.zip" "$target/gradescope-$EX.zip" || stop "$target/gradescope-$EX.zip could not be written."
echo "$target/gradescope-$EX.zip: docs/instructors.md says how to set up the assignment."
