#!/usr/bin/env bash
# Laptops as they are: NO_COLOR, TERM=dumb, a locale that is not UTF-8 and has a decimal comma, a path with blanks and a quote in it,
# a user who is not root, a kit in a read-only place with RESULTS elsewhere.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
bash -c 'source checker/commands/common.sh; build "the checker" programs build/class; build "the comparison" -f benchmarks/build.mk build/compare' || exit 1
EX=online_softmax
folder=$(mktemp -d) && chmod 711 "$folder" || exit 1
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
silent_about() { ! grep -qaE -e "$1" <<<"$said"; }
mkdir -p "$folder/class/one" "$folder/class/two" && chmod 755 "$folder/class"
cp solutions/$EX/$EX.c "$folder/class/one/"
cp exercises/$EX/$EX.c "$folder/class/two/"
patch -s -p 1 -d "$folder/class/one" <checker/tests/submissions/$EX/faulty/no_shift.patch
expected='1,"one",failed,53,100,7,35,11,"" 2,"two",incomplete,0,100,0,0,0,""'
table() { tr -d '\r' <"$1/$EX/grades.csv" 2>/dev/null | sed 1d | paste -sd ' '; }

# ---- a terminal, by util-linux's script ----
# Usage: in_terminal VARIABLE=VALUE...
in_terminal() {
    said=$(env "$@" RESULTS="$folder/terminal" script -qec "make check EX=$EX SUBMISSION=$folder/class/one STAGE=merge" /dev/null 2>&1 </dev/null)
    status=''
}
escape=$'\e'
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    in_terminal TERM=xterm NO_COLOR=
    expect "a terminal gets colours" says "$escape\[[0-9;]*m"
    in_terminal TERM=xterm NO_COLOR=1
    expect "with NO_COLOR there are none" silent_about "$escape\[[0-9;]*m"
    expect "and the score is there" says "Score: 35 of 100 points"
    in_terminal TERM=dumb NO_COLOR=
    expect "TERM=dumb gets no escape at all" silent_about "$escape"
    expect "and the score is there, too" says "Score: 35 of 100 points"
else
    echo "Not tested: a terminal, for script (util-linux) makes none here"
fi

# ---- a locale that is not UTF-8 ----
# Usage: report_of VARIABLE=VALUE...   without the line of times
report_of() { env "$@" RESULTS="$folder/locale" make check EX=$EX SUBMISSION="$folder/class/one" 2>&1 </dev/null; }
plain=$(report_of LC_ALL=C.UTF-8)
said=$(report_of LC_ALL=C)
expect "in the locale C the report is the same" [ "$said" = "$plain" ]
if localedef -i de_DE -f ISO-8859-1 "$folder/de_DE.ISO-8859-1" >/dev/null 2>&1; then
    said=$(report_of LOCPATH="$folder" LC_ALL=de_DE.ISO-8859-1 LANGUAGE=de)
    expect "in a locale of ISO 8859-1 with a decimal comma the report is the same" [ "$said" = "$plain" ]
    expect "check.json has points in its numbers" grep -qE '"seconds": [0-9.e-]+$' "$folder/locale/$EX/check.json"
    said=$(LOCPATH=$folder LC_ALL=de_DE.ISO-8859-1 make compare EX=$EX SUBMISSION="$folder/class/one" RESULTS="$folder/locale" 2>&1 </dev/null)
    status=$?
    expect "make compare ends with 0 there" ends_with 0
else
    echo "Not tested: a locale with a decimal comma, for Debian's package locales is not installed"
fi

# ---- another place, another user ----
kit="$folder/a kit's place"
mkdir "$kit" && git ls-files -z 2>/dev/null | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
    xargs -0 cp --parents -p -t "$kit" && cp -a build "$kit/build" && rm -rf "$kit/build/submissions" "$kit/build/checks"
mkdir "$folder/home" "$folder/results" "$folder/read only"
as=()
if [ "$(id -u)" = 0 ]; then # a user who is not root, and whom nobody else is
    as=(setpriv --reuid 64999 --regid 64999 --clear-groups)
    chown -R 64999:64999 "$kit" "$folder/home" "$folder/results" "$folder/read only"
fi
# Usage: there STATUS WORDS MAKE_ARGUMENTS...
there() {
    local wanted=$1 words=$2
    shift 2
    said=$(cd "$kit" && env HOME="$folder/home" XDG_CACHE_HOME= SANDBOX="$sandbox" "${as[@]}" make "$@" 2>&1 </dev/null)
    status=$?
    expect "$place: make $* ends with $wanted" ends_with "$wanted"
    expect "$place: make $* says $words" says "$words"
    expect "$place: make $* has no noise of shells" silent_about '^(/bin/sh|bash|mkdir|make|cp|rm|mv):|: line [0-9]+: |Permission denied'
}
# That user's own sandboxes: the setting may be another for root.
sandbox=
# shellcheck disable=SC2016 # for the shell of that user
why=$(cd / && "${as[@]}" bash -c 'cd "$1" && source checker/class/sandbox.sh && sandbox_probe' bash "$kit" 2>&1) || {
    echo "Not tested: sandboxes of a user who is not root. $why"
    sandbox=no
}
place="as a user who is not root, in a path with blanks and a quote"
there 0 "100 of 100 points" check EX=$EX SOLUTION=1
there 1 "Score: 53 of 100" check EX=$EX SUBMISSION="$folder/class/one" RESULTS="$folder/results"
there 0 "2 submissions: 2 graded now" grade EX=$EX SUBMISSIONS="$folder/class" RESULTS="$folder/results"
expect "$place: the class has its grades" [ "$(table "$folder/results")" = "$expected" ]

place="a kit in a read-only place"
rm -rf "$kit/build/submissions" "$kit/build/checks" "$kit/results/local"
chmod -R a-w "$kit"
there 0 "100 of 100 points" check EX=$EX SOLUTION=1 RESULTS="$folder/read only"
there 0 "Score: 35 of 100" check EX=$EX SUBMISSION="$folder/class/one" RESULTS="$folder/read only" STAGE=merge
there 0 "not checked yet|of 100" list RESULTS="$folder/read only"
there 0 "hint 1 of" hint EX=$EX RESULTS="$folder/read only"
there 0 "hint 2 of" hint EX=$EX RESULTS="$folder/read only"
there 0 "yours in $folder/class/one beside the solution" compare EX=$EX SUBMISSION="$folder/class/one" RESULTS="$folder/read only"
there 0 "2 submissions: 2 graded now" grade EX=$EX SUBMISSIONS="$folder/class" RESULTS="$folder/read only"
expect "$place: the class has its grades" [ "$(table "$folder/read only")" = "$expected" ]
said=$(find "$kit" -newer "$folder/read only/$EX/class.json" -type f)
expect "$place: nothing was written into it" [ -z "$said" ]
there 3 "cannot be made|read-only|RESULTS" hint EX=$EX
end_test
