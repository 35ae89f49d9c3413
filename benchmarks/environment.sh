# shellcheck shell=bash disable=SC2154
# What make bench notes about the machine, and what it looks for there.

# shellcheck source=checker/compile/machine.sh
source checker/compile/machine.sh

# A path as make was given it, seen from the kit's folder. Usage: path_from FOLDER_OF_MAKE PATH
path_from() {
    case $2 in
    /*) echo "$2" ;;
    *) echo "$1/$2" ;;
    esac
}

# Puts the folder of nvcc into PATH.
find_nvcc() {
    local nvcc
    nvcc=$(nvcc_path) && PATH=$PATH:${nvcc%/*}
}

# What to type to get the record again.
command_line() {
    local words="make bench EX=$EX" option
    for option in SOLUTION SUBMISSION RUNTIME SHAPES SAMPLES SEED; do
        [ -n "${!option:-}" ] && words+=" $option=${!option}"
    done
    echo "$words"
}

# Digests of what is measured, also of files that a variant shares with the solution by a link, and of what measures.
list_sources() {
    find -L "$source" -maxdepth 1 -type f \( -name '*.c' -o -name '*.cu' -o -name '*.h' -o -name '*.cuh' \) -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum
    find benchmarks -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.py' \) -not -path '*/tests/*' -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum
}

# Lines "name: value".
describe_environment() {
    local revision
    echo "system: $(uname -s) $(uname -r) $(uname -m)"
    echo "cpu: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    if [ -e build/bundle ]; then
        revision=$(sed -n 's/^revision: //p' build/bundle)
    else
        revision=$(git describe --always --dirty 2>/dev/null)
    fi
    [ -z "$revision" ] || echo "revision: $revision"
    if [ "$1" = simulator ]; then
        echo "compiler: $(clang --version | head -n 1)"
        return
    fi
    echo "nvcc: $(nvcc --version | sed -n 's/.*release \(.*\)$/\1/p')"
    echo "driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
    echo "clocks before: $(nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv,noheader | head -n 1)"
}

# A python3 that has PyTorch and a GPU: the script to run with it. Empty where there is none.
torch_script() {
    python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null && echo benchmarks/cuda/torch_softmax.py
}

# What build/bench-cuda needs and does not find.
missing_libraries() {
    ldd build/bench-cuda | sed -n 's/^[[:space:]]*\(.*\) => not found$/\1/p' | paste -sd ' '
}

# Where build/bench-cuda looks for libraries: for cuDNN, and for the CUDA runtime where it was built with a toolkit in
# another place. Not more than that: PyTorch's process looks there too.
library_path() {
    local cudnn cuda=
    cudnn=$(cudnn_folder)
    [ -z "$(missing_libraries)" ] || cuda=$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")/lib64
    echo "${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${cuda:+$cuda:}$cudnn"
}

# PyTorch's packages hold cuDNN where the system has none.
cudnn_folder() {
    python3 -c 'import os, nvidia.cudnn as c; print(os.path.join(list(c.__path__)[0], "lib"))' 2>/dev/null
}

# Draws a record into a folder; beside counts, times that were recorded of the same variant, or else of the solution, and
# in the same panels other counts. Usage: draw_record FOLDER RECORD [COUNTS]
draw_record() {
    local variant recorded=''
    build "the plot program" -f benchmarks/build.mk build/plot build/checker
    variant=$(build/checker --print "$2" | sed -n 's|^implementation\tsolution/\([a-z0-9_]*\)$|\1|p')
    recorded=results/h200/$EX/$variant/bench.json
    [ -f "$recorded" ] || recorded=results/h200/$EX/bench.json
    [ -f "$recorded" ] && ! [ "$recorded" -ef "$2" ] || recorded=''
    build/plot "$1" "$2" "$recorded" ${3:+"$3"}
}

# The solution's counts in FP32 at the same shapes, counted once: prints the path of the record, or nothing.
# Usage: counts_of_solution SHAPES SEED
counts_of_solution() {
    local submission=$made_in/submissions/$EX-solution folder record
    mkdir -p "$submission"
    bash checker/compile_submission.sh "$EX" "solutions/$EX" "$submission" >/dev/null 2>&1 || return
    folder=$made_in/counts/$EX-$({
        echo "$1 $2"
        sha256sum "solutions/$EX"/*.c* build/bench-simulator build/runner-simulator
    } 2>/dev/null | sha256sum | cut -c 1-16)
    record=$folder/bench.json
    mkdir -p "$folder"
    [ -f "$record" ] ||
        build/bench-simulator --exercise "$EX" --implementation solution --output "$record" ${1:+--shapes "$1"} \
            ${2:+--seed "$2"} --submission "$submission/submission.so" --runner build/runner-simulator --fp32 --quiet >/dev/null
    [ -f "$record" ] && echo "$record"
}
