#!/usr/bin/env bash
# make compare: the student's files beside the solution, in the simulator: checks, counts, errors, and in words what differs.
# With a GPU and nvcc both are timed too, in the same rounds; RUNTIME=simulator does without, RUNTIME=cuda takes times alone.
# WITH=wide_loads (a variant) or a folder instead of the solution; SUBMISSION= instead of the student's files. DIFF=1 shows
# the sources side by side. Writes results/local/EX/compare.json and draws it. Ends with 0; 2 where nothing is written yet;
# 3 where nothing could be compared.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/commands/submission.sh
source checker/commands/submission.sh
# shellcheck source=benchmarks/environment.sh
source benchmarks/environment.sh
trap 'echo; echo "Stopped. Nothing was written; an earlier record is as it was."; exit 130' INT

require_exercise compare
require_matrices compare
counted=1 timed=''
case ${RUNTIME:-} in
'') if is_cuda "$EX" && has_operator "$EX" && gpu_is_here && find_nvcc; then timed=1; fi ;;
simulator) ;;
cuda)
    is_cuda "$EX" || stop "$EX runs on the CPU: it is compared by its checks, without RUNTIME=cuda."
    has_operator "$EX" || stop "$EX has stages and no operator: it is compared by its checks, without RUNTIME=cuda."
    gpu_is_here || stop "RUNTIME=cuda: no NVIDIA GPU was found (nvidia-smi lists none). Without RUNTIME= the simulator counts."
    find_nvcc || stop "RUNTIME=cuda: nvcc was not found. Install the CUDA Toolkit, or put its bin folder in PATH."
    counted='' timed=1
    ;;
*) stop "RUNTIME is simulator or cuda, not '$RUNTIME'." ;;
esac
if [ -n "$timed" ] && [ -e build/bundle ] && ! command -v clang >/dev/null; then
    counted='' # a bundle grades and measures on the GPU only
fi
[[ ${SEED:-1} =~ ^[0-9]{1,19}$ ]] || stop "SEED is a whole number, not '$SEED'."
case ${DIFF:-} in
'' | 0 | 1 | yes) ;;
*) stop "DIFF is 1, or yes before a full score, not '$DIFF'." ;;
esac

runner=build/runner-simulator
is_cuda "$EX" || runner=build/runner-host
results=${RESULTS:-results/local}
[[ $results = /* || $results = results/local ]] || results=$invoked_in/$results
folder=$results/$EX
mkdir -p "$folder" 2>/dev/null || stop "The folder $folder cannot be made: nothing was compared."

# Sets source, implementation and name to what WITH names.
find_other() {
    local SUBMISSION='' SOLUTION=1
    case ${WITH:-} in
    '' | 1 | solution) ;;
    */* | .) SUBMISSION=$WITH SOLUTION='' ;;
    *) if [ ! -d "solutions/$EX/$WITH" ] && [ -d "$invoked_in/$WITH" ]; then
        SUBMISSION=$WITH SOLUTION=''
    else
        SOLUTION=$WITH
    fi ;;
    esac
    find_submission "$invoked_in"
}

# The digest of what a check depends on: its score is kept until that changes.
digest() {
    {
        echo "$EX $implementation $source ${SEED:-1}"
        find -L "$source" -maxdepth 1 -type f \( -name '*.c' -o -name '*.cu' -o -name '*.h' -o -name '*.cuh' \) -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
        sha256sum build/checker "$runner"
    } | sha256sum | cut -c 1-16
}

# Compiles what source names with nvcc, unless that has been done. $1: what to call it.
compile_for_gpu() {
    local built
    built=$(digests_of "$source" | sha256sum)
    [ -f "$submission/cuda/submission.so" ] && [ "$(cat "$submission/cuda/of" 2>/dev/null)" = "$built" ] && return
    bash benchmarks/compile_cuda.sh "$EX" "$source" "$submission/cuda" ||
        stop "$1 ($source) does not compile with nvcc, so there is nothing to compare."
    echo "$built" >"$submission/cuda/of"
}

# Compiles and checks what source names. Sets checks (check.json) and submission. $1: what to call it.
prepare() {
    submission=$made_in/submissions/$EX-$name
    mkdir -p "$submission" || exit 3
    [ -z "$timed" ] || compile_for_gpu "$1"
    [ -n "$counted" ] || return
    bash checker/compile_submission.sh "$EX" "$source" "$submission" >/dev/null 2>&1 || {
        cat "$submission/compile.log"
        stop "$1 ($source) does not compile, so there is nothing to compare."
    }
    checks=$made_in/checks/$EX-$(digest)/check.json
    [ -f "$checks" ] && return
    [ -t 2 ] && echo "Checking $1 ..." >&2
    mkdir -p "${checks%/*}"
    build/checker --exercise "$EX" --implementation "$implementation" --submission "$submission/submission.so" \
        --source "$source" --runner "$runner" --output "${checks%.json}.new" --seed "${SEED:-1}" >/dev/null 2>&1
    [ $? -le 2 ] && mv "${checks%.json}.new" "$checks" 2>/dev/null && return
    stop "$1 ($source) could not be checked: make check EX=$EX says why."
}

