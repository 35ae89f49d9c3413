#!/usr/bin/env bash
# make setup: looks for what the workshop needs, by trying it out, and installs what is missing with apt-get. Then it writes
# what an editor needs (editor.sh).
#
#   setup.sh [--lint]    install (--lint: with the tools of make lint and of some tests)
#   setup.sh --probe     only look: names what is missing and exits 1
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

mode=install
lint=
for option in "$@"; do
    case $option in
    --probe) mode=probe ;;
    --lint) lint=yes ;;
    *)
        echo "setup.sh knows --probe and --lint, not $option."
        exit 1
        ;;
    esac
done

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Does this program compile and link? Usage: links COMPILER SUFFIX SOURCE [LIBRARY...]
links() {
    local compiler=$1 suffix=$2 source=$3
    shift 3
    printf '%s\n' "$source" >"$folder/try.$suffix"
    "$compiler" -Werror -o "$folder/try" "$folder/try.$suffix" "$@" >/dev/null 2>&1
}

missing=()  # in words
packages=() # their Debian names

# Usage: need "WORDS" "PACKAGE..." COMMAND...   The command tells whether it is there.
need() {
    local words=$1 names=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing+=("$words")
    read -ra names <<<"$names"
    packages+=("${names[@]}")
}

look() {
    missing=()
    packages=()
    need "clang" "clang" command -v clang
    need "ld and addr2line" "binutils" eval 'command -v ld && command -v addr2line'
    need "the C library's headers" "libc6-dev" links clang c $'#include <stdio.h>\nint main(void) { return 0; }'
    need "the C++ library's headers" "g++" links clang++ cpp $'#include <cmath>\nint main() { return 0; }'
    if command -v clang >/dev/null; then # which one this is, its version tells; a second round comes back to it
        need "clang's sanitizers" "libclang-rt-$(clang -dumpversion | cut -d . -f 1)-dev" \
            links clang c $'int main(void) { return 0; }' "-fsanitize=address,undefined"
    fi
    if command -v clang >/dev/null; then
        version=$(clang -dumpversion | cut -d . -f 1)
        need "LLVM, which clang is made of" "llvm-$version-dev" \
            links clang c $'#include <llvm-c/Core.h>\nint main(void) { return !LLVMGetGlobalContext(); }' \
            -isystem "/usr/lib/llvm-$version/include" -L "/usr/lib/llvm-$version/lib" -lLLVM
    fi
    need "Check (unit tests)" "check" \
        links clang c $'#include <check.h>\nint main(void) { return !suite_create(""); }' \
        -Wl,-Bstatic -lcheck -lsubunit -Wl,-Bdynamic -lm -lpthread -lrt
    need "Jansson (JSON)" "libjansson-dev" \
        links clang c $'#include <jansson.h>\nint main(void) { return !json_null(); }' \
        -Wl,-Bstatic -ljansson -Wl,-Bdynamic
    need "Boost.Context (fibers)" "libboost-context-dev" \
        links clang c $'void jump_fcontext(void);\nint main(void) { jump_fcontext(); }' \
        -Wl,-Bstatic -lboost_context -Wl,-Bdynamic
    need "gnuplot" "gnuplot-nox" command -v gnuplot
    need "patch (for make test)" "patch" command -v patch
    if [ -n "$lint" ]; then
        need "clang-format" "clang-format" command -v clang-format
        need "shellcheck" "shellcheck" command -v shellcheck
        need "bubblewrap (for the tests of make grade)" "bubblewrap" command -v bwrap
        need "sim_c (for the tests of make grade)" "similarity-tester" command -v sim_c
    fi
}

list() { # one, two, three
    local text
    text=$(printf ', %s' "$@")
    echo "${text#, }"
}

look
if [ ${#missing[@]} -eq 0 ]; then
    [ $mode = probe ] && exit 0
    bash checker/commands/editor.sh
    echo "Everything that the workshop needs is installed."
    exit 0
fi
echo "Missing: $(list "${missing[@]}")."

by_hand="install these packages by hand (Debian's names): ${packages[*]}"
if [ $mode = probe ]; then
    echo "Run make setup, or $by_hand."
    exit 1
fi
if ! command -v apt-get >/dev/null; then
    echo "There is no apt-get here, so make setup cannot install them; $by_hand."
    exit 1
fi
root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Installing takes root, and there is no sudo here. As root: apt-get install ${packages[*]}"
        exit 1
    fi
    root=(sudo)
    if ! [ -t 0 ] && ! sudo -n true 2>/dev/null; then # no one is there to type a password
        echo "Installing takes root, and sudo asks for a password. As root: apt-get install ${packages[*]}"
        exit 1
    fi
fi

mkdir -p build
log=build/setup.log
echo "Installing with apt-get: ${packages[*]} (details in $log)"
apt() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1 </dev/null
}
: >"$log"
apt update || echo "apt-get update failed; trying with the package lists that are here."
for round in 1 2; do
    if [ $round = 2 ]; then
        echo "Now also: ${packages[*]}"
    fi
    if ! apt install --no-install-recommends "${packages[@]}"; then
        grep -E '^(E:|sudo:)' "$log" | head -n 2
        echo "apt-get could not install them: is there a network, and are you allowed to? Otherwise $by_hand."
        exit 1
    fi
    look
    [ ${#missing[@]} -eq 0 ] && break
done
if [ ${#missing[@]} -ne 0 ]; then
    echo "Installed, but still not usable: $(list "${missing[@]}"). See $log; packages: ${packages[*]}."
    exit 1
fi
bash checker/commands/editor.sh
echo "Installed. Everything that the workshop needs is there now."
