#!/usr/bin/env bash
# Fuzzing: hands any bytes to the readers of files of the kit, one harness of checker/tests/fuzz/ after the other, under
# AddressSanitizer and UndefinedBehaviorSanitizer. docs/fuzzing.md says what each reads.
#
#   checker/tests/fuzz.sh [SECONDS [NAME...]]    each harness, or those named, for so long (60)
#   checker/tests/fuzz.sh --known [NAME...]      only the seeds, and what was found before
#
# What is learned stays in build/fuzz/corpus/NAME, an input that breaks something in build/fuzz/found/NAME-*. Last line:
# N passed, N failed, in harnesses. JOBS=2 runs two at a time.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
folder=checker/tests/fuzz

# Real files to begin with, those of the repository first.
seeds() {
    local to=$1 from
    mkdir -p "$to"
    for from in "$folder/seeds/$name" "$folder/found/$name"; do
        [ -d "$from" ] && cp "$from"/* "$to"
    done
    case $name in
    remarks)
        find exercises solutions checker/tests/submissions -name '*.cu' -o -name '*.c' | while read -r from; do
            cp "$from" "$to/${from//\//_}"
        done
        ;;
    mutants) sed '1s/^/r/' checker/mutants/equivalent.txt >"$to/equivalent.txt" ;;
    check_json) cp results/h200/checks/*_softmax.json "$to" ;;
    bench) cp benchmarks/tests/times.json "$to" ;;
    esac
}

# Words that the readers look for, as libFuzzer wants them.
words() {
    grep -hoE '"[A-Za-z_=:. -]{2,24}"' checker/*/*.c benchmarks/*.c checker/mutants/*.c checker/remarks/*.c | sort -u
}

longest() {
    case $name in
    bench) echo 32768 ;;
    answer) echo 256 ;;
    remarks) echo 2048 ;;
    *) echo 4096 ;;
    esac
}

# One harness. Prints its name and what libFuzzer counted.
fuzz() {
    local name=$1 seconds=$2 log=build/fuzz/log/$1 status
    local -a how=(-close_fd_mask=3 -timeout=20 -rss_limit_mb=4096 -max_len="$(longest)" -artifact_prefix="build/fuzz/found/$name-"
        -print_final_stats=1)
    rm -rf "build/fuzz/seeds/$name"
    seeds "build/fuzz/seeds/$name"
    mkdir -p "build/fuzz/corpus/$name" build/fuzz/log build/fuzz/found
    if [ "$seconds" = known ]; then
        build/fuzz/"$name" "${how[@]}" -runs=0 "build/fuzz/seeds/$name" >"$log" 2>&1
    else
        build/fuzz/"$name" "${how[@]}" -dict=build/fuzz/words -max_total_time="$seconds" "build/fuzz/corpus/$name" \
            "build/fuzz/seeds/$name" >"$log" 2>&1
    fi
    status=$?
    awk -v name="$name" -v status=$status '
        /^stat::number_of_executed_units/ { executed = $2 }
        /^stat::average_exec_per_sec/ { rate = $2 }
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        END { printf "%-12s %10d inputs, %6d a second, %5d edges: %s\n", name, executed, rate, edges,
              status ? "FAILED, see build/fuzz/log/" name : "nothing found" }' "$log"
    return $status
}

if [ "${1:-}" = --one ]; then
    fuzz "$3" "$2"
    exit
fi

make -f checker/tests/fuzz.mk harnesses >build/fuzz.log 2>&1 || {
    tail -n 20 build/fuzz.log
    echo "0 passed, 1 failed"
    exit 1
}
seconds=${1:-60}
[ "$seconds" = --known ] && seconds=known
shift
[ $# -eq 0 ] && mapfile -t all < <(find $folder -name '*_fuzz.c' -printf '%f\n' | sed 's/_fuzz\.c$//' | sort) && set -- "${all[@]}"
words >build/fuzz/words
printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -n 1 bash checker/tests/fuzz.sh --one "$seconds" | tee build/fuzz/said
failed=$(grep -c FAILED build/fuzz/said)
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