# The five fields that build/compare takes of a side. $1: what to call it.
as_side() {
    printf '%s\t%s\t%s\t%s\t%s' "$1" "$implementation" "$submission/submission.so" "$source" "$checks"
}

programs=(build/compare)
[ -z "$timed" ] || programs+=(build/bench-cuda)
[ -z "$counted" ] || programs+=(build/checker "$runner")
[ -z "$counted" ] || ! is_cuda "$EX" || programs+=(build/instrument build/remarks build/host-client)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the comparison" -f benchmarks/build.mk "${programs[@]}"

source='' implementation='' name='' submission='' checks=''
find_submission "$invoked_in"
yours_source=$source
prepare Yours
yours=$(as_side yours) yours_submission=$submission yours_implementation=$implementation
score="? 100"
[ -z "$checks" ] || score=$(sed -nE 's/^ *"(score|max_score)": ([0-9]+),?$/\2/p' "$checks" | paste -sd ' ')
checks=''
find_other
[ "$source" != "$yours_source" ] || stop "Both are $source: give WITH= another folder, or leave SOLUTION= and SUBMISSION= out."
case $implementation in
solution) other_name="the solution" ;;
solution/*) other_name=${implementation#solution/} ;;
*) other_name=$(basename "$source") ;;
esac
prepare "${other_name^}"

# Times of both in one run. Sets times to the record.
measure() {
    local environment=$made_in/submissions/$EX-environment missing
    echo "Timing both on the GPU, in turns ..."
    LD_LIBRARY_PATH=$(library_path)
    export LD_LIBRARY_PATH
    missing=$(missing_libraries)
    [ -z "$missing" ] || stop "build/bench-cuda needs $missing, which is not found here: it was built with another CUDA Toolkit."
    describe_environment cuda >"$environment"
    times=$folder/compare-times.json
    build/bench-cuda --exercise "$EX" --implementation "$yours_implementation" --output "$times" --quiet \
        --submission "$yours_submission/cuda/submission.so" --beside "$submission/cuda/submission.so" \
        --sources "$made_in/submissions/$EX-digests" --environment "$environment" \
        ${SHAPES:+--shapes "$SHAPES"} ${SEED:+--seed "$SEED"} ${SAMPLES:+--samples "$SAMPLES"} || exit 3
}

where=''
[ -z "$counted" ] || ! is_cuda "$EX" || where=', in the simulator'
[ -z "$timed" ] || where="${where:+$where and} on a GPU"
echo "$EX: yours in $yours_source beside $other_name in $source${where/# on/, on}, seed ${SEED:-1}"
options=(--exercise "$EX" --output "$folder/compare.json" --seed "${SEED:-1}")
[ -n "$counted" ] && options+=(--runner "$runner")
[ "${V:-}" = 1 ] && options+=(--all)
recorded=results/h200/$EX/bench.json
[[ $implementation = solution/* ]] && recorded=results/h200/$EX/${implementation#solution/}/bench.json
digests_of "$yours_source" >"$made_in/submissions/$EX-digests"
times=''
[ -z "$timed" ] || measure
if [ -n "$times" ]; then
    options+=(--times "$times")
elif [[ $implementation = solution* && -f $recorded ]]; then
    options+=(--recorded "$recorded")
fi
build/compare "${options[@]}" --sources "$made_in/submissions/$EX-digests" --yours "$yours" --other "$(as_side "$other_name")"
status=$?
[ $status -le 2 ] || exit 3

if [ -n "${DIFF:-}" ] && [ "$DIFF" != 0 ]; then
    if [ -e "$source/sealed" ]; then
        echo
        echo "DIFF shows sources, and this kit has the solutions compiled only."
        exit $status
    fi
    if [ "$DIFF" != yes ] && [ "${score% *}" != "${score#* }" ] && [[ $implementation = solution* ]]; then
        echo
        echo "DIFF=1 shows the solution's source, and yours has ${score% *} of ${score#* } points: what you find out by yourself stays"
        echo "with you. make hint EX=$EX helps without telling all. DIFF=yes shows it all the same."
        exit $status
    fi
    for file in $(exercise_files "$EX"); do
        build/compare --functions "$file" "$yours_source/$file" "$source/$file"
    done
fi
exit $status
