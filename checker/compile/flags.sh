# shellcheck shell=bash disable=SC2154
# Staging, compiling and linking: the commands and their flags.
#
# A file is compiled from a copy that begins with `#line 1 "its own name"`. The copies lie apart from the original
# folder, so that the contract's headers come from exercises/ and from nowhere else.
#
# For the simulator clang reads a .cu file twice, as CUDA programs are always compiled: once for the host side, once for the
# device side, both for this computer's processor and with the simulator's headers. What it makes of them, not optimised
# yet, goes through build/instrument, which puts a call before every access and writes the objects.

# Files that the submission may read are written down as the compiler opens them (CC_PRINT_HEADERS), for trust.sh.

# The copy of a file of the submission. A byte order mark may only stand at the beginning of a file. And clang takes
# `#pragma unroll` for an error where no loop follows, which nvcc passes over: nothing is unrolled here, so the word becomes
# one that clang does not know.
stage() {
    local file=$1 edits=(-e '1s/^\xef\xbb\xbf//')
    [ "$runtime" = cuda ] ||
        edits+=(-e 's/^([[:space:]]*#[[:space:]]*pragma[[:space:]]+(no)?)unroll/\1UNROLL/'
            -e 's/(_Pragma[[:space:]]*\([[:space:]]*"[[:space:]]*(no)?)unroll/\1UNROLL/g')
    mkdir -p "$staged/$(dirname "$file")"
    {
        printf '#line 1 "%s"\n' "$source/$file"
        sed -E "${edits[@]}" "$source/$file"
    } >"$staged/$file"
}

# The contract's folders come first, for every way to write an #include. The submission's is searched after them
# for what its copies do not include by a path of their own: "../other/part.h".
include_flags() {
    printf '%s\n' -iquote "exercises/$exercise" -iquote exercises -iquote "$source" \
        "-Iexercises/$exercise" -Iexercises
}

# The system's own folders of headers, as the compiler has them, without /usr/local: a CUDA Toolkit may be there, which
# would hide what the simulator lacks.
#   system_includes LANGUAGE...
system_includes() {
    echo -nostdinc
    "$@" -E -v - </dev/null 2>&1 >/dev/null | awk '
        /^#include <...> search starts here/ { list = 1; next }
        /^End of search list/ { exit }
        list && $1 !~ /^\/usr\/local\// { print "-isystem"; print $1 }'
}

# What the compiler says, and how much of it.
DIAGNOSTICS=(-fno-crash-diagnostics -Wall -Wno-unknown-pragmas -Wno-pass-failed -Wno-c++20-extensions -Wno-unknown-cuda-version -fno-color-diagnostics -ferror-limit=8
    -ftemplate-backtrace-limit=2 -fmacro-backtrace-limit=2)

# Nothing is optimised before it is instrumented, so each access is where the student wrote it. The compiler itself looks
# at an index into an array whose size it knows: it calls __ubsan_*, functions of the runner. A loop stays a loop.
SIMULATOR=(-O1 -Xclang -disable-llvm-passes -emit-llvm -g -fPIC -fno-builtin -fsanitize=bounds -fno-strict-aliasing)

# CUDA C as nvcc has it, from CUDA 13: what it predefines, the header that it includes by itself. Since 9.2 a launch calls
# cudaLaunchKernel, which clang wants to be told by a version of the Toolkit's. Its own wrappers of <new> want stdlib.h.
CUDA_C=(clang++ -x cuda --cuda-host-only -nocudainc -nocudalib -Xclang -target-sdk-version=11.0 -std=c++17 -fdeclspec
    -D__CUDACC__=1 -D__NVCC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=88)
CUDA_C_HEADERS=(-isystem checker/simulator/include -include stdlib.h -include cuda_runtime.h)
HOST_SIDE=(-Xclang -fcuda-include-gpubinary -Xclang checker/compile/no_device_code)
DEVICE_SIDE=(-Xclang -fcuda-is-device -U__CUDA_ARCH__ -D__CUDA_ARCH__=900 -D__CUDA_ARCH_LIST__=900)

# A null pointer plus 0 is what an empty list makes of `values + count`: no fault.
HOST=(-O1 -g -fPIC -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize=pointer-overflow
    -fno-gnu-inline-asm)

# Compiles a file of the submission; its messages go to standard output.
compile() {
    local log=$work/$1.raw status
    if [ "$runtime" = simulator ]; then
        case $1 in
        *.cu) compile_cuda_c "$1" >"$log" 2>&1 ;;
        *) compile_c "$1" >"$log" 2>&1 ;;
        esac
    else
        compile_for_host "$1" >"$log" 2>&1
    fi
    status=$?
    if was_ended $status "$log"; then
        limit_sentence $status "$log" "$source/$1"
        return 1
    fi
    messages_as_written <"$log"
    return $status
}

