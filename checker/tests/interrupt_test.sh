#!/usr/bin/env bash
# Ctrl-C in make check: one line, status 130, what was graded is kept. A terminal sends SIGINT to make and all that it
# started, and so does this. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1

# An operator that never returns, in a file whose first stages are those of the solution: something is graded before.
mkdir "$folder/endless"
sed 's/^int softmax_streaming.*{$/&\n    for (volatile int again = 1; again;) {}/' solutions/online_softmax/online_softmax.c \
    >"$folder/endless/online_softmax.c"

# Does no process that runs name the submission, or what was compiled of it?
nothing_left() {
    local line
    for line in /proc/[0-9]*/cmdline; do
        line=$(tr '\0' ' ' 2>/dev/null <"$line") && [[ $line = *"$folder/"* || $line = *"$runs"* ]] && return 1
    done
    return 0
}
something_left() { ! nothing_left; }

check=$folder/results/online_softmax/check.json
set -m # a process group of its own, as a terminal gives one to a command
RESULTS=$folder/results make check EX=online_softmax SUBMISSION="$folder/endless" >"$folder/said" 2>&1 </dev/null &
make=$!
for ((tenths = 0; tenths < 600; tenths++)); do # until the checks that end have ended
    [ "$(grep -c '"status": *"pass"' "$check" 2>/dev/null || true)" -ge 11 ] 2>/dev/null && break
    sleep 0.1
done
runs=$(readlink -f build)/submissions/online_softmax-submission-$(printf %s "$folder/endless" | cksum | cut -d ' ' -f 1)
runs=${runs#"$PWD/"} # where the runner has its submission from
expect "something runs before" something_left
kill -INT -- -"$make"
wait "$make"
status=$?
set +m
said=$(cat "$folder/said")
one_line() { [ "$(wc -l <<<"$said")" -eq 1 ]; }
expect "Ctrl-C ends make check with 130" ends_with 130
expect "it says how many checks were made, and where they are" says "^Stopped: [0-9]+ of 17 checks were made, 65 of 100 points so far; they are in $check\.$"
expect "it says it in one line" one_line
expect "what was graded is kept" [ "$(grep -c '"status": *"pass"' "$check")" -ge 11 ]
expect "the others are listed as not run" grep -q 'not run yet' "$check"
expect "nothing that was started is left" nothing_left
expect "no status is left behind" [ -z "$(find build -maxdepth 1 -name "status-$make")" ]
end_test
