#!/usr/bin/env bash
# make agree A=x.json B=y.json: do two records of make bench agree? Ends with 0 where all medians over 10 us are within
# 5 %, 1 where one is not, 3 where nothing could be compared.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh

if [ -z "${A:-}" ] || [ -z "${B:-}" ]; then
    stop "Two records are compared: make agree A=x.json B=y.json."
fi
build "the program" -f benchmarks/build.mk build/agree
build/agree "$(path_from "$invoked_in" "$A")" "$(path_from "$invoked_in" "$B")"
