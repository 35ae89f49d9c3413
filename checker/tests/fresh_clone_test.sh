#!/usr/bin/env bash
# The first command in a fresh clone may be any: each exercise is checked where nothing was built before.
# Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Usage: first NAME WORDS COMMAND...   COMMAND, alone in a copy of what git knows, ends with 0 and says WORDS.
first() {
    local name=$1 words=$2 folder=$work/$1
    shift 2
    mkdir -p "$folder"
    git ls-files -z | tar --null -cf - -T - 2>/dev/null | tar -C "$folder" -xf -
    if (cd "$folder" && env -u MAKEFLAGS -u MAKELEVEL "$@" >"$work/$name.log" 2>&1) && grep -qF -e "$words" "$work/$name.log"; then
        pass
    else
        fail "'$*', the first command in a fresh clone:" "$(tail -n 12 "$work/$name.log")"
    fi
    rm -rf "$folder"
}

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    echo "Not tested: this is no clone"
    echo "0 passed, 0 failed"
    exit 0
fi
first online "100 of 100" make check EX=online_softmax SOLUTION=1
first hint "hint 1" make hint EX=split_softmax
first list "online_softmax" make list
first help "make check" make help
end_test
