#!/usr/bin/env bash
# What the scripts call has to be there after make setup on a minimal Debian: every command is one of the shell's, of a
# package that each Debian has (priority required), of one that setup installs, or of those. Asks dpkg; without it
# there is nothing to ask. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

if ! command -v dpkg-query >/dev/null; then
    echo "0 passed, 0 failed"
    exit 0
fi

# The packages that setup.sh names, and what they need in turn.
mapfile -t named < <(sed -nE 's/^ *need "[^"]*" "([^"]*)".*/\1/p' checker/commands/setup.sh | tr ' ' '\n' |
    sed "s/\\\$([^)]*)/$(clang -dumpversion | cut -d . -f 1)/; s/\\\$version/$(clang -dumpversion | cut -d . -f 1)/" | sort -u)
[ ${#named[@]} -ge 8 ] && pass || fail "setup.sh names ${#named[@]} packages only: is it read rightly here?"
provided=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    "${named[@]}" make git 2>/dev/null | grep -E '^[a-z]' | sed 's/:.*//' | sort -u)
[ -n "$provided" ] || provided=$(printf '%s\n' "${named[@]}" make git)
required=$(dpkg-query -W -f '${Priority} ${Essential} ${Package}\n' | awk '$1 == "required" || $2 == "yes" { print $3 }' | sort -u)

# Words in the place of a command. Those in strings and here-documents are among them, which does no harm.
words() {
    sed -E 's/(^|[[:space:]])#.*//' "$@" | grep -oE '(^|[|&;(`]|\$\(|\bthen|\bdo|\belse|\bif|!|\bexec|\btimeout [0-9.]+|\bnice|xargs( -[A-Za-z0-9]+( [0-9]+)?)*) *[a-z][a-z0-9_+.-]+' |
        grep -oE '[a-z][a-z0-9_+.-]+$' | sort -u
}

mapfile -t scripts < <(git ls-files '*.sh' .ci/run 2>/dev/null)
# Tools that scripts use where they are, and say so where they are not.
optional=" chromium zip unzip parallel sbatch sinfo slurmctld slurmd clangd gdb nvcc nvidia-smi ncu compute-sanitizer cuobjdump python3 debootstrap chroot gcc cc g++ clang-format shellcheck dnf pacman brew apt-get sudo flock "
# Words that are no commands where they stand.
others=" column cpp file free look open watch write "
checked=0
for word in $(words "${scripts[@]}"); do
    path=$(type -P "$word") || continue
    [[ $(type -t "$word") = file && $optional != *" $word "* && $others != *" $word "* ]] || continue
    package=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "/usr$path" 2>/dev/null)
    package=${package%%:*}
    checked=$((checked + 1))
    if [ -z "$package" ] || grep -qxF "$package" <<<"$required" || grep -qxF "$package" <<<"$provided"; then
        pass
    else
        fail "$word is called by $(grep -lwF -- "$word" "${scripts[@]}" | head -n 1), and comes with $package, which setup.sh does not install."
    fi
done
[ "$checked" -ge 20 ] && pass || fail "only $checked commands were found in the scripts."
end_test
