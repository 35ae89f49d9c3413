#!/usr/bin/env bash
# make compare: the student's files beside the solution, in the simulator: checks, counts, errors, and in words what differs.
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
trap 'echo; echo "Stopped. Nothing was written; an earlier record is as it was."; exit 130' INT

require_exercise compare
[ "${RUNTIME:-simulator}" = simulator ] ||
    stop "make compare counts in the simulator. Times on a GPU: make bench EX=$EX, with SOLUTION=1 for the solution's."
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

# Compiles and checks what source names. Sets checks (check.json) and submission. $1: what to call it.
prepare() {
    submission=$made_in/submissions/$EX-$name
    mkdir -p "$submission" || exit 3
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

programs=(build/compare build/checker "$runner")
! is_cuda "$EX" || programs+=(build/instrument build/remarks build/host-client)
[ -e /usr/include/gnumake.h ] && programs+=(build/make_exit.so)
build "the comparison" -f benchmarks/build.mk "${programs[@]}"

source='' implementation='' name='' submission='' checks=''
find_submission "$invoked_in"
yours_source=$source
prepare Yours
yours=$(as_side yours)
score=$(sed -nE 's/^ *"(score|max_score)": ([0-9]+),?$/\2/p' "$checks" | paste -sd ' ')
find_other
[ "$source" != "$yours_source" ] || stop "Both are $source: give WITH= another folder, or leave SOLUTION= and SUBMISSION= out."
case $implementation in
solution) other_name="the solution" ;;
solution/*) other_name=${implementation#solution/} ;;
*) other_name=$(basename "$source") ;;
esac
prepare "${other_name^}"

echo "$EX: yours in $yours_source beside $other_name in $source$(! is_cuda "$EX" || echo ", in the simulator"), seed ${SEED:-1}"
options=(--exercise "$EX" --runner "$runner" --output "$folder/compare.json" --seed "${SEED:-1}")
[ "${V:-}" = 1 ] && options+=(--all)
recorded=results/h200/$EX/bench.json
[[ $implementation = solution/* ]] && recorded=results/h200/$EX/${implementation#solution/}/bench.json
[[ $implementation = solution* && -f $recorded ]] && options+=(--recorded "$recorded")
build/compare "${options[@]}" --yours "$yours" --other "$(as_side "$other_name")"
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
