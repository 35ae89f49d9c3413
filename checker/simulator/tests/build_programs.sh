#!/usr/bin/env bash
# Builds the small CUDA programs of the simulator's tests as shared objects, with the flags of a submission:
#   build_programs.sh SOURCE.cu OUTPUT.so
set -euo pipefail
cd "$(dirname "$0")/../../.."
source=$1 output=$2
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/translate "$source" "$work/program.cpp" "$source" 2>/dev/null
clang++ -x c++ -std=c++17 -fdeclspec "${SIMULATOR[@]}" -isystem checker/simulator/include \
    -iquote "$(dirname "$source")" -c "$work/program.cpp" -o "$work/program.o"
clang -std=c17 -O1 -fPIC -c checker/simulator/image.c -o "$work/image.o"
mkdir -p "$(dirname "$output")"
clang++ -shared -o "$output" "$work/program.o" "$work/image.o" -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset \
    -Wl,-Bsymbolic -lm
