#!/usr/bin/env bash
# make check: grades the files of an exercise. Finds the submission (SOLUTION, SUBMISSION, or the student's own),
# builds what is needed, compiles the submission and hands it to build/checker, whose status it ends with:
# 0 all passed, 1 something failed, 2 a stub is not filled in, 3 nothing could be graded, 130 stopped by Ctrl-C.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
# shellcheck source=checker/commands/runtime.sh
source checker/commands/runtime.sh

# Ctrl-C: one line, and status 130. While the checker runs it is the checker that says it.
trap 'echo "Stopped before anything was graded."; exit 130' INT

require_exercise check

source='' implementation='' name=''
find_submission "$invoked_in"

# Adds the checks that CASE or STAGE names, or says what was meant.
choose_checks() {
    local ids stages id guess
    ids=$(build/checker --exercise "$EX" --list | awk '{ print $2 }')
    stages=$(cut -d . -f 1 <<<"$ids" | awk '!seen[$0]++')
    if [ -n "${STAGE:-}" ] && ! grep -qxF -e "$STAGE" <<<"$stages"; then
        guess=$(nearest "$STAGE" <<<"$stages")
        stop "$EX has no stage '$STAGE'.${guess:+ Did you mean STAGE=$guess?} Its stages: $(in_words "$stages")."
    fi
    CASE=${CASE:-${STAGE:+$STAGE.*}}
    [ -n "$CASE" ] || return
    while IFS= read -r id; do
        # shellcheck disable=SC2053 # it is a pattern
        [[ $id != $CASE ]] || { options+=(--case "$CASE") && return; }
    done <<<"$ids"
    if grep -qxF -e "$CASE" <<<"$stages"; then
        stop "No check of $EX has the id '$CASE', but a stage has that name: did you mean STAGE=$CASE, or CASE='$CASE.*'?"
    elif guess=$(nearest "${CASE%.\*}" <<<"$stages") && [ -n "$guess" ] && [[ $CASE = *.\* || $CASE != *.* ]]; then
        stop "No check of $EX has the id '$CASE'. Did you mean STAGE=$guess? Its stages: $(in_words "$stages")."
    fi
    guess=$(nearest "$CASE" <<<"$ids")
    stop "No check of $EX has the id '$CASE'.${guess:+ Did you mean CASE=$guess?} Its stages: $(in_words "$stages")."
}

# ---- options ----
runtime='' runner='' unavailable='' tools=''
choose_runtime
choose_tools
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
[[ ${SEEDS:-1} =~ ^[1-9][0-9]{0,4}$ ]] || stop "SEEDS is how many seeds to try, from 1 to 99999, not '$SEEDS'."
options=()
[ -n "${SEED:-}" ] && options+=(--seed "$SEED")
[ -n "${SEEDS:-}" ] && options+=(--seeds "$SEEDS")
[ "${V:-}" = 1 ] && options+=(--verbose)

# A GPU is shared by the checks that run at the same time; more than a few only wait for one another.
[ "$runtime" = cuda ] && options+=(--jobs "$(($(nproc) < 6 ? $(nproc) : 6))")
[ -n "$tools" ] && options+=(--sanitize "$tools" --patience 6) # a watched kernel runs far slower
[ -n "$unavailable" ] && options+=(--unavailable "$unavailable")

# ---- build, compile, grade ----
programs=(build/checker)
[ "$runtime" = simulator ] && programs+=(build/instrument build/remarks build/host-client)
[ -z "$unavailable" ] && programs+=("build/runner-$runtime")
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"
choose_checks
submission=$made_in/submissions/$EX-$name
[ "$runtime" = cuda ] && submission+=-cuda
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
mkdir -p "$submission" "$results/$EX" || exit 3
# Where it does not compile there is no submission.so, and the checker shows the log.
[ -n "$unavailable" ] || bash checker/compile_submission.sh "$EX" "$source" "$submission" "$runtime" >/dev/null 2>&1
trap : INT
build/checker --exercise "$EX" --implementation "$implementation" \
    --submission "$submission/submission.so" --source "$source" --runner "$runner" \
    --output "$results/$EX/check.json" --compile-log "$submission/compile.log" "${options[@]}"
status=$?
[ $status -le 3 ] || [ $status -eq 130 ] || exit 3 # wrong options, or the checker itself failed: it has said so
exit $status
