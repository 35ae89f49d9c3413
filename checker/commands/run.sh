#!/usr/bin/env bash
# make run: the operator of an exercise on a matrix of one's own (INPUT=x.npy), or on one that is drawn (SHAPE=4x1025), and
# each row beside the right one. OUTPUT=y.npy keeps the result. Ends with 0 all rows right, 1 not, 2 not written, 3 not run.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
# shellcheck source=checker/commands/runtime.sh
source checker/commands/runtime.sh
trap 'echo "Stopped."; exit 130' INT

require_exercise run
require_matrices run
has_operator "$EX" ||
    stop "$EX has no function that makes y of x as softmax does: make run takes $(all_words "$(operator_exercises "")")."
source='' implementation='' name=''
find_submission "$invoked_in"
runtime='' runner='' unavailable=''
choose_runtime
[ -z "$unavailable" ] || stop "$unavailable"
[ -z "${INPUT:-}" ] || [ -z "${SHAPE:-}" ] || stop "INPUT and SHAPE are both set: give one of them."
[ -n "${INPUT:-}${SHAPE:-}" ] || stop "Which matrix? make run EX=$EX INPUT=x.npy, or SHAPE=2x5 for one that is drawn."
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
parameter_name=$(exercise_parameter "$EX")
parameter_name=${parameter_name^^} parameter=''
[ "$parameter_name" = NONE ] || parameter=${!parameter_name:-${CHUNK:-}}
[[ ${parameter:-1} =~ ^[0-9]{1,18}$ ]] || stop "$parameter_name is a whole number, not '$parameter'."

# A file that the student names lies where make was called.
options=()
for option in input:"${INPUT:-}" output:"${OUTPUT:-}"; do
    file=${option#*:}
    [ -n "$file" ] || continue
    [[ $file = /* ]] || file=$invoked_in/$file
    options+=("--${option%%:*}" "${file#"$PWD/"}")
done
[ -n "${SHAPE:-}" ] && options+=(--shape "$SHAPE")
[ -n "${TYPE:-}" ] && options+=(--type "${TYPE^^}")
[ -n "$parameter" ] && options+=(--parameter "$parameter")
[ -n "${SEED:-}" ] && options+=(--seed "$SEED")
[ "${V:-}" = 1 ] && options+=(--all)

programs=(build/run "$runner")
[ "$runtime" = simulator ] && programs+=(build/instrument build/remarks build/host-client)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"
submission=$made_in/submissions/$EX-$name
[ "$runtime" = cuda ] && submission+=-cuda
mkdir -p "$submission" || exit 3
bash checker/compile_submission.sh "$EX" "$source" "$submission" "$runtime" >/dev/null 2>&1 || {
    cat "$submission/compile.log"
    stop "It does not compile, so there is nothing to run."
}
build/run --exercise "$EX" --implementation "$implementation" --submission "$submission/submission.so" \
    --source "$source" --runner "$runner" --runtime "$runtime" "${options[@]}"
status=$?
[ $status -le 3 ] || exit 3
exit $status
