#!/usr/bin/env bash
# make report: one page of HTML with the score, the sweep, the comparison, a map and the student's own answers, from what the
# other commands left in results/local/EX; the map is drawn anew. Writes results/local/EX/report.html and, once, answers.md.
# Ends with 0, or with 3 where nothing was written.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh
trap 'echo "Stopped."; exit 130' INT

require_exercise report
source='' implementation=''
find_submission "$invoked_in"
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
folder=$results/$EX
check=$folder/last.json
[ "$implementation" = exercise ] && [ -f "$check" ] || check=$folder/check.json
[ -f "$check" ] || stop "Nothing of $EX has been checked yet, so there is nothing to report: make check EX=$EX first."

# The questions of the lesson, with room under each. What the student has written stays.
begin_answers() {
    local lesson
    lesson=$(exercise_lesson "$EX")
    echo "# $EX: my answers"
    echo
    echo "<!-- Yours: make report takes it in and never writes over it. Paragraphs, lists with *, and \`code\`. -->"
    echo
    echo "## My hypothesis, before I measured"
    echo
    echo "## What I measured, and my explanation"
    echo
    echo "## Done when"
    [ -n "$lesson" ] && awk '
        /^## / { inside = $0 == "## Done when" }
        inside && /^ +[0-9]+\. / { if (open) print "\n"; sub(/^ +/, ""); printf "\n### %s", $0; open = 1; next }
        inside && open && /^     +[^ ]/ { sub(/^ +/, " "); printf "%s", $0; next }
        open { print "\n"; open = 0 }
        END { if (open) print "\n" }' "$lesson"
}

[ -e "$folder/answers.md" ] || begin_answers >"$folder/answers.md" ||
    stop "$folder/answers.md cannot be written: nothing was reported."

programs=(build/report)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the report" -f benchmarks/build.mk "${programs[@]}"
CASE='' SHAPE='' CHUNK='' bash checker/commands/map.sh >/dev/null 2>&1 || rm -f "$folder/map.svg" "$folder/map.png"
mkdir -p "$made_in/submissions"
digests_of "$source" >"$made_in/submissions/$EX-digests"
describe_environment simulator >"$made_in/submissions/$EX-environment"
options=()
[ -n "$(find -L "$source" -maxdepth 1 -type f -newer "$check" -name '*.c*')" ] && options+=(--old)
build/report --exercise "$EX" --folder "$folder" --implementation "$implementation" --date "$(date +%Y-%m-%d)" \
    --digests "$made_in/submissions/$EX-digests" --environment "$made_in/submissions/$EX-environment" "${options[@]}" || exit 3
echo "Your hypothesis, explanation and answers: $folder/answers.md, then make report again."
