#!/usr/bin/env bash
# make grade: a whole class. Each folder in SUBMISSIONS is one submission of the exercise EX, graded in a sandbox of its own.
#
#   SUBMISSIONS=<folder>  of folders          RESULTS=<folder>   results go to <folder>/<EX> (results/local/class/<EX>)
#   JOBS=4                at the same time (all processors)      SEED=7, RUNTIME=  as for make check
#   LIMIT=600             seconds for one                        MEMORY=12288       MiB for one
#   SHARD=3/10            the third of ten parts of the class    FRESH=1            also what was graded before
#   SANDBOX=no            without a sandbox: for submissions of people you trust
#
# What was graded before with the same kit, seed, limits and files is not graded again. Ends with 0: all are graded, whatever
# their grades; 1: some could not be; 3: nothing was done; 130: stopped by Ctrl-C.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/runtime.sh
source checker/commands/runtime.sh
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
# shellcheck source=checker/class/kit.sh
source checker/class/kit.sh
# shellcheck source=checker/class/alike.sh
source checker/class/alike.sh
# shellcheck source=checker/class/report.sh
source checker/class/report.sh

require_exercise grade
[ -n "${SUBMISSIONS:-}" ] || stop "Where are the submissions? make grade EX=$EX SUBMISSIONS=<a folder with a folder for each submission>."
submissions=$SUBMISSIONS
[[ $submissions = /* ]] || submissions=$invoked_in/$submissions
[ -d "$submissions" ] || stop "SUBMISSIONS names the folder $SUBMISSIONS, and there is no such folder."
[[ ${SEED:-1} =~ ^[0-9]{1,18}$ ]] || stop "SEED is a whole number, not '$SEED'."
[[ ${JOBS:-1} =~ ^[1-9][0-9]{0,2}$ ]] || stop "JOBS is how many to grade at the same time, from 1, not '$JOBS'."
[[ ${LIMIT:-600} =~ ^[1-9][0-9]{0,4}$ ]] || stop "LIMIT is a number of seconds, not '$LIMIT'."
[[ ${MEMORY:-12288} =~ ^[1-9][0-9]{0,6}$ ]] || stop "MEMORY is a number of MiB, not '$MEMORY'."
shard=${SHARD:-1/1}
[[ $shard =~ ^([1-9][0-9]{0,3})/([1-9][0-9]{0,3})$ ]] && [ "${BASH_REMATCH[1]}" -le "${BASH_REMATCH[2]}" ] ||
    stop "SHARD is which part of how many, such as 3/10, not '$SHARD'."
runtime='' runner='' unavailable=''
choose_runtime
[ -z "$unavailable" ] || stop "$unavailable"
[ "${SANDBOX:-}" = no ] || [ -z "${SANDBOX:-}" ] || stop "SANDBOX is no, or left out, not '$SANDBOX'."
export CLASS_SANDBOX=${SANDBOX:-yes} CLASS_RUNTIME=$runtime
[ "$CLASS_SANDBOX" = no ] || sandbox_probe ||
    stop "Nothing was graded. SANDBOX=no grades without sandboxes: only for submissions of people you trust with this machine."

programs=(build/checker build/class "$runner")
[ "$runtime" = host ] || programs+=(build/instrument build/remarks build/host-client)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"

results=${RESULTS:-results/local/class}
[[ $results = /* || -z ${RESULTS:-} ]] || results=$invoked_in/$results
results=$results/$EX
mkdir -p "$results/submissions" 2>/dev/null || stop "The folder $results cannot be made: nothing was graded."
exec 7>"$results/lock" && flock -n 7 || stop "Another make grade is at work with $results."

# Short-lived things lie where every user may go, for as root each sandbox is of another user. One that was killed left its own.
work=$(mktemp -d "${TMPDIR:-/tmp}/softmax-class.XXXXXX") && chmod 711 "$work" || stop "No folder for the work can be made in ${TMPDIR:-/tmp}."
trap 'rm -rf --one-file-system "$work"' EXIT
trap : INT TERM
left=$(cat "$results/work" 2>/dev/null)
[[ $left != */softmax-class.?????? ]] || rm -rf --one-file-system "$left"
echo "$work" >"$results/work"

kit_key=''
kit_copy "$work/kit" "$runtime" || stop "The kit could not be copied to $work: is the disk full?"
export CLASS_KIT=$work/kit CLASS_ARGUMENTS="$EX $runtime ${SEED:-1}" CLASS_FILES
CLASS_FILES=$(exercise_files "$EX" | paste -sd ' ')
export CLASS_KEY="$kit_key $CLASS_ARGUMENTS ${LIMIT:-600} ${MEMORY:-12288} $CLASS_SANDBOX"

echo "$EX: the submissions in $submissions$([ -z "${SHARD:-}" ] || echo ", part $shard"), $runtime, seed ${SEED:-1}, ${JOBS:-$(nproc)} at a time$([ "$CLASS_SANDBOX" != no ] || echo ", WITHOUT sandboxes")"
options=()
[ "${FRESH:-}" != 1 ] || options+=(--fresh)
build/class run --exercise "$EX" --submissions "$submissions" --results "$results" --work "$work" --kit "$kit_key" \
    --runtime "$runtime" --seed "${SEED:-1}" --shard "$shard" --jobs "${JOBS:-$(nproc)}" --seconds "${LIMIT:-600}" \
    --memory "${MEMORY:-12288}" --stage checker/class/stage.sh --grade checker/class/grade_one.sh "${options[@]}"
status=$?
[ $status -le 1 ] || exit $status
class_report "$EX" "$results" "$work" "$submissions" "$shard" || exit 3
rm -f "$results/work"
exit $status
