# shellcheck shell=bash
# The table of exercises (table.def) for scripts. The caller is at the top of the kit.

# Lines of words: "exercise NAME RUNNER LESSON PARAMETER USUAL", and under each "function EXERCISE NAME FILE ROLE".
exercise_table() {
    local compiler
    compiler=$(command -v "${CC:-cc}" || command -v clang || command -v gcc) &&
        "$compiler" -E -P -x c checker/exercises/for_shell.h | tr -d '"'
}

# The words on their lines as people say them: "a, b and c".
all_words() {
    paste -sd , <<<"$1" | sed 's/,/, /g; s/\(.*\), /\1 and /'
}

# The names of the exercises, in the order in which they are learnt, a line each. $1: only those of this runner.
exercises() {
    local kind name runner rest
    while read -r kind name runner rest; do
        [ "$kind" = exercise ] && [ "${1:-$runner}" = "$runner" ] && echo "$name"
    done < <(exercise_table)
    return 0
}

# The exercises with a function that does the whole work, and not a stage alone: what make run calls. $1: only those of
# this runner, which make bench measures and make map draws.
operator_exercises() {
    local name
    while read -r name; do
        ! grep -q "^function $name .* OPERATOR\$" <<<"$(exercise_table)" || echo "$name"
    done < <(exercises "${1:-}")
}

# Whether the exercise $1 has one.
has_operator() {
    grep -qxF -e "$1" <<<"$(operator_exercises "")"
}

# Whether the exercise $1 is CUDA C; else it is plain C for the CPU.
is_cuda() {
    grep -qxF -e "$1" <<<"$(exercises simulator)"
}

# What the caller of exercise $1 chooses beside the data: chunk, rows_per_block, or none.
exercise_parameter() {
    exercise_table | while read -r kind name _ _ parameter _; do
        [ "$kind $name" != "exercise $1" ] || echo "$parameter"
    done
}

# The page that teaches the exercise $1.
exercise_lesson() {
    exercise_table | while read -r kind name _ lesson _; do
        [ "$kind $name" != "exercise $1" ] || echo "$lesson"
    done
}

# The files that a student edits in the exercise $1, and every submission has: a line each.
exercise_files() {
    exercise_table | while read -r kind of _ file _; do
        [ "$kind $of" != "function $1" ] || echo "$file"
    done | awk '!seen[$0]++'
}

# FILE:FUNCTION of each function in the contract of the exercise $1, a line each.
exercise_functions() {
    exercise_table | while read -r kind of function file _; do
        [ "$kind $of" != "function $1" ] || echo "$file:$function"
    done
}
