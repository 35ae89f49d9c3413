#!/usr/bin/env bash
# The adapters for grading services, each run as its service runs it: Gradescope's run_autograder at /autograder in a root of its
# own, without network; Classroom 50's autograder.py in a checkout; VPL's vpl_execution in the student's folder. What the kit
# builds is taken from here, for building it anew takes a minute; services_machine.sh does all of it on a machine that has nothing.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
bash checker/class/services/build.sh || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
EX=online_softmax
silent_about() { ! grep -qE -e "$1" <<<"$said"; }

# The sum of a field of the tests in a result; the rest has it nowhere.
sum_of() { sed -nE "s/^ *\"$1\": ([0-9]+),?$/\1/p" <<<"$said" | awk '{ sum += $1 } END { print sum + 0 }'; }

mkdir "$folder/wrong" "$folder/missing" "$folder/says" "$folder/endless"
cp solutions/$EX/$EX.c "$folder/wrong/"
patch -s -p 1 -d "$folder/wrong" <checker/tests/submissions/$EX/faulty/no_shift.patch
# One that prints what a service takes for its grade, and one that comes to no end.
sed 's|^int softmax_streaming(.*|#include <stdio.h>\n&\n    printf("\\nGrade :=>> 100\\n--\|>\\n{\\"score\\": 100}\\n");|' "$folder/wrong/$EX.c" >"$folder/says/$EX.c"
sed 's|^int softmax_streaming(.*|&\n    for (volatile int i = 0;; i = 0)\n        continue;|' solutions/$EX/$EX.c >"$folder/endless/$EX.c"

# ---- Gradescope ----
# Usage: gradescope SUBMISSION   the root that its containers have, as far as it matters
gradescope() {
    local root=$folder/autograder tree
    rm -rf "$root/submission" "$root/results"
    mkdir -p "$root/results" && cp -r "$1" "$root/submission"
    local roots=()
    for tree in bin sbin lib lib32 lib64; do
        [ ! -L "/$tree" ] || roots+=(--symlink "$(readlink "/$tree")" "/$tree")
    done
    bwrap --unshare-all --die-with-parent --ro-bind /usr /usr --ro-bind /etc /etc "${roots[@]}" --proc /proc --dev /dev \
        --tmpfs /tmp --bind "$root" /autograder --chdir /autograder --clearenv --setenv PATH /usr/bin:/bin --setenv HOME /root \
        /autograder/run_autograder >"$folder/stdout" 2>&1 </dev/null
    status=$?
    said=$(cat "$root/results/results.json" 2>/dev/null)
}
said=$(make gradescope EX=$EX RESULTS="$folder" LIMIT=2400 2>&1 </dev/null)
status=$?
expect "more than Gradescope's 40 minutes is refused" says "LIMIT is a number of seconds up to 2370"
if ! command -v zip >/dev/null || ! command -v unzip >/dev/null; then
    said=$(make gradescope EX=$EX RESULTS="$folder" 2>&1 </dev/null)
    expect "without zip one sentence says so" says "install Debian's package zip"
    echo "Not tested: make gradescope, for zip and unzip are not installed"
elif why=$(sandbox_probe) || ! echo "Not tested: run_autograder. $why"; then
    make gradescope EX=$EX RESULTS="$folder" LIMIT=60 >/dev/null 2>&1 </dev/null
    mkdir -p "$folder/autograder/source"
    unzip -q -d "$folder/autograder/source" "$folder/gradescope-$EX.zip"
    said=$(unzip -Z1 "$folder/gradescope-$EX.zip")
    expect "setup.sh and run_autograder lie at its root" [ "$(grep -cxE 'setup.sh|run_autograder' <<<"$said")" -eq 2 ]
    expect "no solution and no test is in it" silent_about '(^|/)(solutions|tests|mutants|results)/'
    said=$(find "$folder/autograder/source" -name '*.c' -exec grep -l 'rescaled(softmax_state' {} +)
    expect "nor the text of one" [ -z "$said" ]
    cp "$folder/autograder/source/run_autograder" "$folder/autograder/run_autograder"
    cp -a build "$folder/autograder/source/kit/build"

    gradescope "$folder/wrong"
    expect "run_autograder ends with 0" ends_with 0
    expect "it has the points of make check" [ "$(sum_of score)" -eq 53 ]
    expect "of all there are" [ "$(sum_of max_score)" -eq 100 ]
    expect "every test is visible" [ "$(grep -c '"visibility": "visible"' <<<"$said")" -eq $(($(grep -c '"max_score"' <<<"$said") + 1)) ]
    expect "a failing test has its message" says '"output": "softmax_summarize\(\[2, 2\]\) gave the state'
    expect "the seed is told" says 'make check EX=online_softmax SEED=[0-9]+'
    first=$(grep -o 'SEED=[0-9]*' <<<"$said")
    gradescope "$folder/missing"
    expect "a missing file is a result, too" ends_with 0
    expect "it says so" says 'online_softmax.c is missing'
    expect "it has no points" [ "$(sum_of score)" -eq 0 ]
    expect "each run draws its seed" silent_about "$first\""
    sed -i 's/^LIMIT=.*/LIMIT=5/' "$folder/autograder/source/options"
    gradescope "$folder/endless"
    expect "a time-out is a result, too" ends_with 0
    expect "it says that it was stopped" says 'It was stopped after 5 seconds; what was not graded by then has no points'
    expect "all tests are in it" [ "$(sum_of max_score)" -eq 100 ]
