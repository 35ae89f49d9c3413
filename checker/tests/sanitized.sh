#!/usr/bin/env bash
# The kit's own C code under AddressSanitizer and UndefinedBehaviorSanitizer: checker, translator, mutator, simulator,
# runners and their tests are built with both in a copy of the kit below build/sanitized, and there
#
#   every unit test runs, those of the simulator with their CUDA programs included;
#   the solutions are graded, and must get all points;
#   submissions are graded whose faults leave kernels in the middle, or that ask for what is forbidden;
#   a fault of each kind is planted in the simulator, where it must be found.
#
#   checker/tests/sanitized.sh [PATTERN...]    other submissions, as submissions_test.sh takes them
#
# docs/fuzzing.md says what this shows and what it cannot. Takes minutes. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh
[ $# -gt 0 ] || set -- 'online_softmax/faulty/*' '*/fraud/*' 'fused_softmax/faulty/[m-p]*'
copy=build/sanitized
unset EX SOLUTION SUBMISSION RESULTS RUNTIME SEED SEEDS CASE STAGE SANITIZE PREBUILT
passed=0 failed=0

say() { # say GOOD NAME FILE: counts, and shows the file where it is bad
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
        tail -n 30 "$3" | sed 's/^/    /'
    fi
}

mkdir -p $copy
find $copy -mindepth 1 -maxdepth 1 -not -name build -exec rm -rf {} +
tar cf - --exclude=./build --exclude=./.git --exclude=./results/local . | tar xf - -C $copy
cd $copy || exit 1

# The runtime is a shared library, so that the runner's own __ubsan_ functions, which watch the submission, come first:
# what the compiler calls for our code has other names where it does not recover.
runtime=$(dirname "$(clang -print-file-name=libclang_rt.asan-"$(uname -m)".so)")
sanitizing="clang -fsanitize=address,undefined -fno-sanitize-recover=all -shared-libasan -Wl,-rpath,$runtime
    -Wno-unused-command-line-argument"
mapfile -t tests < <(find checker benchmarks -path '*/tests/*_test.c' -not -path '*/submissions/*' -printf '%f\n' |
    sed 's|\(.*\)\.c$|build/tests/\1|' | sort)
mkdir -p build
{
    make -f checker/build.mk build/make_exit.so CC=clang # loaded by make, which has no sanitizer
    make -j2 -f checker/build.mk -f benchmarks/build.mk programs build/mutants-of build/plot build/bench-simulator \
        "${tests[@]}" CC="${sanitizing//$'\n'/}"
} >build/sanitized.log 2>&1 || {
    tail -n 20 build/sanitized.log
    echo "0 passed, 1 failed"
    exit 1
}
export CC="${sanitizing//$'\n'/}" CK_TIMEOUT_MULTIPLIER=20
# What lies in the simulator's own ranges of addresses is not searched for pointers, so it would all count as leaked; for
# the readers, the fuzzing looks for leaks. Signals are the runner's own business, and some tests raise them.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0

for test in "${tests[@]}"; do
    "$test" >"$test.report" 2>&1
    say $? "$(basename "$test")" "$test.report"
done
for exercise in $(exercises); do
    make check EX="$exercise" SOLUTION=1 >build/report 2>&1
    say $? "the solution of $exercise" build/report
done
for pattern in "$@"; do
    bash checker/tests/submissions_test.sh "$pattern" >build/report 2>&1
    say $? "submissions $pattern: $(tail -n 1 build/report)" build/report
done

# A fault that both sanitizers must not miss, planted where every load and store of a kernel comes by.
planted() { # planted NAME STATEMENT WORDS
    local source=checker/simulator/access.c
    cp -p $source build/access.c
    sed -i "s|^void access_memory(const struct access \*access) {|&\n    $2|" $source
    make -f checker/build.mk build/runner-simulator >build/sanitized.log 2>&1
    V=1 make check EX=fused_softmax SOLUTION=1 CASE=row.by_hand >build/report 2>&1
    grep -q "$3" build/report
    say $? "found where it is planted: $1" build/report
    cp build/access.c $source
}
planted "a write past the end of a block" \
    "extern void *malloc(size_t); ((volatile char *)malloc(8))[8 + access->bytes / 1000] = 1;" heap-buffer-overflow
planted "an overflow of an int" "volatile int most = 0x7fffffff; most = most + 1;" "signed integer overflow"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
