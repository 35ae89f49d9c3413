#!/usr/bin/env bash
# What a submission may do to the runner: each deed is called from softmax_summarize (or before any function is
# called), graded by the real checker and runner, and has to be named as what it was, in a report that is whole.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Most of these deeds are refused when they are compiled. Here is tested what lies behind that.
export SUBMISSION_RULES=none

# Usage: deed STATUS WORDS WHERE STATEMENT; WHERE is call or load, STATUS as in check.json.
deed() {
    local status=$1 words=$2 where=$3 statement=$4 code
    mkdir -p "$folder/source"
    cat >"$folder/source/online_softmax.c" <<END
#define _GNU_SOURCE
#include "online_softmax.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
volatile int sink, zero;
int deep(volatile int *outer) {
    volatile int inner[1000];
    inner[0] = *outer + 1;
    return deep(inner) + inner[0];
}
#define AT_$where $statement
#ifdef AT_load
__attribute__((constructor)) static void before_main(void) { AT_load; }
#endif
#ifndef AT_call
#define AT_call
#endif
softmax_state softmax_summarize(const double *values, size_t count) {
    (void)values;
    (void)count;
    AT_call;
    return (softmax_state){1, 1};
}
softmax_state softmax_merge(softmax_state a, softmax_state b) {
    (void)b;
    return a;
}
int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    (void)values, (void)count, (void)chunk, (void)out;
    return ENOSYS;
}
END
    if ! bash checker/compile_submission.sh online_softmax "$folder/source" "$folder/output" >"$folder/log" 2>&1; then
        fail "does not compile: $statement" "$(cat "$folder/log")"
        return
    fi
    timeout 60 build/checker --exercise online_softmax --implementation submission --patience 0.1 \
        --submission "$folder/output/submission.so" --source "$folder/source" --output "$folder/check.json" \
        --case 'summarize.by_hand' >"$folder/report" 2>&1
    code=$?
    if [ $code -eq 1 ] &&
        grep -A8 '"id": "summarize.by_hand"' "$folder/check.json" | grep -q "\"status\": \"$status\"" &&
        tr '\n' ' ' <"$folder/report" | tr -s ' ' | grep -qF -e "$words"; then
        pass
    else
        fail "$where: $statement: status $code, expected \"$status\" and \"$words\" in:" "$(cat "$folder/report")"
    fi
}

deed crash 'Your program called exit(0), which ends the whole process.' call 'exit(0)'
deed crash 'online_softmax.c:27' call 'abort()'
deed crash 'fork(); a softmax needs no second process' call 'fork()'
deed crash 'ended itself with exit code 0' call 'syscall(SYS_exit_group, 0)'
deed crash 'ended by SIGKILL' call 'kill(getpid(), SIGKILL)'
deed crash 'followed a null pointer (SIGSEGV' call '*(volatile int *)zero = 1'
deed crash 'online_softmax.c:27' call 'signal(SIGSEGV, SIG_IGN); *(volatile int *)zero = 1'
deed crash 'accessed memory that is not there' call 'sink = deep(&sink)'
deed crash 'SIGILL' call '__builtin_trap()'
deed fail 'Division by zero' call 'sink = 1 / zero'
deed fail 'near values' call 'sink = (int)values[-1]'
deed fail 'Memory that was freed' call 'free((void *)values)'
deed timeout 'was still running' call 'for (;;) sink = 1'
deed timeout 'was still waiting' call 'pause()'
deed timeout 'had not come to its end' call 'raise(SIGSTOP)'
deed crash 'made no sense' call 'for (int i = 3; i < 1024; i++) if (write(i, "garbage garbage garbage", 20)) sink++'
deed crash 'An answer was forged' call 'const long done[2] = {9, 0}; for (int i = 3; i < 1024; i++) if (write(i, done, 16)) sink++'
deed crash 'did not come to its end' call 'for (int i = 0; i < 1024; i++) close(i)'
deed fail 'a system call that no softmax needs (openat, to open a file)' call "sink = open(\"$folder/written\", O_CREAT | O_WRONLY, 0600)"
deed fail 'a system call that no softmax needs (openat, to open a file)' call 'sink = open("/proc/self/maps", O_RDONLY)'
deed fail 'a system call that no softmax needs (openat, to open a file)' load "sink = open(\"$folder/written\", O_CREAT | O_WRONLY, 0600)"
deed fail 'a system call that no softmax needs (clone)' call 'syscall(SYS_clone, 17, 0, 0, 0, 0)'
deed fail 'a system call that no softmax needs (setsid)' call 'setsid()'
deed fail 'a system call that no softmax needs (kill)' call 'kill(getppid(), SIGKILL)'
deed fail 'a system call that no softmax needs (execve)' call 'execl("/bin/true", "true", (char *)0)'
deed fail 'a system call that no softmax needs (unlinkat)' call 'syscall(SYS_unlinkat, -100, "no such file", 0)'
deed fail '| a line' call 'for (int i = 0; i < 20000; i++) puts("a line")'
deed fail 'could not be loaded: Your program called exit(0)' load 'exit(0)'
deed fail 'could not be loaded: Your program followed a null pointer' load '*(volatile int *)zero = 1'
deed timeout 'still being loaded' load 'for (;;) sink = 1'
deed fail 'could not be loaded: Undefined behaviour' load 'sink = 1 / zero'

# Options that make no sense are one sentence, and nothing is graded.
refuses() {
    local words=$1 output status
    shift
    output=$(build/checker "$@" 2>&1)
    status=$?
    if [ $status -eq 64 ] && grep -qF -e "$words" <<<"$(head -n 1 <<<"$output")"; then
        pass
    else
        fail "checker $*: status $status, expected 64 and \"$words\" in: $output"
    fi
}
refuses '--exercise is missing'
refuses "no checks for an exercise 'hard_max'" --exercise hard_max
refuses '--submission is missing' --exercise online_softmax
refuses "not 'seven'" --exercise online_softmax --submission x --seed seven
refuses "not '-1'" --exercise online_softmax --submission x --jobs=-1
refuses "not 'mine'" --exercise online_softmax --submission x --implementation mine
refuses "No check of online_softmax has the id 'nothing'" --exercise online_softmax --submission x --case nothing
refuses "'stray' is not an option" --exercise online_softmax stray

# make list's table: damaged results are one sentence, not a failure of the list.
mkdir -p "$folder/results/online_softmax" "$folder/results/fused_softmax"
echo '{ "exercise": ' >"$folder/results/online_softmax/check.json"
echo '{ "status": "failed", "implementation": "exercise", "score": 40, "max_score": 100 }' \
    >"$folder/results/fused_softmax/check.json"
list=$(build/checker --scores "$folder/results")
for words in 'online_softmax/check.json is damaged' '40 of 100 points, failed' 'not checked yet: make check EX=split_softmax'; do
    if grep -qF -e "$words" <<<"$list"; then
        pass
    else
        fail "checker --scores: expected \"$words\" in: $list"
    fi
done

end_test
