#!/usr/bin/env bash
#SBATCH --job-name=grade
#SBATCH --array=1-10
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
#SBATCH --output=grade-%A_%a.log
# A class under Slurm: a job array, a shard a task. KIT, SUBMISSIONS and RESULTS lie on a disk that all nodes have, KIT built
# once before (make check EX=... SOLUTION=1 does that), and bubblewrap is installed on the nodes.
#
#   export KIT=$PWD EX=split_softmax SUBMISSIONS=/shared/handed/in RESULTS=/shared/graded
#   job=$(sbatch --parsable docs/instructors/grade_slurm.sh)
#   sbatch --dependency=afterany:$job --wrap='cd "$KIT" && make merge EX="$EX" RESULTS="$(echo "$RESULTS"/part*)" OUTPUT="$RESULTS/class"'
set -euo pipefail
cd "${KIT:?where the kit lies}"
part=$SLURM_ARRAY_TASK_ID
exec make grade EX="${EX:?an exercise}" SUBMISSIONS="${SUBMISSIONS:?a folder of folders}" \
    RESULTS="${RESULTS:?a folder}/part$part" SHARD="$part/$SLURM_ARRAY_TASK_COUNT" JOBS="${SLURM_CPUS_PER_TASK:-1}"
