#!/usr/bin/env bash
# A class under GNU parallel: PARTS shards, here or, with PARALLEL="--sshlogin a,b,c", on other machines, which have the kit at
# the same place, and SUBMISSIONS and RESULTS on a shared disk. A part that was lost with its machine is begun again elsewhere
# (--retries); run the whole again, and what was graded is kept.
#
#   EX=split_softmax SUBMISSIONS=/shared/handed/in RESULTS=/shared/graded PARTS=8 bash docs/instructors/grade_parallel.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${EX:?an exercise}" "${SUBMISSIONS:?a folder of folders}" "${RESULTS:?a folder}"
parts=${PARTS:-4}
seq "$parts" | parallel --jobs "${MACHINE_JOBS:-1}" --retries 2 --workdir "$PWD" --quote \
    make grade "EX=$EX" "SUBMISSIONS=$SUBMISSIONS" "RESULTS=$RESULTS/part{}" "SHARD={}/$parts"
exec make merge "EX=$EX" "RESULTS=$(seq -f "$RESULTS/part%.0f" -s ' ' "$parts")" "OUTPUT=$RESULTS/class"
