#!/usr/bin/env bash
# The manners of make: what it says to a misspelt name, how it ends, what it writes and what it leaves alone.
# Grades small submissions of online_softmax, so that nothing here hangs on what a student has written; and the variants
# of the solutions, which no other test runs.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Runs make, keeping what it says and how it ends.
run_make() {
    said=$(RESULTS="$folder/results" make "$@" 2>&1 </dev/null)
    status=$?
}

silent_about() { ! grep -qE -e "$1" <<<"$said"; }
one_line() { [ "$(wc -l <<<"$said")" -eq 1 ]; }
all_exercises_as_before() { [ "$(exercises_now)" = "$exercises_before" ]; }
exercises_now() { find exercises -type f -exec cksum {} + | sort; }
json_says() { grep -qE -e "$1" "$folder/results/online_softmax/check.json"; }
no_result() { [ ! -e "$folder/results" ]; }

exercises_before=$(exercises_now)
bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1

# ---- names and options ----
run_make check EX=split_sofmax
expect "a misspelt EX is answered with the nearest" says "Did you mean EX=split_softmax\?"
expect "a misspelt EX ends with 3" ends_with 3
expect "a misspelt EX takes one line, with no noise of make's" one_line

run_make check
expect "a missing EX is asked for" says "Which exercise\?"
expect "a missing EX ends with 3" ends_with 3

run_make check EX=online_softmax SOLUTION=no_such_variant
expect "an unknown variant is named" says "There is no solution 'no_such_variant'"
expect "an unknown variant ends with 3" ends_with 3

run_make check EX=online_softmax SUBMISSION="$folder/nowhere"
expect "a missing folder is named" says "$folder/nowhere.*no such folder"
expect "a missing folder ends with 3" ends_with 3

mkdir "$folder/empty"
run_make check EX=online_softmax SUBMISSION="$folder/empty"
expect "a missing file is named" says "empty/online_softmax.c is missing"
expect "a missing file ends with 3" ends_with 3

run_make check EX=online_softmax SEED=banana
expect "a wrong seed is refused" says "SEED is a whole number"
run_make check EX=online_softmax RUNTIME=gpu
expect "a wrong runtime is refused" says "RUNTIME is"
run_make check EX=online_softmax SOLUTION=1 SUBMISSION="$folder/empty"
expect "two sources are refused" says "give one of them"
expect "nothing was written for what was refused" no_result

# ---- what was meant ----
run_make check EX=split SOLUTION=1
expect "the beginning of an exercise's name is answered with all of it" says "Did you mean EX=split_softmax\?"
run_make check EX=online_softmax CASE=merge
expect "a stage given as a check is told" says "a stage has that name: did you mean STAGE=merge"
expect "a stage given as a check ends with 3" ends_with 3
expect "a stage given as a check takes one line" one_line
run_make check EX=online_softmax STAGE=merg
expect "a misspelt stage is answered with the nearest" says "Did you mean STAGE=merge\?"
expect "a misspelt stage lists the stages" says "Its stages: summarize, merge, streaming\."
expect "a misspelt stage ends with 3" ends_with 3
run_make check EX=online_softmax CASE=merge.by_hnd
expect "a misspelt check is answered with the nearest" says "Did you mean CASE=merge.by_hand\?"
expect "nothing was written for these either" no_result
run_make --no-print-directory -C exercises/online_softmax check SOLUTION=1 CASE='merge.*'
expect "in the folder of an exercise make knows which one" says "^online_softmax: the SOLUTION"
expect "in the folder of an exercise, too, it ends with 0" ends_with 0
run_make --no-print-directory -C exercises/online_softmax check STAGE=merg
expect "in the folder of an exercise, too, it ends with 3" ends_with 3
expect "in the folder of an exercise, too, it takes one line" one_line
rm -rf "$folder/results"

run_make chekc
expect "an unknown command leads to make help" says "make help"
expect "an unknown command ends with 1" ends_with 1
run_make help
expect "help documents the statuses" says "status 0 when all passed, 1 when something failed, 2 when"

