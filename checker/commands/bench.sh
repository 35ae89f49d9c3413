#!/usr/bin/env bash
# make bench: measures the files of an exercise, records it in results/local/EX/bench.json and draws it.
#
# With a GPU and the CUDA Toolkit it takes times (build/bench-cuda); without, it counts in the simulator
# (build/bench-simulator) and draws recorded times beside the counts. RUNTIME= chooses. SHAPES=, SAMPLES=, SEED= and
# SOLUTION= or SUBMISSION= as make help says. Ends with 0, or with 3 when nothing was measured.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh

require_exercise bench
require_measured bench
source='' implementation='' name=''
find_submission "$invoked_in"

# ---- which runtime ----
case ${RUNTIME:-} in
'') if gpu_is_here && find_nvcc; then runtime=cuda; else runtime=simulator; fi ;;
simulator) runtime=simulator ;;
cuda)
    runtime=cuda
    gpu_is_here || stop "RUNTIME=cuda: no NVIDIA GPU was found (nvidia-smi lists none). Without RUNTIME= the simulator counts."
    find_nvcc || stop "RUNTIME=cuda: nvcc was not found. Install the CUDA Toolkit, or put its bin folder in PATH."
    ;;
*) stop "RUNTIME is simulator or cuda, not '$RUNTIME'." ;;
esac
case $implementation in
exercise) : ;;
*) echo "Measuring $source ($implementation), not your files in exercises/$EX." ;;
esac

results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
folder=$results/$EX
submission=$made_in/submissions/$EX-$name
mkdir -p "$submission" "$folder" 2>/dev/null || stop "The folder $folder cannot be made: nothing was measured."
trap 'echo; exit 130' INT

# ---- build, compile, measure ----
# An exercise that is not about a matrix x and a matrix y has programs of its own.
if [ -f "benchmarks/$EX/bench.sh" ]; then
    # shellcheck disable=SC1090 # whichever it is
    source "benchmarks/$EX/bench.sh"
    exit 0
fi
options=(--exercise "$EX" --implementation "$implementation" --output "$folder/bench.json"
    --sources "$submission/sources" --environment "$submission/environment" --command "$(command_line)")
[ -n "${SHAPES:-}" ] && options+=(--shapes "$SHAPES")
[ -n "${SEED:-}" ] && options+=(--seed "$SEED")
[ -n "${SAMPLES:-}" ] && options+=(--samples "$SAMPLES")
list_sources >"$submission/sources"
describe_environment "$runtime" >"$submission/environment"
if [ $runtime = simulator ]; then
    build "the benchmark" -f benchmarks/build.mk build/bench-simulator build/plot build/runner-simulator build/host-client build/instrument build/remarks
    bash checker/compile_submission.sh "$EX" "$source" "$submission" >/dev/null 2>&1 || {
        cat "$submission/compile.log"
        stop "It does not compile, so there is nothing to measure."
    }
    echo "No GPU is used: these are counts from the simulator, not times."
    build/bench-simulator "${options[@]}" --submission "$submission/submission.so" --runner build/runner-simulator
else
    build "the benchmark" -f benchmarks/build.mk build/bench-cuda
    bash benchmarks/compile_cuda.sh "$EX" "$source" "$submission/cuda" || stop "It does not compile with nvcc, so there is nothing to measure."
    LD_LIBRARY_PATH=$(library_path)
    export LD_LIBRARY_PATH
    missing=$(missing_libraries)
    [ -z "$missing" ] || stop "build/bench-cuda needs $missing, which is not found here: it was built with another CUDA Toolkit."
    build/bench-cuda "${options[@]}" --torch "$(torch_script)" \
        --submission "$submission/cuda/submission.so"
fi
status=$?
[ $status -eq 0 ] || exit 3
echo
echo "recorded: $folder/bench.json"
beside=''
if [ $runtime = simulator ] && [[ $implementation != solution* ]]; then
    [ -t 2 ] && echo "Counting the solution too, in FP32, to stand beside it in the picture (once) ..."
    beside=$(counts_of_solution "${SHAPES:-}" "${SEED:-}")
fi
rm -f "$folder/solution-counts.json"
[ -z "$beside" ] || cp "$beside" "$folder/solution-counts.json" # for make plot
draw_record "$folder" "$folder/bench.json" "$beside"
exit 0
