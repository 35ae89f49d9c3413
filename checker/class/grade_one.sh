#!/usr/bin/env bash
# One submission, graded in its sandbox:  grade_one.sh WORK SLOT
# CLASS_KIT is the folder of the kit's copy, CLASS_ARGUMENTS what inside.sh takes; with CLASS_SANDBOX=no there is no sandbox.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
work=$1 slot=$2
read -ra arguments <<<"$CLASS_ARGUMENTS"

if [ "$CLASS_SANDBOX" = no ]; then
    mkdir "$work/tmp" && cp -al "$CLASS_KIT" "$work/kit" && rmdir "$work/kit/submission" &&
        mv "$work/submission" "$work/kit/submission" && cd "$work/kit" || exit 3
    exec env TMPDIR="$work/tmp" bash checker/class/inside.sh "$work/out" "$work/tmp" "${arguments[@]}" 2>"$work/sandbox.log"
fi
sandbox_prepare "$work" "$slot" "$CLASS_KIT" || exit 3
sandbox_enter bash checker/class/inside.sh /results /tmp "${arguments[@]}" 2>"$work/sandbox.log"
