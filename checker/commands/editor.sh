#!/usr/bin/env bash
# Writes compile_commands.json at the top: how each file that a student edits, and each solution, is compiled, for clangd and
# any editor that asks it. The flags are those of the checker (checker/compile/flags.sh); no CUDA Toolkit is needed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh

# A JSON string.
quoted() {
    local text=$1
    text=${text//\\/\\\\} text=${text//\"/\\\"}
    printf '"%s"' "$text"
}

# Usage: entry FILE COMMAND...
entry() {
    local file=$1 word
    shift
    printf '%s\n  { "directory": %s, "file": %s,\n    "arguments": [' "$comma" "$(quoted "$PWD")" "$(quoted "$file")"
    for word in "$@"; do printf '%s, ' "$(quoted "$word")"; done
    printf '"-c", %s] }' "$(quoted "$file")"
    comma=,
}

command -v clang >/dev/null || exit 0 # setup has said what is missing
mapfile -t system_c < <(system_includes clang -x c)
mapfile -t system_cuda < <(system_includes "${CUDA_C[@]}")
comma=
{
    printf '['
    for exercise in $(exercises); do
        for folder in "exercises/$exercise/" "solutions/$exercise/" "solutions/$exercise"/*/; do
            # shellcheck disable=SC2034 # include_flags reads it
            source=${folder%/}
            [ -d "$source" ] || continue
            mapfile -t includes < <(include_flags)
            for file in "$folder"*.c "$folder"*.cu; do
                case $file in
                *\**) ;;
                *.cu) entry "$file" "${CUDA_C[@]}" "${CUDA_C_HEADERS[@]}" -Wall "${system_cuda[@]}" "${includes[@]}" ;;
                *) entry "$file" clang -std=gnu17 -Wall -isystem checker/simulator/include "${system_c[@]}" "${includes[@]}" ;;
                esac
            done
        done
    done
    printf '\n]\n'
} >compile_commands.json.new && mv compile_commands.json.new compile_commands.json
