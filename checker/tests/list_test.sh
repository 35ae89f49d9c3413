#!/usr/bin/env bash
# What make list shows: the last full check of the student's own files and the best, whatever is checked in between; and
# what a check says at a full score, and at a failure that can be drawn.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
results=$folder/results/online_softmax
mkdir -p "$results" "$folder/bad" "$folder/good" "$folder/split"
(build "the checker" build/checker build/runner-host build/runner-simulator build/host-client build/instrument build/remarks) || exit 1

# Two programs: the solution, and one that loses the points of the stage that has merged states only.
bash checker/compile_submission.sh online_softmax solutions/online_softmax "$folder/good" >/dev/null 2>&1 || exit 1
mkdir "$folder/source"
sed 's/^softmax_state softmax_merge(softmax_state a, softmax_state b) {/&\n    if (a.max != b.max) return a;/' \
    solutions/online_softmax/online_softmax.c >"$folder/source/online_softmax.c"
bash checker/compile_submission.sh online_softmax "$folder/source" "$folder/bad" >/dev/null 2>&1 || exit 1

# check PROGRAM OPTION...: as make check of the student's own files.
check() {
    said=$(build/checker --exercise online_softmax --implementation exercise --submission "$folder/$1/submission.so" \
        --source solutions/online_softmax --runner build/runner-host --output "$results/check.json" "${@:2}" 2>&1)
    status=$?
}
list() { said=$(build/checker --scores "$folder/results"); }

list
expect "nothing checked yet" says 'online_softmax +not checked yet: make check EX=online_softmax'
check good --case 'merge.*'
list
expect "a part alone is no full check: it has the points of its checks" says 'online_softmax +35 of 100 points'
check good
expect "a full score names the next lesson" says '^Next: docs/02_fused_softmax.md, make check EX=fused_softmax$'
expect "and make compare" says '^What the solution does otherwise: make compare EX=online_softmax$'
list
expect "a full check is listed" says 'online_softmax +100 of 100 points, passed$'
check good --case 'merge.*'
expect "a part of the checks names no next lesson" bash -c "! grep -q '^Next: docs' <<<\"\$1\"" _ "$said"
list
expect "CASE does not overwrite it" says 'online_softmax +100 of 100 points, passed$'
check bad
expect "the faulty one fails" ends_with 1
expect "and names no next lesson" bash -c "! grep -q 'make compare' <<<\"\$1\"" _ "$said"
list
expect "the last one is listed, with the best" says 'online_softmax +[0-9]{1,2} of 100 points, failed; your best: 100$'
last=$said
check good --seed 7
list
expect "another seed does not overwrite it" [ "$said" = "$last" ]
check good --implementation solution
list
expect "the solution does not overwrite it" [ "$said" = "$last" ]
echo '{' >"$results/best.json"
list
expect "a damaged best is passed over" says 'online_softmax +[0-9]{1,2} of 100 points, failed$'
check bad
list
expect "and written anew" grep -q '"max_score": 100' "$results/best.json"
echo '{"status": "passed"}' >"$results/last.json"
list
expect "a damaged last one is called so" says 'last.json is damaged; make check EX=online_softmax writes it anew'

# ---- a failure that can be drawn ----
submission_files split_softmax/faulty/tail_not_masked_on_load "$folder/tail"
bash checker/compile_submission.sh split_softmax "$folder/tail" "$folder/split" >/dev/null 2>&1
for implementation in exercise solution; do
    said=$(build/checker --exercise split_softmax --implementation $implementation --submission "$folder/split/submission.so" \
        --source "$folder/tail" --runner build/runner-simulator --case partials.tail 2>&1)
    status=$?
    if [ $implementation = exercise ]; then
        expect "a failure names the command that shows it in gdb" says '^gdb, where it failed: make debug EX=split_softmax CASE=partials.tail$'
        expect "a failure says that there is a picture" says '^A picture of who touched what: make map EX=split_softmax CASE=partials.tail$'
    else
        expect "gdb for the student's own files only" bash -c "! grep -q 'make debug' <<<\"\$1\"" _ "$said"
        expect "of the student's own files only" bash -c "! grep -q 'make map' <<<\"\$1\"" _ "$said"
    fi
done

end_test
