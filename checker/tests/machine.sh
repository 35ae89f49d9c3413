# shellcheck shell=bash disable=SC2034,SC2154
# What the tests on a machine that has nothing share: a minimal Debian made by debootstrap, and commands in it. It takes root,
# debootstrap, and Debian's packages from where this machine's apt has them; else the test says why it did not run, and ends.
# FRESH_ROOTS names a folder in which the empty roots are kept for the next time. counting.sh has to be read before.
machine_folder=/home/student/kit # where commands are run

not_run() {
    printf '%s\n' "$1" "0 passed, 0 failed"
    exit 0
}

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

# Usage: inside ROOT USER COMMAND   a line of bash in the root, in machine_folder
inside() {
    local root=$1 user=$2 command=$3
    # shellcheck disable=SC2016 # the inner shell fills them in
    unshare --mount --pid --fork bash -c '
        mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" &&
            cp /etc/resolv.conf "$1/etc/resolv.conf" &&
            exec chroot "$1" su "$2" -s /bin/bash -c "cd $4 && { $3; }"' bash "$root" "$user" "$command" "$machine_folder" </dev/null
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

# Usage: machine_make SUITE   sets root, a new machine with make, git and a user "student"; the status is 1 where there is none
machine_make() {
    local suite=$1
    if ! [ -d "$roots/$suite" ]; then
        mkdir -p "$roots"
        debootstrap --variant=minbase --include=make,git,ca-certificates "$suite" "$roots/$suite.new" "$mirror" \
            >"$work/debootstrap.log" 2>&1 || {
            rm -rf --one-file-system "$roots/$suite.new"
            echo "Not tested: $suite, for debootstrap made no root of it: $(tail -n 1 "$work/debootstrap.log")"
            return 1
        }
        mv "$roots/$suite.new" "$roots/$suite"
    fi
    root=$work/machine-$suite
    cp -a "$roots/$suite" "$root" || exit 1
    [ -z "$proxy" ] || printf 'Acquire::http::Proxy "%s";\n' "$proxy" >"$root/etc/apt/apt.conf.d/90proxy"
    chroot "$root" useradd --create-home student
}

machine_forget() { rm -rf --one-file-system "$root"; }

# The last line, where no machine could be made, too.
machine_end() {
    [ "$passed" != 0 ] || [ "$failed" != 0 ] || not_run "no root could be made"
    end_test
}
