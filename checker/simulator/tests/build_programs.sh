#!/usr/bin/env bash
# Builds the small CUDA programs of the simulator's tests as shared objects, as a submission is built:
#   build_programs.sh SOURCE.cu OUTPUT.so
set -euo pipefail
cd "$(dirname "$0")/../../.."
path=$1 output=$2
# shellcheck source=checker/compile/limits.sh
source checker/compile/limits.sh
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2034 # flags.sh compiles $staged/FILE into $work, with the headers of $source
runtime=simulator exercise=none source=$(dirname "$path") staged=$source file=$(basename "$path")
compile_cuda_c "$file"
mkdir -p "$(dirname "$output")"
clang++ -shared -o "$output" "$work/$file.o" "$work/$file.device.o" -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset \
    -Wl,-Bsymbolic -lm
