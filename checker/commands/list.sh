#!/usr/bin/env bash
# make list: the exercises, their state and their last score (build/checker reads the results).
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

build "the checker" build/checker
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
build/checker --scores "$results"
echo "Start with $(exercises | paste -sd , | sed 's/,/, then /g'); docs/README.md leads to their lessons."
