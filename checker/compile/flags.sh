# shellcheck shell=bash disable=SC2154
# Staging, compiling and linking: the commands and their flags.
#
# A file is compiled from a copy (translated, if it is CUDA C) that begins with `#line 1 "its own name"`. The copies
# lie apart from the original folder, so that the contract's headers come from exercises/ and from nowhere else.

# Writes the copy of a file of the submission. Status 1: the translator cannot make sense of it.
stage() {
    local file=$1 notes=$work/notes line rest column id
    case $runtime:$file in
    cuda:* | *.c)
        {
            printf '#line 1 "%s"\n' "$source/$file"
            cat "$source/$file"
        } >"$staged/$file"
        ;;
    *)
        "$translate" "$source/$file" "$staged/$file" "$source/$file" 2>"$notes"
        local status=$?
        while IFS= read -r line; do
            case $line in
            warning:*)
                rest=${line#warning:*:*:} line=${line#warning:} id=${rest%%:*}
                column=${line#*:} column=${column%%:*}
                echo "$source/$file:${line%%:*}:$column: warning: ${rest#*:} [$id]"
                ;;
            *) echo "$line" ;;
            esac
        done <"$notes" >>"$messages"
        return $status
        ;;
    esac
}

# The same for a header of the submission's own: launches may stand there too. One that the translator does not
# understand is left as it is: perhaps nobody includes it, and else the compiler will say what is wrong.
stage_header() {
    local file=$1
    mkdir -p "$staged/$(dirname "$file")"
    { [ "$runtime" != cuda ] && "$translate" "$source/$file" "$staged/$file" "$source/$file" 2>/dev/null; } || {
        printf '#line 1 "%s"\n' "$source/$file"
        cat "$source/$file"
    } >"$staged/$file"
}

# The contract's folders come first, for every way to write an #include. The submission's is searched after them
# for what its copies do not include by a path of their own: "../other/part.h".
include_flags() {
    printf '%s\n' -iquote "exercises/$exercise" -iquote exercises -iquote "$source" \
        "-Iexercises/$exercise" -Iexercises
}

# What the compiler says, and how much of it.
DIAGNOSTICS=(-Wall -Wno-unknown-pragmas -Wno-pass-failed -Wno-c++20-extensions -fno-color-diagnostics -ferror-limit=8
    -ftemplate-backtrace-limit=2 -fmacro-backtrace-limit=2)

# Each load and store calls __tsan_*, each index and cast that does not fit __ubsan_*: functions of the runner.
# Nothing may be optimised into, or out of, what the student wrote: no vectors, no memcpy for a loop, and a read
# stays where a write follows. Code in asm() is instrumented by no one. Any function may hold a barrier or a shuffle,
# so no call may be copied into two branches: threads would then stand at two places where the student wrote one.
SIMULATOR=(-O1 -g -fPIC -fno-builtin -fno-vectorize -fno-slp-vectorize -Xclang -fconvergent-functions
    -fsanitize=thread "-fsanitize=alignment,bounds"
    -mllvm -tsan-instrument-func-entry-exit=0
    -mllvm -tsan-instrument-read-before-write=1
    -mllvm -tsan-distinguish-volatile=1
    -fno-gnu-inline-asm)

# A null pointer plus 0 is what an empty list makes of `values + count`: no fault.
HOST=(-O1 -g -fPIC -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize=pointer-overflow
    -fno-gnu-inline-asm)

# Compiles a file of the submission; its messages go to standard output.
compile() {
    local file=$1 language=(clang -std=c17) flags=("${HOST[@]}") includes log=$work/$1.raw status
    mapfile -t includes < <(include_flags)
    if [ "$runtime" = simulator ]; then
        flags=("${SIMULATOR[@]}" -isystem checker/simulator/include)
        # nvcc includes the header by itself
        [[ $file = *.cu ]] && language=(clang++ -x c++ -std=c++17 -fdeclspec -include cuda_runtime.h)
    fi
    "${language[@]}" "${flags[@]}" "${DIAGNOSTICS[@]}" "${includes[@]}" -MD -MF "$work/$file.d" \
        -c "$staged/$file" -o "$work/$file.o" >"$log" 2>&1
    status=$?
    if grep -q 'the arguments of this launch do not fit' "$log"; then
        # Which argument it is: the lambda of a launch without its return type is an error at the kernel's call.
        sed -E 's/ -> decltype\([^{]*\(sim_arguments\.\.\.\)\) \{ return / { /g' "$staged/$file" >"$staged/explained.cu"
        "${language[@]}" -isystem checker/simulator/include "${DIAGNOSTICS[@]}" "${includes[@]}" -fsyntax-only \
            "$staged/explained.cu" >"$log" 2>&1
    fi
    messages_as_written <"$log"
    return $status
}

compile_image() {
    clang -std=c17 -O1 -fPIC -c "checker/simulator/image.c" -o "$work/image.o"
}

# Functions of the C library that the runner has to see are replaced by its own: see the list.
wrap_flags() {
    local symbol
    while read -r symbol; do
        [ "$runtime" = simulator ] || grep -qxF "__wrap_$symbol" "$work/runner.symbols" || continue
        echo "-Wl,--wrap=$symbol"
    done <"checker/simulator/wrapped_symbols.txt"
}

# -Bsymbolic: a helper of the student's that happens to have the name of a function in the runner stays the
# student's.
link() {
    local objects=("$work"/*.o) wraps
    nm -D --defined-only "$runner" | awk '{ print $NF }' >"$work/runner.symbols"
    mapfile -t wraps < <(wrap_flags)
    clang++ -shared -o "$work/submission.so" "${objects[@]}" "${wraps[@]}" -Wl,-Bsymbolic -lm
}
