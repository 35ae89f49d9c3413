#!/usr/bin/env bash
# make check: grades the files of an exercise. Finds the submission (SOLUTION, SUBMISSION, or the student's own),
# builds what is needed, compiles the submission and hands it to build/checker, whose status it ends with:
# 0 all passed, 1 something failed, 2 a stub is not filled in, 3 nothing could be graded.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh

require_exercise check

source='' implementation='' name=''
find_submission "$invoked_in"

# ---- options ----
case ${RUNTIME:-simulator} in
simulator) ;;
cuda) stop "RUNTIME=cuda is not part of this version of the workshop: it grades on the simulator, on the CPU." ;;
*) stop "RUNTIME is simulator, not '$RUNTIME'." ;;
esac
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
options=()
[ -n "${SEED:-}" ] && options+=(--seed "$SEED")
[ -n "${CASE:-}" ] && options+=(--case "$CASE")
[ "${V:-}" = 1 ] && options+=(--verbose)

# ---- build, compile, grade ----
runner=build/runner-simulator
[ "$EX" = online_softmax ] && runner=build/runner-host
if [ -e /usr/include/gnumake.h ]; then
    build "the checker" build/checker $runner build/translate build/make_exit.so
else
    build "the checker" build/checker $runner build/translate
fi
submission=build/submissions/$EX-$name
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
mkdir -p "$submission" "$results/$EX" || exit 3
# Where it does not compile there is no submission.so, and the checker shows the log.
bash checker/compile_submission.sh "$EX" "$source" "$submission" >/dev/null 2>&1
build/checker --exercise "$EX" --implementation "$implementation" \
    --submission "$submission/submission.so" --source "$source" --runner $runner \
    --output "$results/$EX/check.json" --compile-log "$submission/compile.log" "${options[@]}"
status=$?
[ $status -le 3 ] || exit 3 # wrong options, or the checker itself failed: it has said so
exit $status