# ---- a stub, the solution, a mistake ----
mkdir "$folder/stub" "$folder/broken" "$folder/a folder"
cat >"$folder/stub/online_softmax.c" <<'C'
#include "online_softmax.h"
#include <errno.h>
#include <math.h>
softmax_state softmax_summarize(const double *values, size_t count) {
    (void)values, (void)count;
    return (softmax_state){NAN, -1};
}
softmax_state softmax_merge(softmax_state a, softmax_state b) {
    (void)a, (void)b;
    return (softmax_state){NAN, -1};
}
int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    (void)values, (void)count, (void)chunk, (void)out;
    return ENOSYS;
}
C
run_make check EX=online_softmax SUBMISSION="$folder/stub"
expect "a stub ends with 2" ends_with 2
expect "a report has no noise of make's" silent_about '^make'
expect "check.json of a stub is incomplete" json_says '"status": *"incomplete"'
expect "check.json names a submission" json_says '"implementation": *"submission"'

run_make check EX=online_softmax SOLUTION=1
expect "the solution ends with 0" ends_with 0
expect "the first line says that it is the solution" grep -qi solution <(head -n 1 <<<"$said")
expect "check.json of the solution has passed" json_says '"status": *"passed"'
expect "check.json names the solution" json_says '"implementation": *"solution"'
expect "the solution has all 100 points" json_says '"score": *100\b'

cp solutions/online_softmax/online_softmax.c "$folder/a folder/"
run_make check EX=online_softmax SUBMISSION="$folder/a folder"
expect "a folder with a space in its name is graded" ends_with 0
cp solutions/online_softmax/online_softmax.c "$folder/empty/"
run_make check EX=online_softmax SUBMISSION="$(realpath --relative-to=. "$folder/empty")"
expect "a relative folder is graded" ends_with 0

{ cat "$folder/stub/online_softmax.c" && echo 'int mistake(void) { return undeclared_name; }'; } \
    >"$folder/broken/online_softmax.c"
line=$(grep -n undeclared_name "$folder/broken/online_softmax.c" | cut -d : -f 1)
run_make check EX=online_softmax SUBMISSION="$folder/broken"
expect "a compile error ends with 1" ends_with 1
expect "a compile error is shown with its line" says "online_softmax\.c:$line\b.*undeclared_name|online_softmax\.c:$line:"
expect "check.json of what does not compile has failed" json_says '"status": *"failed"'
expect "what does not compile has no points" json_says '"score": *0\b'

# ---- the variants of the solutions ----
for variant in solutions/*/*/; do
    variant=${variant#solutions/} variant=${variant%/}
    run_make check EX="${variant%/*}" SOLUTION="${variant#*/}"
    expect "the variant $variant ends with 0" ends_with 0
    expect "the report names the folder of $variant" says "^${variant%/*}: the SOLUTION in solutions/$variant, not your work"
    expect "the variant $variant has all 100 points" says "100 of 100 points"
    expect "check.json names the variant $variant" \
        grep -q "\"implementation\": *\"solution/${variant#*/}\"" "$folder/results/${variant%/*}/check.json"
done
run_make check EX=split_softmax SOLUTION=wideloads
# A folder stands for itself, so variants have copies of each other's files: two_kernel of wide_loads', auto of all.
plain=solutions/split_softmax
copy() { # THE_COPY THE_FILE
    expect "$1 is a copy of $2" cmp -s "$plain/$1" "$plain/$2"
}
copy cluster/stages.cuh split_softmax.cu
copy wide_loads/split_softmax.c split_softmax.c
for file in dependent stretch states; do
    copy "two_kernel/$file.cuh" "wide_loads/$file.cuh"
    copy "auto/$file.cuh" "wide_loads/$file.cuh"
done
copy two_kernel/stages.cuh wide_loads/split_softmax.cu
copy auto/stages.cuh wide_loads/split_softmax.cu
copy auto/merge_and_normalize.cuh two_kernel/merge_and_normalize.cuh
copy auto/two_kernel.h two_kernel/two_kernel.h
for file in row.cuh part.cuh group.cuh ptx.cuh cluster.h; do
    copy "auto/$file" "cluster/$file"
done
expect "a misspelt variant is answered with the nearest" says "Did you mean SOLUTION=wide_loads\?"
expect "a misspelt variant ends with 3" ends_with 3

expect "nothing was written into exercises/" all_exercises_as_before
end_test
