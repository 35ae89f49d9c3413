#!/usr/bin/env bash
# README's first commands on a machine that has nothing but git and make: a minimal Debian, made by debootstrap. Setup runs as
# root there, all else as a user who is not.
#
#   fresh_machine.sh [--quick] [SUITE...]     bookworm and trixie (Debian 12 and 13); --quick: not the whole of make test
#
# What it needs is told in machine.sh; where that is not here it says why it did not run. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/machine.sh
source checker/tests/machine.sh

quick=
[ "${1:-}" != --quick ] || { quick=yes && shift; }
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
for suite in "${suites[@]}"; do
    machine_make "$suite" || continue
    mkdir "$root/home/student/kit"
    git ls-files -z | tar --null -cf - -T - | tar -C "$root/home/student/kit" -xf -
    (cd "$root/home/student/kit" && git init -q . && git add -A &&
        git -c user.name=student -c user.email=student@localhost commit -qm "A clone") || exit 1
    chroot "$root" chown -R student: /home/student/kit

    try "$suite" root "Everything that the workshop needs is there now" "make setup && chown -R student: ."
    try "$suite" student "100 of 100 points" "make setup check EX=split_softmax SOLUTION=1"
    if [ -n "$quick" ]; then
        for test in tools compile; do
            try "$suite" student "[1-9][0-9]* passed, 0 failed" "bash checker/tests/${test}_test.sh"
        done
    else
        try "$suite" student "[1-9][0-9]* passed, 0 failed" "make test"
    fi
    machine_forget
done
machine_end
