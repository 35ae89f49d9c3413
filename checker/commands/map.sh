#!/usr/bin/env bash
# make map: a picture of who touched what, from a run of the student's files in the simulator. SHAPE=2x1025 CHUNK=1024 choose
# the call (of fused_softmax: ROWS_PER_BLOCK), CASE=partials.tail a check. Of online_softmax, which is plain C, the list with its
# chunks and the states of the student's functions: SHAPE=45 CHUNK=10. Writes results/local/EX/map.png and .svg. Ends
# with 0, with 2 where nothing is written yet, with 3 where nothing was drawn.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
trap 'echo "Stopped."; exit 130' INT

require_exercise map
require_matrices map
has_operator "$EX" ||
    stop "$EX has stages and no operator: make map draws $(all_words "$(operator_exercises "")")."
source='' implementation='' name=''
find_submission "$invoked_in"
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
[ -z "${CASE:-}" ] || [ -z "${SHAPE:-}" ] || stop "CASE and SHAPE are both set: give one of them."
parameter_name=$(exercise_parameter "$EX")
parameter_name=${parameter_name^^} parameter=''
[ "$parameter_name" = NONE ] || parameter=${!parameter_name:-${CHUNK:-}}
[[ ${parameter:-1} =~ ^[0-9]{1,6}$ ]] || stop "$parameter_name is a whole number, not '$parameter'."

results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
mkdir -p "$results/$EX" 2>/dev/null || stop "The folder $results/$EX cannot be made: nothing was drawn."
options=(--output "$results/$EX" --seed "${SEED:-1}")
[ -n "${CASE:-}" ] && options+=(--case "$CASE")
[ -n "${SHAPE:-}" ] && options+=(--shape "$SHAPE")
[ -n "$parameter" ] && options+=(--parameter "$parameter")
[ -n "${TYPE:-}" ] && options+=(--type "${TYPE^^}")

runner=build/runner-host
programs=(build/map)
if is_cuda "$EX"; then
    runner=build/runner-simulator
    programs+=(build/instrument build/remarks build/host-client)
fi
programs+=("$runner")
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the map" -f benchmarks/build.mk "${programs[@]}"
submission=$made_in/submissions/$EX-$name
mkdir -p "$submission" || exit 3
bash checker/compile_submission.sh "$EX" "$source" "$submission" >/dev/null 2>&1 || {
    cat "$submission/compile.log"
    stop "It does not compile, so there is nothing to draw."
}
build/map --exercise "$EX" --implementation "$implementation" --submission "$submission/submission.so" --source "$source" \
    --runner "$runner" "${options[@]}"
status=$?
[ $status -le 3 ] || exit 3
exit $status