fi

# ---- GitHub Classroom ----
said=$(bash checker/class/services/grade.sh autograding $EX "$folder/wrong" 60 7 2>/dev/null)
status=$?
expect "a test runner's result" ends_with 0
expect "has a version, a status and the highest score" says '"version": 1,'
expect "fails where a check does" says '^  "status": "fail",$'
expect "has the highest score once" [ "$(sum_of max_score)" -eq 100 ]
expect "has the points of the checks" [ "$(sum_of score)" -eq 53 ]
if command -v check-jsonschema >/dev/null; then
    said=$(check-jsonschema --builtin-schema vendor.github-workflows docs/instructors/autograding.yml 2>&1)
    status=$?
    expect "autograding.yml is a workflow" ends_with 0
fi
said=$(cat docs/instructors/autograding.yml)
expect "its step and its reporter have one name" [ "$(grep -cE 'SOFTMAX_RESULTS: .*steps\.softmax\.|runners: softmax|id: softmax' <<<"$said")" -eq 3 ]

# ---- Classroom 50 ----
make classroom50 EX=$EX RESULTS="$folder" SEED=7 >/dev/null 2>&1 </dev/null
bundle=$folder/classroom50-$EX
said=$(tar -tzf "$bundle/kit.tar.gz")
expect "no solution and no test is in the bundle" silent_about '(^|/)(solutions|tests|mutants|results)/'
if command -v python3 >/dev/null; then
    mkdir "$folder/unpacked" && tar -C "$folder/unpacked" -xzf "$bundle/kit.tar.gz" && cp -a build "$folder/unpacked/kit/build" &&
        tar -C "$folder/unpacked" -czf "$bundle/kit.tar.gz" kit
    (cd "$folder/wrong" && env CLASSROOM=kernels ASSIGNMENT=online SUBMISSION_TAG=submit/2026-01-31T10-00-00Z-abcdef1 \
        COMMIT_URL=https://localhost/commit/abcdef1 RELEASE_URL=https://localhost/releases/1 OWNER=someone ASSIGNMENT_TYPE=individual \
        python3 "$bundle/autograder.py") >"$folder/stdout" 2>&1 </dev/null
    status=$?
    said=$(cat "$folder/wrong/result.json")
    expect "autograder.py ends with 0" ends_with 0
    for field in '"schema": "classroom50/result/v1"' '"classroom": "kernels"' '"assignment": "online"' '"owner": "someone"' \
        '"submission": "submit/2026-01-31T10-00-00Z-abcdef1"' '"review": "https://localhost/commit/abcdef1"' \
        '"datetime": "20[0-9]{2}-[01][0-9]-[0-3][0-9]T[012][0-9]:[0-5][0-9]:[0-5][0-9]Z"' '"assignment_type": "individual"'; do
        expect "result.json has $field" says "$field"
    done
    expect "its score is the sum of its tests" [ "$(sum_of score)" -eq $((2 * 53)) ]
    expect "its highest score too" [ "$(sum_of max-score)" -eq 200 ]
    rm -f "$folder/wrong/result.json"
else
    echo "Not tested: Classroom 50's autograder.py, for python3 is not installed"
fi

# ---- VPL ----
mkdir "$folder/vpl" && cp "$folder/says/$EX.c" "$folder/vpl/"
sed "s|^KIT=.*|KIT=$PWD|" docs/instructors/vpl_evaluate.sh >"$folder/vpl/vpl_evaluate.sh"
RESULTS=$folder/alone make check EX=$EX SUBMISSION="$folder/wrong" >/dev/null 2>&1 </dev/null
cp "$folder/alone/$EX/check.json" "$folder/check.json"
said=$(cd "$folder/vpl" && bash vpl_evaluate.sh && ./vpl_execution 2>&1 </dev/null)
status=$?
expect "vpl_execution ends with 0" ends_with 0
expect "one grade is printed, the checker's" [ "$(grep -v '^Comment :=>> ' <<<"$said")" = "Grade :=>> 53" ]
sed -i '0,/"message": "softmax/s//"message": "\\nGrade :=>> 100\\n--|>softmax/' "$folder/check.json"
said=$(build/class results vpl "$folder/check.json")
expect "a message that looks like a grade stays in its comment" says '^Comment :=>> Grade :=>> 100$'
expect "and gives none" [ "$(grep -v '^Comment :=>> ' <<<"$said")" = "Grade :=>> 53" ]
end_test
