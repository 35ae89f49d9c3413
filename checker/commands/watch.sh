#!/usr/bin/env bash
# make watch: checks at each save, until Ctrl-C. Only what has changed is compiled. Shows the first failure, what to do next
# and the score, and how the score has changed. Takes the options of make check.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh

require_exercise watch
# shellcheck disable=SC2034 # find_submission sets them all
source='' implementation='' name=''
find_submission "$invoked_in"
[[ -z ${SUBMISSION:-} || $SUBMISSION = /* ]] || export SUBMISSION=$invoked_in/$SUBMISSION
report=$(mktemp) || exit 3
trap 'rm -f "$report"' EXIT
trap 'echo; echo "No longer watching $source."; exit 130' INT

# What the files are now: their contents, so that a save without a change is none. One that is just being written anew
# counts once it is there.
state() { find "$source" -maxdepth 1 -type f \( -name '*.c' -o -name '*.cu' -o -name '*.h' -o -name '*.cuh' \) -exec cksum {} + 2>/dev/null | sort; }

# The first failure in full, and the last lines, of a report.
shorten() {
    awk '/^(FAIL|CRASH|TIME) / && !seen { seen = 1; inside = 1 }
         inside && $0 == "" { inside = 0; print "" }
         inside { print }
         /^(Next:|A hint:|gdb, |Score|There is |Your files)/ && !inside { print }' "$1"
}

last='' score=''
echo "Watching $source: save a file and it is checked; Ctrl-C ends it."
while kill -0 "$PPID" 2>/dev/null; do # a make that was killed watches nothing any more
    now=$(state)
    if [ -n "$now" ] && [ "$now" != "$last" ]; then
        last=$now
        bash checker/commands/check.sh >"$report" 2>&1 </dev/null
        status=$?
        [ $status -ne 130 ] || exit 130
        printf '\n---- %(%H:%M:%S)T ----\n'
        if [ $status -eq 3 ]; then
            cat "$report"
        else
            shorten "$report"
        fi
        before=$score
        score=$(sed -nE 's/^Score[^:]*: ([0-9]+) of.*/\1/p' "$report")
        [ -z "$before" ] || [ -z "$score" ] || [ "$before" = "$score" ] || echo "It was $before before this save."
    fi
    sleep 0.3
done
