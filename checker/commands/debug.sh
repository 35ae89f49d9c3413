#!/usr/bin/env bash
# make debug: gdb in the thread, at the line, where a check fails (CASE=<id>). The check is made once, and what it sends is
# kept; gdb runs the same cases again, up to where it failed. SCRIPT=<file>: gdb does what is in it, and ends.
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

require_exercise debug
source='' implementation='' name=''
find_submission "$invoked_in"
[ "${RUNTIME:-simulator}" = simulator ] || stop "make debug runs on the simulator; on a GPU, cuda-gdb debugs your kernels."
RUNTIME=simulator
runtime='' runner='' unavailable=''
choose_runtime
command -v gdb >/dev/null || stop "make debug needs gdb, which make setup does not install: apt-get install gdb."
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
[ -z "${SCRIPT:-}" ] || [[ $SCRIPT = /* ]] || SCRIPT=$invoked_in/$SCRIPT
[ -z "${SCRIPT:-}" ] || [ -r "$SCRIPT" ] || stop "SCRIPT names a file of gdb commands, and there is no $SCRIPT."
programs=(build/checker "build/debug-$runtime")
! is_cuda "$EX" || programs+=(build/instrument build/remarks)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"

# One check: the one that CASE names, or the first that failed in the last make check of these files.
choose_case() {
    local ids guess results=${RESULTS:-results/local}
    [[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
    ids=$(build/checker --exercise "$EX" --list | awk '{ print $2 }')
    if [ -z "${CASE:-}" ]; then
        CASE=$(build/checker --print "$results/$EX/check.json" 2>/dev/null | awk -F '\t' -v of="$implementation" '
            $1 == "implementation" && $2 != of { exit }
            $1 == "checks" && /\tstatus=(fail|crash|timeout)\t/ { print substr($2, 4); exit }')
        [ -z "$CASE" ] || echo "CASE=$CASE, the first that failed in the last make check."
    fi
    [ -n "${CASE:-}" ] || stop "Which check? make debug EX=$EX CASE=<id>, with an id that make check EX=$EX shows."
    grep -qxF -e "$CASE" <<<"$ids" && return
    guess=$(nearest "$CASE" <<<"$ids")
    stop "No check of $EX has the id '$CASE'.${guess:+ Did you mean CASE=$guess?} make debug takes one id."
}
choose_case

submission=$made_in/submissions/$EX-$name-for-gdb
kept=build/debug/$EX-$name
rm -rf "$kept"
mkdir -p "$submission" "$kept" || exit 3
FOR_GDB=1 bash checker/compile_submission.sh "$EX" "$source" "$submission" "$runtime" >/dev/null 2>&1 || {
    cat "$submission/compile.log"
    stop "It does not compile, so there is nothing to debug."
}
build/checker --exercise "$EX" --implementation "$implementation" --submission "$submission/submission.so" \
    --source "$source" --runner "build/debug-$runtime" --case "$CASE" --jobs 1 --patience 1 --keep "$kept" \
    ${SEED:+--seed "$SEED"} >"$kept/report" 2>&1
[ -f "$kept/stop" ] || {
    cat "$kept/report"
    stop "The check could not be made."
}
program=("build/debug-$runtime" "$submission/submission.so" "$kept")
is_cuda "$EX" && grep -q '^write ' "$kept/stop" && "${program[@]}" count >/dev/null 2>&1 </dev/null
trap - INT
if [ -n "${SCRIPT:-}" ]; then
    gdb -q -nx -batch -x checker/debug/commands.gdb -x "$SCRIPT" --args "${program[@]}" 2>&1 </dev/null
else
    gdb -q -x checker/debug/commands.gdb --args "${program[@]}"
fi
exit 0
