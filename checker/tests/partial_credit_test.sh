#!/usr/bin/env bash
# Tests of partial credit: the solution of split_softmax with some functions put back to their stubs. What is written
# gets its points, what is not is to do, and nothing counts as wrong.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
bash -c 'source checker/commands/common.sh; build "the checker" programs' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
solution=solutions/split_softmax

# Lets a function begin with "return VALUE;". Usage: unwrite FILE FUNCTION VALUE
unwrite() {
    awk -v head="[ *]$2[(]" -v value="$3" '
        /^[a-z]/ && $0 ~ head { inside = 1 }
        { print }
        inside && /[{]$/ { print "    return " value ";"; inside = 0; done = 1 }
        END { exit !done }' "$1" >"$work/unwritten" || { echo "$2 is not in $1" && exit 1; }
    cp "$work/unwritten" "$1"
}

# Points of a stage in a check.json, and how many of its checks have a status: points_of STAGE, count_of STATUS
points_of() {
    awk -F '[:,] *' -v stage="\"$1\"" '$1 ~ /"stage"/ { in_stage = $2 == stage }
        $1 ~ /^ *"points"/ && in_stage { sum += $2 } END { print sum + 0 }' "$work/check.json"
}
count_of() { grep -c "\"status\": \"$1\"" "$work/check.json"; }

# Expects these points with these functions unwritten.
# Usage: grade NAME PARTIALS MERGE NORMALIZE VALIDATION OPERATOR FUNCTION...
grade() {
    local name=$1 right="$2 $3 $4 $5 $6" got function
    shift 6
    rm -rf "$work/source" && mkdir "$work/source" && cp $solution/split_softmax.c $solution/split_softmax.cu "$work/source"
    for function; do
        case $function in
        split_softmax_chunks) unwrite "$work/source/split_softmax.c" "$function" -1 ;;
        split_softmax_scratch_bytes) unwrite "$work/source/split_softmax.c" "$function" 0 ;;
        split_softmax) unwrite "$work/source/split_softmax.c" "$function" cudaErrorNotSupported ;;
        run) sed -i 's/^    void \*scratch = NULL;/    return cudaErrorNotSupported;\n&/' "$work/source/split_softmax.c" ;;
        *) unwrite "$work/source/split_softmax.cu" "$function" cudaErrorNotSupported ;;
        esac
    done
    if ! bash checker/compile_submission.sh split_softmax "$work/source" "$work/built" >"$work/log" 2>&1; then
        head -n 3 "$work/log"
    fi
    build/checker --exercise split_softmax --submission "$work/built/submission.so" --source "$work/source" \
        --runner build/runner-simulator --patience 4 --output "$work/check.json" >"$work/report" 2>&1
    local status=$?
    got="$(points_of partials) $(points_of merge) $(points_of normalize) $(points_of validation) $(points_of operator)"
    if [ "$got" = "$right" ] && [ $status -eq 2 ] && [ "$(count_of fail)$(count_of crash)$(count_of timeout)" = 000 ]; then
        pass
    else
        fail "$name: $right points and exit status 2 are right, but it was $got and $status:" \
            "$(sed 's/^/    /' "$work/report")"
    fi
}

stages="split_softmax_partials split_softmax_merge split_softmax_normalize"
# shellcheck disable=SC2086 # a list of words
{
    grade "nothing" 0 0 0 0 0 $stages split_softmax_chunks split_softmax_scratch_bytes split_softmax
    grade "stage 1" 20 0 0 0 0 split_softmax_merge split_softmax_normalize split_softmax_scratch_bytes split_softmax
    grade "stage 2" 0 20 0 0 0 split_softmax_partials split_softmax_normalize split_softmax_chunks \
        split_softmax_scratch_bytes split_softmax
    grade "stage 3" 0 0 20 0 0 split_softmax_partials split_softmax_merge split_softmax_scratch_bytes split_softmax
    grade "the plan" 0 0 0 3 0 $stages split_softmax
    grade "the stages and the plan" 20 20 20 3 0 split_softmax
    grade "all but the end of the operator" 20 20 20 13 0 run
}
end_test
