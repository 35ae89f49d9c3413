#!/usr/bin/env bash
# The simulator's headers: CUDA C that must compile, code that must be refused with the right words, use from C, and
# the tests of half and bfloat16. Needs build/instrument. Where nvcc is installed, it has to agree about
# the code that must compile. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

headers=checker/simulator/tests/headers
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# The flags that students' files are compiled with: SIMULATOR.
# shellcheck source=checker/compile/limits.sh
source checker/compile/limits.sh
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh
# shellcheck source=checker/compile/messages.sh
source checker/compile/messages.sh
# shellcheck disable=SC2054
check_libraries=(-Wl,-Bstatic -lcheck -lsubunit -Wl,-Bdynamic -lm -lpthread -lrt)

# Usage: compile_file FILE
compile_file() {
    local status
    # shellcheck disable=SC2034 # flags.sh compiles $staged/FILE into $work, with the headers of $source
    local runtime=simulator exercise=none source staged
    staged=$(dirname "$1") source=$staged
    compile_cuda_c "$(basename "$1")" >"$work/raw" 2>&1
    status=$?
    messages_as_written <"$work/raw" >"$work/messages"
    return $status
}

for file in "$headers"/accepted/*.cu; do
    if compile_file "$file" && ! [ -s "$work/messages" ]; then
        pass
    else
        fail "$file does not compile in silence:" "$(head -n 12 "$work/messages")"
    fi
    if command -v nvcc >/dev/null; then
        if nvcc -w -std=c++17 -arch=sm_90 -c "$file" -o "$work/object.o" >"$work/messages" 2>&1; then
            pass
        else
            fail "$file is no CUDA C to nvcc:" "$(head -n 12 "$work/messages")"
        fi
    fi
done

for file in "$headers"/rejected/*.cu; do
    words=$(sed -n '1s,/\* expect: \(.*\) \*/$,\1,p' "$file")
    if [ -z "$words" ]; then
        fail "$file does not begin with /* expect: WORDS */"
    elif compile_file "$file"; then
        fail "$file compiles, and should be refused: $words"
    elif grep -qF "$words" "$work/messages"; then
        pass
    else
        fail "$file is refused, but without the words '$words':" "$(head -n 12 "$work/messages")"
    fi
done

for compiler in clang gcc; do
    if $compiler -std=c17 -Wall -Wextra -Wpedantic -Werror -Ichecker/simulator/include \
        -fsyntax-only "$headers/use_from_c.c" >"$work/messages" 2>&1; then
        pass
    else
        fail "$headers/use_from_c.c with $compiler:" "$(head -n 12 "$work/messages")"
    fi
done

# Usage: run_test NAME FLAGS...
run_test() {
    local name=$1 counts
    shift
    if ! clang++ "$@" -Wall -Wextra -c "$headers/$name.cpp" -o "$work/$name.o" >"$work/messages" 2>&1 ||
        ! clang++ "$work/$name.o" -o "$work/$name" "${check_libraries[@]}" >>"$work/messages" 2>&1; then
        fail "$name does not compile:" "$(head -n 12 "$work/messages")"
        return
    fi
    "$work/$name" >"$work/messages" 2>&1
    counts=$(sed -nE 's/.*Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+).*/\1 \2 \3/p' "$work/messages")
    if [ -z "$counts" ]; then
        fail "$name did not say what it tested"
        return
    fi
    read -r checks failures errors <<<"$counts"
    passed=$((passed + checks - failures - errors))
    if [ $((failures + errors)) -gt 0 ]; then
        cat "$work/messages"
        failed=$((failed + failures + errors))
    fi
}
mapfile -t system < <(system_includes "${CUDA_C[@]}")
run_test small_float_test "${CUDA_C[@]:1}" "${CUDA_C_HEADERS[@]}" "${system[@]}" -Wno-unknown-cuda-version -O2

end_test
