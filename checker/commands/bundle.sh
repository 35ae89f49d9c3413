#!/usr/bin/env bash
# make bundle: the kit with its programs built, to be carried to a GPU machine that lacks clang, Check, Jansson,
# Boost.Context or gnuplot. What nvcc has to build is built there. The libraries are inside of the programs; only the C
# library is not, so build the bundle on a system that is no newer than the GPU machine's.
#
#   RESULTS=<folder>   where softmax-workshop.tar.gz goes (build/)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh

programs=(build/checker build/translate build/runner-simulator build/runner-host)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"
folder=build/bundle.new/softmax-workshop
rm -rf build/bundle.new
mkdir -p "$folder/build" || exit 3
{ git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*' -printf '%P\n'; } |
    while read -r file; do
        [ -f "$file" ] && echo "$file"
    done >build/bundle.files
tar -cf - -T build/bundle.files | tar -xf - -C "$folder" || stop "The files of the kit could not be copied."
cp -p "${programs[@]}" "$folder/build/"
strip "$folder/build/checker" "$folder/build/translate" 2>/dev/null
{
    echo "Built for: $(uname -m), $(ldd --version 2>/dev/null | head -n 1)"
    echo "By: $(clang --version | head -n 1)"
} >"$folder/build/bundle"
target=${RESULTS:-build}
mkdir -p "$target"
tar -C build/bundle.new -czf "$target/softmax-workshop.tar.gz" softmax-workshop || stop "The bundle could not be written."
rm -rf build/bundle.new build/bundle.files
echo "$target/softmax-workshop.tar.gz ($(du -h "$target/softmax-workshop.tar.gz" | cut -f 1)): docs/gpu.md says how to use it."
