#!/usr/bin/env bash
# grade.sh of a Classroom 50 bundle: started in the student's checkout, leaves result.json there (classroom50/result/v1).
# The kit lies beside it as kit.tar.gz, with EX, LIMIT and SEED in options. The files to grade are in the checkout, or in
# exercises/EX/ of it.
set -euo pipefail
bundle=$(cd "$(dirname "$0")" && pwd)
checkout=$PWD
# shellcheck disable=SC1091 # written by make classroom50
source "$bundle/options"
kit=$(mktemp -d)
trap 'rm -rf "$kit"' EXIT
tar -C "$kit" --strip-components=1 -xzf "$bundle/kit.tar.gz"
bash "$kit/checker/commands/setup.sh" >&2
bash "$kit/checker/class/services/build.sh" >&2
submission=$checkout
[ ! -d "$checkout/exercises/$EX" ] || submission=$checkout/exercises/$EX
bash "$kit/checker/class/services/grade.sh" classroom50 "$EX" "$submission" "$LIMIT" "$SEED" >"$kit/result.json"
mv "$kit/result.json" "$checkout/result.json"
