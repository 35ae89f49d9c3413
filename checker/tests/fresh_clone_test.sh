#!/usr/bin/env bash
# The first command in a fresh clone may be any: each one that README or a page in docs/ names is tried alone, where no
# program was built before. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    echo "Not tested: this is no clone"
    echo "0 passed, 0 failed"
    exit 0
fi

# A copy of what git knows, in $clone. With objects: the programs are linked anew, but what they are linked from is there, or
# every command would compile the kit for half a minute.
fresh() {
    clone=$work/clone
    rm -rf "$clone"
    mkdir -p "$clone"
    git ls-files -z | tar --null -cf - -T - 2>/dev/null | tar -C "$clone" -xf -
    if [ "${1:-}" = objects ] && [ -d build/obj ]; then
        mkdir "$clone/build" && cp -a build/obj "$clone/build/"
    fi
}

# Usage: in_clone COMMAND   a line of a page, as it is written there
in_clone() {
    said=$(cd "$clone" && timeout 300 bash -c "$1" 2>&1 </dev/null)
    status=$?
    said=$(tail -n 20 <<<"$said")
}

# It did what it is for (0), found a stub (2), or said in a sentence what is missing here (3): a GPU, a record, a file with
# a name that stands for another. Nothing of the kit's own is missing.
as_told() { [ "$status" = 0 ] || [ "$status" = 2 ] || [ "$status" = 3 ] || says 'of [0-9]+ rows are right'; }
nothing_missing() { ! says 'not built yet|No rule to make|own programs do not compile|not part of this version|command not found|: Error '; }

fresh
in_clone "make check EX=online_softmax SOLUTION=1"
expect "from nothing at all, make check EX=online_softmax SOLUTION=1 gives its 100 points" says "100 of 100 points"

# What takes many minutes, installs, or goes on until Ctrl-C: the tests, fresh_machine.sh and run_test.sh try these.
long='^make (test|setup|watch|verdicts|mutants|bundle|lint|clean)\b|^make setup check'
mapfile -t commands < <(sed -nE 's/^    (make .*)/\1/p' README.md docs/*.md docs/*/*.md 2>/dev/null |
    sed -E 's/ {2,}.*//; s/ #.*//' | grep -vE "$long" | LC_ALL=C sort -u)
if [ "${QUICK:-}" = 1 ]; then # one line for each command; those of a class are tried by tests of their own
    mapfile -t commands < <(printf '%s\n' "${commands[@]}" | awk '$2 !~ /^(grade|merge|gradescope|classroom50|student-kit)$/ && !seen[$2]++')
fi
expect "the pages name commands" [ ${#commands[@]} -ge 8 ]
export SHAPES=3x1025 # for make bench, where a line does not say which
for command in "${commands[@]}"; do
    fresh objects
    in_clone "$command"
    expect "'$command' works as the first command in a fresh clone" as_told
    expect "'$command' misses nothing of the kit in a fresh clone" nothing_missing
done
fresh objects
in_clone "make hint EX=split_softmax"
expect "a hint is there at once" says "hint 1"
end_test
