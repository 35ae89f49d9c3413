# shellcheck shell=bash
# What the commands share: finding the exercise that EX names, and building the kit's programs quietly.

# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh

# Where what is made of submissions goes: build/, or, for a kit in a read-only place, a folder of the user's.
made_in=build
[ -w build ] || { [ ! -e build ] && [ -w . ]; } || made_in=${XDG_CACHE_HOME:-$HOME/.cache}/softmax-workshop

# Prints a sentence and ends the command with status 3: nothing was graded.
stop() {
    printf '%s\n' "$@"
    exit 3
}

# The words on their lines, as one phrase: "a, b, c".
in_words() { paste -sd , <<<"$1" | sed 's/,/, /g'; }

# The one of the words on stdin that is nearest to $1 (Levenshtein), or nothing where none is near.
nearest() {
    awk -v given="$1" '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, row, previous) {
            for (j = 0; j <= length(b); j++) previous[j] = j
            for (i = 1; i <= length(a); i++) {
                row[0] = i
                for (j = 1; j <= length(b); j++)
                    row[j] = least(least(previous[j], row[j - 1]) + 1,
                                   previous[j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
                for (j = 0; j <= length(b); j++) previous[j] = row[j]
            }
            return previous[length(b)]
        }
        {
            cost = index($0, given) == 1 ? 1 : distance(given, $0)
            if (best == "" || cost < best_cost) { best = $0; best_cost = cost }
        }
        END { if (best_cost <= length(best) / 2) print best }'
}

# Ends the command unless EX names an exercise.
require_exercise() {
    local known
    known=$(in_words "$(exercises)")
    [ -n "${EX:-}" ] || stop "Which exercise? make $1 EX=split_softmax, for example. There are: $known."
    grep -qxF -e "$EX" <<<"$(exercises)" && return
    local guess
    guess=$(exercises | nearest "$(basename -- "$EX")")
    [ -n "$guess" ] && stop "There is no exercise '$EX'. Did you mean EX=$guess? There are: $known."
    stop "There is no exercise '$EX'. There are: $known."
}

# Ends where $EX has no kernels, or no operator: what make bench and the commands that take its records say.
require_measured() {
    is_cuda "$EX" ||
        stop "$EX runs on the CPU and is not measured: make $1 takes $(all_words "$(operator_exercises simulator)"). For a clock: time make run EX=$EX SHAPE=1x1000000 CHUNK=64."
    has_operator "$EX" ||
        stop "$EX has stages and no operator, and is not measured: make $1 takes $(all_words "$(operator_exercises simulator)")."
}

# Make for the kit's own programs, as from a shell: without the options of the make that called.
build_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u V \
        make --no-print-directory -f checker/build.mk "$@"
}

# In a bundle (make bundle) the programs came ready; only what needs this machine's nvcc is built here, without the
# libraries that setup.sh looks for.
built_elsewhere() {
    local program
    [ -e build/bundle ] || return
    for program in "$@"; do
        [[ $program = build/* ]] || continue # "-f", and the file after it
        [ "$program" = build/runner-cuda ] || [ "$program" = build/make_exit.so ] || [ -e "$program" ] ||
            stop "$program is not part of this bundle."
        [ "$program" != build/runner-cuda ] || build_make -q "$program" >/dev/null 2>&1 || {
            echo "Building $program ..."
            build_make -s -j"$(nproc)" "$program" >build/build.log 2>&1 || {
                head -n 10 build/build.log
                stop "$program does not compile here; this is no fault of your files. All of it: build/build.log"
            }
        }
    done
}

# Builds programs of the kit where they are out of date. $1: what to call them; the rest: targets.
build() {
    local words=$1 log=build/build.log
    shift
    built_elsewhere "$@" && return
    build_make -q "$@" >/dev/null 2>&1 && return
    [ "$made_in" = build ] ||
        stop "The workshop's programs are not built yet, or out of date, and $PWD is read-only: who may write there has to build them, with make check EX=$(exercises | tail -n 1) SOLUTION=1."
    bash checker/commands/setup.sh --probe || exit 3
    mkdir -p build
    exec 9>build/lock
    flock 9 # another make may be at it
    echo "Building $words ..."
    if ! build_make -s -j"$(nproc)" "$@" >"$log" 2>&1; then
        grep -E -m 10 'error|undefined' "$log"
        stop "The workshop's own programs do not compile; this is no fault of your files. All of it: $log"
    fi
    exec 9>&-
}

# Ends the command $1 where the exercise is not about a matrix x and a matrix y: then it has a benchmark of its own.
require_matrices() {
    [ ! -f "benchmarks/$EX/bench.sh" ] ||
        stop "make $1 is for exercises that make a matrix y of a matrix x, and $EX has more inputs than that. make check EX=$EX grades it, make bench EX=$EX measures it."
}
