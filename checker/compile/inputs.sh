# shellcheck shell=bash disable=SC2154
# What a submission is made from, to tell whether it has to be made again.

# Headers of the submission's own, relative to its folder. The contract's are not among them, even where the folder
# holds a copy.
submission_headers() {
    (cd "$source" && find . -maxdepth 3 -type f \
        \( -name '*.h' -o -name '*.cuh' -o -name '*.hpp' -o -name '*.inl' -o -name '*.inc' -o -name '*.cu' -o -name '*.cuinc' -o -name '*.def' -o -name '*.c' \) \
        ! -name matrix.h ! -name "$exercise.h" ! -path './.*' | sed 's|^\./||' | LC_ALL=C sort)
}

# Files of the submission that the compiler read the last time, from wherever in its folder. Others do not count, and
# devices are never read.
inputs_note_dependencies() {
    local file real
    real=$(realpath -- "$source")
    while IFS= read -r file; do
        [[ $file = "$real"/* ]] && [ -f "$file" ] && echo "$file"
    done < <(dependencies) >"$output/dependencies"
}

# One line for each input: its name and a digest of its contents.
inputs_digest() {
    local file
    {
        for file in $exercise_files; do
            echo "$source/$file"
        done
        submission_headers | sed "s|^|$source/|"
        find "checker/simulator/include" "exercises/$exercise" "exercises/matrix.h" \
            "checker/simulator/wrapped_symbols.txt" "checker/compile" \
            "checker/compile_submission.sh" -type f ! -name '*.c' ! -name '*.cu'
        [ -f "$output/dependencies" ] && cat "$output/dependencies"
        printf '%s\n' build/instrument build/remarks "$runner" "$host_runner"
    } | LC_ALL=C sort -u | tr '\n' '\0' | xargs -0 sha256sum 2>/dev/null
    echo "$exercise $source $runtime ${SUBMISSION_RULES:-} ${FOR_GDB:-} $(if [ "$runtime" = cuda ]; then
        echo "$architecture $("$nvcc" --version | tail -n 2)"
    else clang --version | head -n 1; fi)"
}
