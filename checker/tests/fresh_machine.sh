#!/usr/bin/env bash
# README's first commands on a machine that has nothing but git and make: a minimal Debian, made by debootstrap. Setup runs as
# root there, all else as a user who is not.
#
#   fresh_machine.sh [--quick] [SUITE...]     bookworm and trixie (Debian 12 and 13); --quick: not the whole of make test
#
# It needs root, debootstrap, and Debian's packages from where this machine's apt has them; else it says why it did not run.
# FRESH_ROOTS names a folder in which the empty roots are kept for the next time. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

not_run() {
    printf '%s\n' "$1" "0 passed, 0 failed"
    exit 0
}

quick=
[ "${1:-}" != --quick ] || { quick=yes && shift; }
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
[ "$(id -u)" = 0 ] || not_run "making a root takes root"
for tool in debootstrap chroot unshare apt-get git; do
    command -v $tool >/dev/null || not_run "$tool is not installed"
done
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || not_run "this is no clone"
unshare --mount --pid --fork true 2>/dev/null || not_run "no mounts may be made here"

# shellcheck disable=SC2016 # apt fills them in
# Where this machine's apt has Debian from, and how it gets there.
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" && $2 !~ /security/ { print $2; exit }')
[ -n "$mirror" ] || not_run "this machine's apt has no Debian mirror"
proxy=$(apt-config dump 2>/dev/null | sed -nE 's/^Acquire::http::Proxy "(.*)";$/\1/p')
[ -z "$proxy" ] || export http_proxy=$proxy

work=$(mktemp -d) || exit 1
roots=${FRESH_ROOTS:-$work}
trap 'rm -rf --one-file-system "$work"' EXIT

# Usage: inside ROOT USER COMMAND   a line of bash in the root, in the student's clone
inside() {
    local root=$1 user=$2 command=$3
    # shellcheck disable=SC2016 # the inner shell fills them in
    unshare --mount --pid --fork bash -c '
        mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" &&
            cp /etc/resolv.conf "$1/etc/resolv.conf" &&
            exec chroot "$1" su "$2" -s /bin/bash -c "cd /home/student/kit && { $3; }"' bash "$root" "$user" "$command" </dev/null
}

ended_well() { ends_with 0 && says "$1"; }

# Usage: try SUITE USER WORDS COMMAND   COMMAND ends with 0, and its last lines hold WORDS
try() {
    local suite=$1 user=$2 words=$3 command=$4
    SECONDS=0
    said=$(inside "$root" "$user" "$command" 2>&1)
    status=$?
    said=$(tail -n 40 <<<"$said")
    expect "$suite: $command, as $user" ended_well "$words"
    printf '%s: %s, as %s: %d s\n' "$suite" "$command" "$user" "$SECONDS"
}

for suite in "${suites[@]}"; do
    if ! [ -d "$roots/$suite" ]; then
        mkdir -p "$roots"
        debootstrap --variant=minbase --include=make,git,ca-certificates "$suite" "$roots/$suite.new" "$mirror" \
            >"$work/debootstrap.log" 2>&1 || {
            rm -rf --one-file-system "$roots/$suite.new"
            echo "Not tested: $suite, for debootstrap made no root of it: $(tail -n 1 "$work/debootstrap.log")"
            continue
        }
        mv "$roots/$suite.new" "$roots/$suite"
    fi
    root=$work/machine-$suite
    cp -a "$roots/$suite" "$root" || exit 1
    [ -z "$proxy" ] || printf 'Acquire::http::Proxy "%s";\n' "$proxy" >"$root/etc/apt/apt.conf.d/90proxy"
    chroot "$root" useradd --create-home student
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
    rm -rf --one-file-system "$root"
done
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then
    not_run "no root could be made"
fi
end_test
