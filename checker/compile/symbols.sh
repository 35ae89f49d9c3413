# shellcheck shell=bash disable=SC2154
# What a linked submission defines and needs: all of the contract, nothing of the runtime's, nothing unknown.

# Names that belong to CUDA, the C library's allocator and memory functions, the instrumentation, the simulator.
RUNTIME_NAMES='^(cuda[A-Z]|cu[A-Z]|__cuda|__tsan_|__asan_|__ubsan_|__sanitizer_|__wrap_|__real_|sim_)|^(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|memcpy|memmove|memset|memcmp|exit|_exit|_Exit|quick_exit|abort|atexit|fork|vfork|signal|sigaction|setitimer|alarm|raise|kill|dlopen|dlsym|write|send|sendmsg|read|recv|__assert_fail|main|_init|_fini)$|^_Z(n[wa]|d[la])'

# The file of the submission whose object matches: nm arguments, then an extended regular expression of names.
file_with() {
    local nm_flags=$1 name=$2 file
    for file in $exercise_files; do
        nm "$nm_flags" "$work/$file.o" | awk '{ print $NF }' | grep -qxF -e "$name" && echo "$source/$file" && return
    done
    echo "The submission"
}

# What a library needs that neither another library has nor the program that loads it.
#   undefined_in LIBRARY SYMBOLS_OF_THE_PROGRAM
undefined_in() {
    nm -D --undefined-only "$1" | awk '$1 == "U" { print $2 }' | grep -v '@' | sort -u | grep -vxF -f "$2"
}

symbols_check() {
    local bad=0 pair file function symbol shown
    nm -D --defined-only "$work/submission.so" | awk '{ print $NF }' | sed 's/@.*//' >"$work/defined"

    # The image is ours; all else that is visible between files is the student's.
    while read -r symbol; do
        echo "$(file_with -g "$symbol") defines $(c++filt "$symbol"), a name of the runtime's own. Give your function or variable another name, or make it static."
        bad=1
    done < <(for file in $exercise_files; do nm -g --defined-only "$work/$file.o"; done |
        awk 'NF == 3 && $2 != "U" { print $3 }' | sort -u | grep -E -e "$RUNTIME_NAMES" | head -n 20)

    for pair in $exercise_functions; do
        file=${pair%%:*} function=${pair#*:}
        grep -qxF -e "$function" "$work/defined" && continue
        bad=1
        if grep -qE -e "^_Z${#function}$function" "$work/defined"; then
            echo "$source/$file defines $function with other parameters than exercises/$exercise/$exercise.h declares, or without including that header. C++ takes it for another function of the same name; copy the declaration from the header."
        else
            echo "$source/$file does not define $function, which exercises/$exercise/$exercise.h asks for. Is the name spelled as there, and is it not static?"
        fi
    done

    # A name with a version was found in a library; a weak one may be missing.
    while read -r symbol; do
        shown=$(c++filt "$symbol")
        bad=1
        case $symbol in
        __wrap_*) echo "$runner has no $symbol for checker/simulator/wrapped_symbols.txt: this is a fault of the kit, not of your files." ;;
        __tsan_* | __ubsan_* | __asan_* | sim_*) echo "$runner has no $symbol: this is a fault of the kit, not of your files." ;;
        cuda[A-Z]* | cu[A-Z]* | cublas* | curand* | nv*) [ "$runtime" = cuda ] &&
            echo "$(file_with -u "$symbol") uses $shown, which is not in the CUDA runtime: a submission is linked with that library alone." ||
            echo "$(file_with -u "$symbol") uses $shown, which the simulator does not offer: check on a GPU with RUNTIME=cuda." ;;
        *) echo "$(file_with -u "$symbol") uses $shown, and nothing defines it. Is it declared but not written, or spelled in two ways?" ;;
        esac
    done < <({
        undefined_in "$work/submission.so" "$work/runner.symbols"
        [ "$runtime" != simulator ] || undefined_in "$work/device.so" "$work/device.symbols"
    } | head -n 20)
    return $bad
}

# The linker's complaints in the student's terms.
link_messages() {
    if grep -q 'multiple definition of' "$work/link.log"; then
        sed -n "s/.*multiple definition of [\`']\([^']*\)'.*/\1/p" "$work/link.log" | sort -u | while read -r symbol; do
            echo "$(c++filt "$symbol") is defined in more than one of $(file_words). Keep one, or make it static."
        done
    else
        echo "The files compile, but do not link:"
        head -n 10 "$work/link.log"
    fi
}
