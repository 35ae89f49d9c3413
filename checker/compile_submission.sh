#!/usr/bin/env bash
# Compiles a submission of an exercise for a runtime of the runner.
#
#   compile_submission.sh EXERCISE SOURCE_FOLDER OUTPUT_FOLDER [RUNTIME]
#
# SOURCE_FOLDER holds the student's files. What the compiler says goes to standard output and to
# OUTPUT_FOLDER/compile.log, under the files' own names and lines. OUTPUT_FOLDER/submission.so appears, whole, when
# the status is 0, and is gone when it is 1; beside it, for the simulator, device.so with the device side. It is not built again where nothing it came from has changed.
#
# RUNTIME is simulator, or host for an exercise without CUDA: what fits the exercise, when left out. With cuda, nvcc
# compiles for the GPUs that are there (NVCC_ARCHITECTURE: its flags for others). build/instrument, build/remarks and the runner
# have to be built before.
set -uo pipefail

[ $# -eq 3 ] || [ $# -eq 4 ] || {
    echo "usage: compile_submission.sh EXERCISE SOURCE_FOLDER OUTPUT_FOLDER [RUNTIME]"
    exit 1
}
exercise=$1 source=${2%/} output=${3%/} runtime=${4:-}
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
if ! [ "$root" -ef . ]; then
    source=$(realpath -m -- "$source") output=$(realpath -m -- "$output")
    cd "$root" || exit 1
fi

# shellcheck source=checker/compile/exercise.sh
source checker/compile/exercise.sh
# shellcheck source=checker/compile/limits.sh
source checker/compile/limits.sh
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh
# shellcheck source=checker/compile/cuda.sh
source checker/compile/cuda.sh
# shellcheck source=checker/compile/inputs.sh
source checker/compile/inputs.sh
# shellcheck source=checker/compile/symbols.sh
source checker/compile/symbols.sh
# shellcheck source=checker/compile/trust.sh
source checker/compile/trust.sh
# shellcheck source=checker/compile/messages.sh
source checker/compile/messages.sh
# shellcheck source=checker/compile/hints.sh
source checker/compile/hints.sh

mkdir -p "$output" || exit 1
exec 8>"$output/lock" && { ! command -v flock >/dev/null || flock 8; }
work=$(mktemp -d "$output/work.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
messages=$work/messages
: >"$messages"

# Makes the messages public and ends with this status.
finish() {
    cp "$messages" "$work/log" && mv "$work/log" "$output/compile.log"
    if [ "$1" = 0 ]; then
        mv "$messages" "$output/messages"
        cat "$output/messages"
    else
        rm -f "$output/submission.so" "$output/device.so" "$output/inputs"
        cat "$messages"
    fi
    exit "$1"
}

# Ends with a sentence.
refuse() {
    printf '%s\n' "$@" >>"$messages"
    finish 1
}

# Where a file that is missing is to be had.
where_stubs_are() {
    if [ "$source" -ef "exercises/$exercise" ]; then
        echo "git restore exercises/$exercise/$file brings the stub back."
    else
        echo "start from the ones in exercises/$exercise."
    fi
}

exercise_table >/dev/null ||
    refuse "clang is not installed, and a submission cannot be compiled without it: run make setup."
exercise_read

# In a student kit (make student-kit) the solutions came compiled, and their sources are not there.
if [[ $source = solutions/* ]] && [ -f "$source/sealed/submission.so" ]; then
    [ "$runtime" != cuda ] || refuse "This kit has the solutions compiled for the simulator only."
    cp "$source"/sealed/*.so "$output/" || exit 1
    finish 0
fi
for file in $exercise_files; do
    [ ! -L "$source/$file" ] || [ -f "$source/$file" ] ||
        refuse "$file is a link that leads out of the folder of the submission, or nowhere: put the file itself there."
    [ -f "$source/$file" ] || refuse "$file is missing from the folder $source." "$exercise takes $(file_words); $(where_stubs_are)"
done
tools="clang clang++ nm"
[ "$runtime" = cuda ] && tools="nm" && nvcc_find
for tool in $tools; do
    command -v "$tool" >/dev/null ||
        refuse "$tool is not installed, and a submission cannot be compiled without it: run make setup."
done
for program in build/instrument build/remarks; do
    [ "$runtime" != simulator ] || [ -x "$program" ] || refuse "$program is not built yet: make $program."
done
for program in "$runner" "$host_runner"; do
    [ -x "$program" ] || refuse "$program is not built yet: make $program."
done

trust_files
inputs_digest >"$work/inputs"
if [ -f "$output/submission.so" ] && cmp -s "$work/inputs" "$output/inputs"; then
    cp "$output/messages" "$messages"
    finish 0
fi

# ---- the student's files, and their headers, as the compiler gets them ----
staged=$work/staged
mkdir -p "$staged"
for file in $exercise_files; do
    stage "$file"
    [[ $file != *.cu ]] || ! [ -x build/remarks ] || limited build/remarks "$source/$file" >>"$messages"
done
while IFS= read -r file; do
    [ -f "$staged/$file" ] || stage "$file"
done < <(submission_headers)

# ---- compile, each file by a process of its own ----
processes=()
for file in $exercise_files; do
    if [ "$runtime" = cuda ]; then
        cuda_compile "$file" >"$work/$file.log" 2>&1 &
    else
        compile "$file" >"$work/$file.log" 2>&1 &
    fi
    processes+=($!)
done
good=1
for process in "${processes[@]}"; do
    wait "$process" || good=0
done
trust_dependencies >"$work/outside" || {
    mv "$work/outside" "$messages"
    finish 1
}
for file in $exercise_files; do
    cat "$work/$file.log" >>"$messages"
done
[ $good = 1 ] || { hints_add; finish 1; }

# ---- link, look at the symbols, put in place ----
link_command="link"
[ "$runtime" = cuda ] && link_command=cuda_link
$link_command >"$work/link.log" 2>&1 || {
    status=$?
    if was_ended $status "$work/link.log"; then
        limit_sentence $status "$work/link.log" "Linking the files" >>"$messages"
    else
        link_messages >>"$messages"
    fi
    finish 1
}
symbols_check >>"$messages" || finish 1
trust_symbols >>"$messages" || finish 1
inputs_note_dependencies
inputs_digest >"$work/inputs"
[ "$runtime" != simulator ] || mv "$work/device.so" "$output/device.so" || refuse "$output/device.so cannot be written."
{ mv "$work/submission.so" "$output/submission.so" && mv "$work/inputs" "$output/inputs"; } ||
    refuse "$output/submission.so cannot be written."
finish 0
