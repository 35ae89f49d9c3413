# shellcheck shell=bash disable=SC2154
# Compiling and linking for a real GPU, by nvcc: what flags.sh does for the simulator.
#
# The copies of the files hold the student's lines as they are; only `#line` stands before them. The submission uses
# the runner's libcudart (the shared one), and its calls that the runner has to see go to the runner's __wrap_NAME.

# shellcheck source=checker/compile/machine.sh
source checker/compile/machine.sh

nvcc_find() {
    nvcc=$(nvcc_path) || refuse "nvcc, the compiler of the CUDA Toolkit, is not installed: RUNTIME=cuda needs it. RUNTIME=simulator does not."
    cuda_home=$(dirname "$(dirname "$(realpath "$nvcc")")")
    host_compiler=$(command -v gcc || command -v clang || command -v cc)
    [ -n "$host_compiler" ] || refuse "There is no C compiler here; nvcc needs gcc."
    architecture=${NVCC_ARCHITECTURE:-$(checker/compile/architecture.sh "$nvcc")}
}

cuda_compile() {
    local file=$1 log=$work/$1.raw strict=() status
    local includes=("-Iexercises/$exercise" -Iexercises "-I$source")
    [[ $source = solutions/* || $source = "$root"/solutions/* ]] && strict=(-Werror all-warnings)
    case $file in
    *.cu)
        # shellcheck disable=SC2086
        limited "$nvcc" $architecture -O2 -std=c++17 -lineinfo "${strict[@]}" "${includes[@]}" \
            -Xcompiler -fPIC,-g,-Wall,-fno-omit-frame-pointer -MD -MF "$work/$file.d" \
            -c "$staged/$file" -o "$work/$file.o" >"$log" 2>&1
        ;;
    *)
        [ ${#strict[@]} -gt 0 ] && strict=(-Werror)
        limited "$host_compiler" -std=gnu17 -O2 -g -fPIC -fno-omit-frame-pointer -Wall "${strict[@]}" "${includes[@]}" \
            -isystem "$cuda_home/include" -MD -MF "$work/$file.d" -c "$staged/$file" -o "$work/$file.o" >"$log" 2>&1
        ;;
    esac
    status=$?
    if was_ended $status "$log"; then
        limit_sentence $status "$log" "$source/$file"
        return 1
    fi
    sed -e "s|$staged/||g" -e '/^[0-9]* errors\{0,1\} detected in the compilation of/d' -e '/^$/d' "$log" | head -n 60
    return $status
}

cuda_link() {
    local objects=("$work"/*.o) wraps=() symbol
    nm -D --defined-only "$runner" | awk '{ print $NF }' >"$work/runner.symbols"
    while read -r symbol; do
        wraps+=(-Xlinker "--wrap=${symbol#__wrap_}")
    done < <(grep '^__wrap_' "$work/runner.symbols")
    # shellcheck disable=SC2086
    limited "$nvcc" $architecture -shared -cudart shared -o "$work/submission.so" "${objects[@]}" "${wraps[@]}" \
        -Xlinker -Bsymbolic -Xlinker -rpath,"$cuda_home/lib64" -lm
}
