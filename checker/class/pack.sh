# shellcheck shell=bash
# The files of the kit that may be handed out: no solutions, no tests, no mutants, none of the commands for those.

# pack_files: lists them, of what git knows or would add (without git: of what there is).
pack_files() {
    { git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -type f -not -path './build/*' -not -path './.git/*' -not -path './results/local/*' -printf '%P\n'; } |
        grep -vE '^(solutions|checker/mutants|\.ci)/|(^|/)tests/|^docs/(mutants|submissions|fuzzing)\.md$|^docs/instructors' |
        grep -vE '^checker/commands/(test|mutants|verdicts|verdicts_table|lint|bundle|grade|merge|gradescope|classroom50|student_kit)\.sh$' |
        grep -vE '^(results/local|build)/|^compile_commands\.json' |
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
    pack_commands "$folder" && pack_pages "$folder"
}

# Makefile and make help name the commands that are there.
pack_commands() {
    local folder=$1 command commands kept=()
    read -ra commands < <(sed -n 's/^COMMANDS = //p' Makefile)
    for command in "${commands[@]}"; do
        [ ! -e "$folder/checker/commands/${command//-/_}.sh" ] || kept+=("$command")
    done
    sed -i "s/^COMMANDS = .*/COMMANDS = ${kept[*]}/" "$folder/Makefile"
    awk -v kept=" ${kept[*]} clean help " '
        /^  make / { name = $2; sub(/,$/, "", name); left_out = !index(kept, " " name " ") }
        !/^   / && !/^  make / { left_out = 0 }
        !left_out' checker/commands/help.txt >"$folder/checker/commands/help.txt"
}

# Pages without what is marked as not for a student kit, and without links to what is not there.
pack_pages() {
    local folder=$1 page target
    while IFS= read -r page; do
        awk '/^<!-- not in a student kit -->$/ { left_out = 1 } !left_out { print } /^<!-- -->$/ { left_out = 0 }' "$page" >"$page.new" &&
            mv "$page.new" "$page" || return
        grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | sort -u | while IFS= read -r target; do
            case $target in
            *://* | mailto:*) continue ;;
            esac
            [ -e "${page%/*}/$target" ] && continue
            target=$(sed 's/[][\.*^$|/]/\\&/g' <<<"$target")
            sed -i -E "/^[*] \[[^]]*\]\(${target}[^)]*\):/,/^([*] |\$)/{ /^[*] \[[^]]*\]\(${target}/d; /^  /d; }
                s/\[([^]]*)\]\(${target}[^)]*\)/\1/g" "$page"
        done
    done < <(find "$folder" -maxdepth 2 -name '*.md' -not -path '*/checker/*')
}
