#!/usr/bin/env bash
# make list: the exercises, their state and their last score (checker/commands/list.c reads the results).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

build "the workshop's programs" build/list
mapfile -t names < <(exercises)
build/list "${names[@]}"
echo "Start with online_softmax, then fused_softmax, then split_softmax; docs/README.md leads to their lessons."
