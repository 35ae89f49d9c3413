# shellcheck shell=bash
# What this machine has for CUDA. The one place that looks.

# The path of nvcc: in PATH, in CUDA_HOME, or where the Toolkit puts it. Fails where there is none.
nvcc_path() {
    local home
    command -v nvcc && return
    for home in "${CUDA_HOME:-}" /usr/local/cuda; do
        [ -x "$home/bin/nvcc" ] && echo "$home/bin/nvcc" && return
    done
    return 1
}

gpu_is_here() {
    [ -e /dev/nvidia0 ] || nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}
