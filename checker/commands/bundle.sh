#!/usr/bin/env bash
# make bundle: the kit with its programs built, to be carried to a GPU machine that lacks clang, Check, Jansson,
# Boost.Context or gnuplot. What nvcc has to build is built there. The libraries are inside of the programs; only the C
# library is not, so build the bundle on a system that is no newer than the GPU machine's. make bench is part of it
# where nvcc is found here.
#
#   RESULTS=<folder>   where softmax-workshop.tar.gz goes (build/)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh

programs=(build/checker build/instrument build/remarks build/runner-simulator build/host-client build/runner-host)
tools=(build/plot build/agree build/compare build/report)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the checker" "${programs[@]}"
without_bench=
if find_nvcc; then
    rm -f build/bench-cuda build/obj/benchmarks/cuda/kernels.o # they may be for this machine's GPU alone
    tools+=(build/bench-cuda)
    architecture=$(checker/compile/architecture.sh nvcc portable)
else
    without_bench='nvcc was not found here, so make bench is not part of the bundle (make check is).'
fi
build "the benchmark" -f benchmarks/build.mk "NVCC_ARCHITECTURE=${architecture:-}" "${tools[@]}"
folder=build/bundle.new/softmax-workshop
rm -rf build/bundle.new
mkdir -p "$folder/build" || exit 3
{ git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*' -printf '%P\n'; } |
    while read -r file; do
        [ -f "$file" ] && echo "$file"
    done >build/bundle.files
tar -cf - -T build/bundle.files | tar -xf - -C "$folder" || stop "The files of the kit could not be copied."
cp -p "${programs[@]}" "${tools[@]}" "$folder/build/"
for program in checker instrument remarks "${tools[@]#build/}"; do
    strip "$folder/build/$program" 2>/dev/null
done
{
    echo "Built for: $(uname -m), $(ldd --version 2>/dev/null | head -n 1)"
    echo "By: $(clang --version | head -n 1)"
    echo "revision: $(git describe --always --dirty 2>/dev/null || sed -n 's/^revision: //p' build/bundle 2>/dev/null)"
} >"$folder/build/bundle"
target=${RESULTS:-build}
mkdir -p "$target"
tar -C build/bundle.new -czf "$target/softmax-workshop.tar.gz" softmax-workshop || stop "The bundle could not be written."
rm -rf build/bundle.new build/bundle.files
echo "$target/softmax-workshop.tar.gz ($(du -h "$target/softmax-workshop.tar.gz" | cut -f 1)): docs/gpu.md says how to use it."
[ -z "$without_bench" ] || echo "$without_bench"
