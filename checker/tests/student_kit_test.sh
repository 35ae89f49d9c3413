#!/usr/bin/env bash
# make student-kit: what is in the archive and what is not, and README's commands in it, unpacked. What the kit builds is taken from
# here, for building it anew takes a minute; services_machine.sh does all of it on a machine that has nothing.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
silent_about() { ! grep -qE -e "$1" <<<"$said"; }

said=$(make student-kit RESULTS="$folder" 2>&1 </dev/null)
status=$?
expect "make student-kit ends with 0" ends_with 0
archive=$folder/softmax-workshop-student.tar.gz
said=$(tar -tzf "$archive")
expect "no tests, mutants or local results are in it" silent_about '/(tests|mutants|\.git|local)/|submissions\.md|mutants\.md'
expect "of the solutions there are names and programs only" \
    [ -z "$(grep '/solutions/.' <<<"$said" | grep -vE '/$|/sealed/(submission|device)\.so$|\.cu?$')" ]
tar -C "$folder" -xzf "$archive"
kit=$folder/softmax-workshop

# Lines of the solutions that say something, and stand nowhere else in the kit: none may be in the archive, a program included.
git ls-files | grep -vE '^(solutions/|checker/tests/|docs/)' | tr '\n' '\0' | xargs -0 cat >"$folder/elsewhere"
find solutions -name '*.c' -o -name '*.cu' | tr '\n' '\0' | xargs -0 cat | sed 's/^ *//' | grep -E '.{45}' | sort -u >"$folder/lines"
sed 's/^ *//' "$folder/elsewhere" | sort -u | comm -13 - "$folder/lines" >"$folder/telling"
expect "the solutions have lines that tell" [ "$(wc -l <"$folder/telling")" -gt 100 ]
said=$(grep -rlFf "$folder/telling" "$kit/exercises" "$kit/solutions" "$kit/checker" "$kit/benchmarks" "$kit/results" 2>/dev/null)
expect "no line of a solution's source is in it" [ -z "$said" ]
said=$(find "$kit/solutions" -name '*.so' -exec readelf -SW {} +)
expect "the sealed programs have no debugging information and no inner names" silent_about '\.debug|\.symtab'
said=$(cat "$kit/README.md")
expect "README says nothing of what is not there" silent_about 'make test|make grade|For instructors'
said=$(make -C "$kit" --no-print-directory help)
expect "make help neither" silent_about 'make (test|grade|lint|mutants|gradescope|student-kit)'
said=$(grep -rnoE '\]\([^)#: ]+' "$kit"/*.md "$kit"/docs/*.md | while IFS=: read -r page _ link; do
    [ -e "${page%/*}/${link#](}" ] || echo "$page: $link"
done)
expect "no link in its pages leads nowhere" [ -z "$said" ]

# ---- README's commands, in a kit whose programs are built ----
cp -a build "$kit/build" && rm -rf "$kit/build/submissions" "$kit/build/checks" "$kit/build/counts"
# Usage: in_kit STATUS WORDS MAKE_ARGUMENTS...
in_kit() {
    local wanted=$1 words=$2
    shift 2
    said=$(make -C "$kit" --no-print-directory "$@" 2>&1 </dev/null)
    status=$?
    expect "make $* ends with $wanted" ends_with "$wanted"
    expect "make $* says $words" says "$words"
}
in_kit 0 "100 of 100 points" setup check EX=online_softmax SOLUTION=1
in_kit 0 "not checked yet" list
in_kit 2 "0 of 100 points" check EX=online_softmax
in_kit 0 "hint 1 of" hint EX=online_softmax
in_kit 2 "not written yet" run EX=fused_softmax SHAPE=2x5
in_kit 0 "Score of the solution: 25 of 100 points \(5 of 5 checks passed\)" check EX=fused_softmax SOLUTION=two_warps STAGE=rows
mkdir "$folder/mine" && cp checker/tests/submissions/online_softmax/correct/tree/* "$folder/mine/"
in_kit 0 "yours in $folder/mine beside the solution" compare EX=online_softmax SUBMISSION="$folder/mine"
in_kit 0 "this kit has the solutions compiled only" compare EX=online_softmax SUBMISSION="$folder/mine" DIFF=1
in_kit 1 "There is no 'make test'" test
end_test
