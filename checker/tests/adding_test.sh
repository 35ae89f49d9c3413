#!/usr/bin/env bash
# An exercise is added as docs/adding.md says, in a scratch copy of the kit: its own folders, and one entry in one table.
# It is then listed, graded and explained like the others.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

git rev-parse --git-dir >/dev/null 2>&1 || {
    echo "no clone: the kit's own files cannot be told from others"
    echo "0 passed, 0 failed"
    exit 0
}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
git ls-files --cached --others --exclude-standard -z -- . ':!results' ':!checker/tests/submissions' |
    xargs -0 cp --parents -P -t "$folder" -- || exit 1
cd "$folder" || exit 1

# ---- the folders of the exercise ----
mkdir -p exercises/tiny solutions/tiny checker/suites/tiny docs
cat >exercises/tiny/tiny.h <<'END'
#ifndef TINY_H
#define TINY_H
#ifdef __cplusplus
extern "C" {
#endif
/* value + 1, or -ENOSYS while it is not written. */
long long tiny_next(long long value);
#ifdef __cplusplus
}
#endif
#endif
END
printf '#include "tiny.h"\n#include <errno.h>\nlong long tiny_next(long long value) { (void)value; return -ENOSYS; }\n' >exercises/tiny/tiny.c
printf '#include "tiny.h"\nlong long tiny_next(long long value) { return value + 1; }\n' >solutions/tiny/tiny.c
mkdir wrong
printf '#include "tiny.h"\nlong long tiny_next(long long value) { return value + 2; }\n' >wrong/tiny.c
printf '# Tiny\n\n## Next\n\nThe number after the given one.\n' >docs/tiny.md
cat >checker/suites/tiny/suite.c <<'END'
/* The suite of tiny. */
#include "check/check.h"
#include <errno.h>

static void counts(struct context *context) {
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_LEGACY);
    const int step = case_call(test_case, FUNCTION_TINY_NEXT, stream, (struct arguments){.number = {41}});
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const long long got = (long long)outcome_return(outcome, step)->value;
    if (got == -ENOSYS)
        check_todo(context);
    explain(context, "One was not added.");
    if (got != 42)
        check_fail(context, "tiny_next(41) is %lld; 42 is expected.", got);
}

static const struct stage stages[] = {{"next", "stage 1: the next number"}};
static const struct check checks[] = {{"next.one", "41", 100, counts, "docs/tiny.md", "Next", 5, 0}};

const struct suite tiny_suite = {
    .exercise = "tiny", .stages = stages, .stage_count = 1, .checks = checks, .check_count = 1};
END

# ---- one entry in the table ----
cat >>checker/exercises/table.def <<'END'
#ifdef EXERCISE_HEADERS
#include "../../exercises/tiny/tiny.h"
#endif
EXERCISE(tiny, host, "docs/tiny.md", none, 0)
FUNCTION(tiny, TINY_NEXT, tiny_next, "tiny.c", OPERATOR, NOTHING, VALUE, (NUMBER(0)), " of {0}")
END

# ---- it is an exercise like the others ----
make -s -j"$(nproc)" -f checker/build.mk CFLAGS=-O0 build/checker build/runner-host >build.log 2>&1 ||
    fail "the kit with one exercise more does not build" "$(tail -n 5 build.log)"

# check OPTION...: as make check, without building anything again.
check() {
    said=$(env -u EX -u SOLUTION -u SUBMISSION CFLAGS=-O0 make -s check EX=tiny "$@" 2>&1)
    status=$?
}
check SOLUTION=1
expect "the solution has all points" says 'Score of the solution: 100 of 100 points'
expect "and the command ends well" ends_with 0
check
expect "the stub is told as not written" says 'not written'
expect "and the command says so by its status" ends_with 2
check SUBMISSION=wrong
expect "a wrong one fails, with what was found" says 'tiny_next\(41\) is 43; 42 is expected\.'
expect "and with where to read" says 'docs/tiny\.md, "Next"'
said=$(make -s list 2>&1)
expect "make list has it, last" says 'then tiny;'
said=$(make -s check EX=tinny 2>&1)
expect "a misspelt name is guessed" says 'EX=tiny'

# ---- and nothing is left out in silence ----
sed -i 's/^FUNCTION(tiny, TINY_NEXT, tiny_next, "tiny.c", OPERATOR, NOTHING,/FUNCTION(tiny, TINY_NEXT, tiny_next, "tiny.c", OPERATOR,/' \
    checker/exercises/table.def
said=$(make -f checker/build.mk CFLAGS=-O0 build/obj/checker/exercises/exercises.o 2>&1)
status=$?
expect "an entry without its inputs does not compile" ends_with 2
end_test
