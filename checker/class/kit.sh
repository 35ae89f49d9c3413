# shellcheck shell=bash
# The part of the kit that grading takes: no solutions, no tests, and of the exercises the contracts only. The copy stays as it is
# while the class is graded, whatever is built meanwhile.

# kit_copy FOLDER RUNTIME: makes it, for everybody to read. Sets kit_key, the digest of all its files and of the compilers.
kit_copy() {
    local folder=$1 runtime=$2 program
    mkdir -p "$folder/build" "$folder/submission" "$folder/checker/class" || return
    {
        find exercises -type f -name '*.h'
        find checker/compile checker/exercises checker/simulator/include -type f
        printf '%s\n' checker/compile_submission.sh checker/simulator/wrapped_symbols.txt checker/class/inside.sh
        for program in checker instrument remarks host-client "runner-$runtime"; do
            [ ! -e "build/$program" ] || printf 'build/%s\n' "$program"
        done
    } | LC_ALL=C sort >"$folder.files"
    tar -cf - -T "$folder.files" | tar -C "$folder" -xf - || return
    chmod -R a+rX "$folder"
    # shellcheck disable=SC2034 # for grade.sh
    kit_key=$({
        (cd "$folder" && find . -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum)
        clang --version 2>/dev/null
        [ "$runtime" != cuda ] || nvcc --version 2>/dev/null
    } | sha256sum | cut -c 1-64)
}
