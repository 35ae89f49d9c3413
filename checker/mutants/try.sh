# shellcheck shell=bash disable=SC2034,SC2154
# Trying one mutant: compile it, grade it up to the first check that fails, note what became of it.
#
# The compile step's own functions are used, without its searches for what only a person would write; a file that is
# not mutated is compiled once for all.

# shellcheck source=checker/compile/exercise.sh
source checker/compile/exercise.sh
# shellcheck source=checker/compile/flags.sh
source checker/compile/flags.sh
# shellcheck source=checker/compile/limits.sh
source checker/compile/limits.sh
# shellcheck source=checker/compile/messages.sh
source checker/compile/messages.sh

# Loops stay loops: unrolled, they are most of what the compiler has to do, and a program means the same either way.
SIMULATOR+=(-g1 -mllvm -pragma-unroll-threshold=0 -mllvm -unroll-threshold=0)

# Sets what those functions read, for the files in this folder.
compile_settings() {
    source=$1 work=$2 staged=$2/staged messages=$2/messages runtime=''
    exercise_read
    mkdir -p "$staged"
    : >"$messages"
}

# Compiles and grades the solution itself: its objects serve all mutants, it has to pass, and its times tell which
# check may be slow. Throws results away that came from other sources or programs.
mutant_prepare() {
    local folder=build/mutants/$1 again=$2 file
    exercise=$1
    compile_settings "solutions/$exercise" "$folder/solution"
    {
        sha256sum solutions/"$exercise"/*.*
        for file in $exercise_files; do
            build/mutants-of list "solutions/$exercise/$file" | sha256sum
        done
        [ -n "$again" ] || sha256sum build/checker "$runner" checker/mutants/try.sh checker/compile/flags.sh
        find checker/simulator/include "exercises/$exercise" -name '*.h' -print0 | sort -z | xargs -0 sha256sum
    } >"$folder/inputs.new"
    if [ -n "$again" ]; then
        grep -lP '\t(survived|same_code)\t' "$folder"/results/* 2>/dev/null | xargs -r rm -f
    elif ! cmp -s "$folder/inputs.new" "$folder/inputs"; then
        rm -rf "$folder/results"
        mkdir -p "$folder/results"
        mv "$folder/inputs.new" "$folder/inputs"
    fi
    for file in $exercise_files; do
        { stage "$file" && compile "$file" && plain_object "$file"; } >"$work/log" 2>&1 || {
            cat "$work/log"
            return 1
        }
    done
    link || return 1
    grade "$work" '*' 4 || {
        echo "The solution of $exercise itself does not pass every check: see $work/report."
        return 1
    }
}

# Grades the submission in this folder: report and check.json lie beside it. $3 is the factor on the time limits.
grade() {
    build/checker --exercise "$exercise" --implementation submission --submission "$1/submission.so" --source "$source" \
        --runner "$runner" --jobs 1 --stop --case "$2" --patience "$3" --output "$1/check.json" >"$1/report" 2>&1
}

# The first check of a check.json that did not pass, and its status: "merge.rescale fail".
failed_check() {
    awk '$1 == "\"id\":" { id = $2 } $1 == "\"status\":" && id && $2 !~ /pass|skip/ { print id, $2; exit }' "$1" |
        tr -d '",'
}

# Seconds that the solution took for a check, waiting included.
usual_seconds() {
    awk -v id="\"$1\"," '$1 == "\"id\":" { here = $2 == id } here && $1 == "\"seconds\":" { print $2 + 0; exit }' \
        "build/mutants/$exercise/solution/check.json"
}

# Compiles a file as it would be for speed, with nothing that depends on places in the text: what two texts have in
# common here, they have in common altogether. Constants can make the compiler unroll without end: not told apart then.
plain_object() {
    local file=$1 language=(clang -std=c17) includes system side sides=("")
    mapfile -t includes < <(include_flags)
    [ "$runtime" = simulator ] && includes+=(-isystem checker/simulator/include)
    if [[ $file = *.cu ]]; then
        mapfile -t system < <(system_includes "${CUDA_C[@]}")
        language=("${CUDA_C[@]}" "${CUDA_C_HEADERS[@]}" "${system[@]}")
        sides=("${HOST_SIDE[*]}" "${DEVICE_SIDE[*]}")
    fi
    for side in "${sides[@]}"; do
        # shellcheck disable=SC2086 # the words of one side
        timeout 60 "${language[@]}" -O2 -w -fno-builtin "${includes[@]}" $side -S -o - "$staged/$file" || return
    done | sed '/^\t\.file/d' >"$work/$file.s"
    [ "${PIPESTATUS[0]}" = 0 ]
}

# EXERCISE FILE NUMBER: writes the line that record.h describes.
mutant_try() {
    exercise=$1
    local file=$2 number=$3 folder=build/mutants/$1 began=$EPOCHREALTIME other check='' status='' outcome=killed
    compile_settings "solutions/$exercise" "$folder/work/$file.$number"
    local mutated=$work/source
    mkdir -p "$mutated"
    build/mutants-of write "solutions/$exercise/$file" "$number" >"$mutated/$file" || exit 255
    source=$mutated
    if ! { stage "$file" && compile "$file"; } >"$work/log" 2>&1; then
        outcome=not_compiled
    else
        for other in "$folder"/solution/*.o; do
            [[ ${other##*/} = "$file".* ]] || cp "$other" "$work" # not those of this file: host side and device side
        done
        link >"$work/log" 2>&1 || outcome=not_compiled
    fi
    if [ $outcome = killed ]; then
        # An endless loop need not run for 20 seconds to be one; but where the solution itself takes long, it gets
        # the time it needs.
        grade "$work" '*' 0.25
        local code=$?
        read -r check status < <(failed_check "$work/check.json")
        if [ "$status" = timeout ] && awk -v s="$(usual_seconds "$check")" 'BEGIN { exit !(s > 0.5) }'; then
            grade "$work" '*' 4
            code=$?
            check='' status=''
            read -r check status < <(failed_check "$work/check.json")
        fi
        case $code in
        0)
            outcome=survived
            plain_object "$file" && cmp -s "$work/$file.s" "$folder/solution/$file.s" && outcome=same_code
            ;;
        1 | 2) ;;
        *)
            echo "$exercise $file $number: the checker ended with status $code."
            cat "$work/report"
            exit 255
            ;;
        esac
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$number" $outcome "$check" "$status" \
        "$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')" >"$work/result"
    mv "$work/result" "$folder/results/$file.$number"
    rm -rf "$work"
}

# Writes docs/mutants.md where every exercise has a record of all its mutants: the words that are there stay, the
# tables after the mark are made anew.
mutant_table() {
    local records=() exercise mark='<!-- made by make mutants -->'
    for exercise in $(exercises); do
        build/checker --print "build/mutants/$exercise.json" | grep -qx $'step\t1' || return 0
        records+=("build/mutants/$exercise.json")
    done
    {
        sed "/^$mark\$/q" docs/mutants.md
        echo
        build/mutants-of table "${records[@]}"
    } >build/mutants/table && mv build/mutants/table docs/mutants.md
}