# clang with limits: compiler NAME COMMAND...; what it opens is listed in NAME.headers.
compiler() {
    local name=$1
    shift
    : >"$work/$name.headers"
    CC_PRINT_HEADERS=1 CC_PRINT_HEADERS_FILE=$work/$name.headers limited "$@" -MD -MF "$work/$name.d"
}

compile_for_host() {
    local includes
    mapfile -t includes < <(include_flags)
    compiler "$1" clang -std=gnu17 "${HOST[@]}" ${FOR_GDB:+-O0} "${DIAGNOSTICS[@]}" "${includes[@]}" -c "$staged/$1" -o "$work/$1.o"
}

compile_c() {
    local includes system
    mapfile -t includes < <(include_flags)
    mapfile -t system < <(system_includes clang -x c)
    compiler "$1" clang -std=gnu17 "${SIMULATOR[@]}" "${DIAGNOSTICS[@]}" -isystem checker/simulator/include "${system[@]}" \
        "${includes[@]}" -c "$staged/$1" -o "$work/$1.bc" || return
    limited build/instrument ${FOR_GDB:+--for-gdb} "$work/$1.bc" "$work/$1.o"
}

# Both sides of a file at once. What the compiler says of both is said once (messages_as_written).
compile_cuda_c() {
    local file=$1 includes system common host status=0 host_status=0
    mapfile -t includes < <(include_flags)
    mapfile -t system < <(system_includes "${CUDA_C[@]}")
    common=("${CUDA_C[@]}" "${CUDA_C_HEADERS[@]}" "${SIMULATOR[@]}" "${DIAGNOSTICS[@]}" "${system[@]}" "${includes[@]}"
        -c "$staged/$file")
    compiler "$file" "${common[@]}" "${HOST_SIDE[@]}" -o "$work/$file.host.bc" >"$work/$file.host.raw" 2>&1 &
    host=$!
    compiler "$file.device" "${common[@]}" "${DEVICE_SIDE[@]}" -o "$work/$file.device.bc" >"$work/$file.device.raw" 2>&1 ||
        status=$?
    wait $host || host_status=$?
    cat "$work/$file.host.raw" "$work/$file.device.raw"
    [ $status -ge $host_status ] || status=$host_status
    [ $status = 0 ] || return $status
    limited build/instrument ${FOR_GDB:+--for-gdb} "$work/$file.host.bc" "$work/$file.o" "$work/$file.device.bc" "$work/$file.device.o"
}

# Functions of the C library that the runner has to see are replaced by its own: see the list.
wrap_flags() {
    local symbol
    while read -r symbol; do
        [ "$runtime" = simulator ] || grep -qxF "__wrap_$symbol" "$work/runner.symbols" || continue
        echo "-Wl,--wrap=$symbol"
    done <"checker/simulator/wrapped_symbols.txt"
}

# What a program offers to the library that it will load.
offered_by() {
    nm -D --defined-only "$1" | awk '{ print $NF }'
}

# -Bsymbolic: a helper of the student's that happens to have the name of a function in the runner stays the
# student's. For the simulator the host side and the device side are two libraries, for two processes.
link() {
    local objects=("$work"/*.o) wraps device_wraps
    { offered_by "$host_runner"; offered_by "$runner"; } >"$work/runner.symbols" # a name of either is no misspelling
    mapfile -t wraps < <(wrap_flags)
    wraps+=("-Wl,-Bsymbolic" -lm)
    if [ "$runtime-${FOR_GDB:-}" = simulator-1 ]; then # both sides in one library, for one process
        cp "$work/runner.symbols" "$work/device.symbols"
        limited clang++ -shared -o "$work/submission.so" "${objects[@]}" "${wraps[@]}" &&
            cp "$work/submission.so" "$work/device.so"
        return
    elif [ "$runtime" = simulator ]; then
        offered_by "$runner" >"$work/device.symbols"
        objects=()
        for file in $exercise_files; do
            objects+=("$work/$file.o")
        done
        mapfile -t device_wraps < <(printf "%s\n" "${wraps[@]}" | grep -vE "wrap=mem(cpy|move|set)$") # instrument/stacks.c
        limited clang++ -shared -o "$work/device.so" "$work"/*.device.o "${device_wraps[@]}" || return
    fi
    limited clang++ -shared -o "$work/submission.so" "${objects[@]}" "${wraps[@]}"
}
