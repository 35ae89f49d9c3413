# shellcheck shell=bash
# The files of the kit that may be handed out: no solutions, no tests, no mutants, no records of the solutions.

# pack_files: lists them, of what git knows or would add (without git: of what there is).
pack_files() {
    { git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -type f -not -path './build/*' -not -path './.git/*' -not -path './results/local/*' -printf '%P\n'; } |
        grep -vE '^(solutions|results|checker/mutants|\.ci|\.devcontainer)/|(^|/)tests/|^docs/(mutants|submissions|fuzzing)\.md$|^checker/commands/(mutants|verdicts|verdicts_table|lint)\.sh$|^docs/(instructors|fuzzing)|^compile_commands\.json' |
        while IFS= read -r file; do
            [ -f "$file" ] && printf '%s\n' "$file"
        done
}

# The stubs as they were handed in to git: who teaches may have worked in exercises/. Usage: pack_stub FILE
pack_stub() {
    git show "HEAD:./$1" 2>/dev/null || cat "$1"
}

# pack FOLDER: copies them there.
pack() {
    local folder=$1 file
    mkdir -p "$folder" || return
    pack_files >"$folder.files" || return
    tar -cf - -T "$folder.files" | tar -C "$folder" -xf - || return
    for file in exercises/*/*.c exercises/*/*.cu; do
        [ ! -e "$file" ] || pack_stub "$file" >"$folder/$file" || return
    done
    rm -f "$folder.files"
}
