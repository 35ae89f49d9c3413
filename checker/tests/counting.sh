# shellcheck shell=bash
# What the tests in shell share: counting what is so and what is not, and the last line, which make test reads.
#
# A test leaves in $said what a command said, and in $status how it ended: a failure shows both.
passed=0
failed=0
said=
status=

pass() { passed=$((passed + 1)); }

# fail LINE...: says what is not so.
fail() {
    failed=$((failed + 1))
    printf '%s\n' "$@"
}

# expect WORDS COMMAND...: the command says whether it is so.
expect() {
    local words=$1
    shift
    if "$@"; then
        pass
    else
        fail "not so: $words" "${status:+it ended with $status; }it said:" "$said"
    fi
}
says() { grep -qE -e "$1" <<<"$said"; }
ends_with() { [ "$status" -eq "$1" ]; }

# The last line. Its status is the test's: one that has counted nothing has not passed.
end_test() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
