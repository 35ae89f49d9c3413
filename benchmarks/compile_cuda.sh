#!/usr/bin/env bash
# Compiles a submission with nvcc for timing: optimised, without any instrumentation.
#
#   compile_cuda.sh EXERCISE SOURCE_FOLDER OUTPUT_FOLDER
#
# OUTPUT_FOLDER/submission.so is there when the status is 0; messages go to standard output. NVCC_ARCHITECTURE: flags
# instead of those for the GPUs that are there.
set -uo pipefail
exercise=$1 source=$2 output=$3
cd "$(dirname "$0")/.." || exit 1
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
home=$(dirname "$(dirname "$(realpath "$nvcc")")")
mkdir -p "$output" || exit 1
rm -f "$output/submission.so"
read -ra architecture <<<"${NVCC_ARCHITECTURE:-$(bash checker/compile/architecture.sh "$nvcc")}"
headers=(-iquote "exercises/$exercise" -Iexercises "-Iexercises/$exercise")
objects=()
for file in "$source"/*.c "$source"/*.cu; do
    [ -e "$file" ] || continue
    object=$output/$(basename "$file").o
    case $file in
    *.c) gcc -std=c17 -O2 -fPIC "${headers[@]}" -isystem "$home/include" -c "$file" -o "$object" || exit 1 ;;
    *.cu) "$nvcc" "${architecture[@]}" -O3 -std=c++17 -Xcompiler -fPIC "${headers[@]/#-iquote/-I}" -c "$file" -o "$object" || exit 1 ;;
    esac
    objects+=("$object")
done
"$nvcc" "${architecture[@]}" -shared -cudart shared -Xlinker -Bsymbolic -Xlinker -rpath,"$home/lib64" -o "$output/submission.so" "${objects[@]}"
