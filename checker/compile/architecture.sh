#!/usr/bin/env bash
# Prints the flags by which nvcc builds for the GPUs of this machine: each one's own code. Where there is no GPU, a
# portable set: code for each architecture that this nvcc knows from sm_75 on, and PTX of the newest for those to come.
#
#   architecture.sh [NVCC] [portable]     portable: the set, whatever is here
set -uo pipefail
nvcc=${1:-nvcc}

present=
[ "${2:-}" = portable ] ||
    present=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -E '^[0-9]+\.[0-9]+$' | tr -d . | sort -nu)
if [ -n "$present" ]; then
    for number in $present; do
        printf -- '-gencode=arch=compute_%s,code=sm_%s ' "$number" "$number"
    done
    echo
    exit 0
fi
# Plain numbers only: sm_90a and its kin are for one chip each.
for number in $("$nvcc" --list-gpu-code 2>/dev/null | sed -n 's/^sm_\([0-9]*\)$/\1/p' | sort -n); do
    [ "$number" -ge 75 ] || continue
    newest=$number
    printf -- '-gencode=arch=compute_%s,code=sm_%s ' "$number" "$number"
done
[ -n "${newest:-}" ] && printf -- '-gencode=arch=compute_%s,code=compute_%s' "$newest" "$newest"
echo
