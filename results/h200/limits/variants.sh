#!/usr/bin/env bash
# How variants.jsonl and variants-profile.txt were taken: the solutions, all their variants, peers and the copy on all shapes,
# results compared with FP64, the grid of `auto`; then a profile, where ncu may. From the top of the project:
#   bash results/h200/limits/variants.sh build           the libraries, into build/limits; needs nvcc
#   OUT=FOLDER bash results/h200/limits/variants.sh      measures; needs the libraries, PyTorch and an H200
here=$(dirname "$(realpath "$0")")
export LIMITS_LIBRARIES=$PWD/build/limits

library() { # library NAME FILE... : one shared library of them
    nvcc -arch=sm_90 -O3 -std=c++17 -shared -Xcompiler -fPIC "-Iexercises/$folder" -Iexercises \
        -o "$LIMITS_LIBRARIES/$1.so" "${@:2}" || exit 1
}
if [ "${1:-}" = build ]; then
    mkdir -p "$LIMITS_LIBRARIES"
    folder=split_softmax
    library plain solutions/split_softmax/split_softmax.{c,cu}
    for variant in wide_loads two_kernel cluster auto; do
        library $variant solutions/split_softmax/$variant/split_softmax.{c,cu}
    done
    library cluster_lab "$here/cluster_choices.cu"
    folder=fused_softmax
    library one_warp solutions/fused_softmax/fused_softmax.cu
    library two_warps solutions/fused_softmax/two_warps/fused_softmax.cu
    library fused_lab "$here/fused_choices.cu"
    exit
fi
PYTHONUNBUFFERED=1 LIMIT=${LIMIT:-140} timeout 158 python3 "$here/variants.py"
timeout 28 ncu --section SpeedOfLight --section Occupancy --section LaunchStats --section WarpStateStats \
    -k 'regex:row_in_a_cluster|partials_kernel|merge_and_normalize|softmax_rows' \
    python3 "$here/variants_profile.py" >"$OUT/ncu.txt" 2>&1
