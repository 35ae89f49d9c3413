#!/usr/bin/env bash
# run_autograder: grades /autograder/submission and leaves /autograder/results/results.json.
set -uo pipefail
cd /autograder/source || exit 1
# shellcheck disable=SC1091 # written by make gradescope
source ./options # EX, LIMIT, SEED
result=/autograder/results/results.json
mkdir -p "${result%/*}"
bash kit/checker/class/services/grade.sh gradescope "$EX" /autograder/submission "$LIMIT" "$SEED" >"$result.new" &&
    mv "$result.new" "$result"
