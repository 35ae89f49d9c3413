# shellcheck shell=bash
# Submissions that are nearly the same text, by sim_c (Debian's package similarity-tester): it compares token streams, in which
# names, numbers and comments make no difference. Lines that are in the stub are taken out first, so that what was given to all
# counts for nobody.

ALIKE_PERCENT=85 # of both texts has to be in the other
ALIKE_LINES=15   # own lines; fewer are too few to tell

# alike EXERCISE SUBMISSIONS WORK PROGRAM...: PROGRAM lists number and name, zero bytes between. Writes WORK/alike.txt, lines
# "NUMBER NUMBER PERCENT", and sets alike_note where it is not done.
alike() {
    local exercise=$1 submissions=$2 work=$3 number name file
    shift 3
    alike_note=''
    command -v sim_c >/dev/null || {
        alike_note="Not looked at: Debian's package similarity-tester (sim_c) is not installed."
        return
    }
    mkdir -p "$work/alike/submission" "$work/alike/out" || return
    while IFS= read -r -d '' number && IFS= read -r -d '' name; do
        for file in $(exercise_files "$exercise"); do
            [ -f "$submissions/$name/$file" ] && [ ! -L "$submissions/$name/$file" ] || continue
            head -c 1048576 "$submissions/$name/$file" | tr -d '\000\r' |
                LC_ALL=C grep -avxFf "exercises/$exercise/$file" | LC_ALL=C sed 's/[^ -~\t]/?/g'
        done >"$work/alike/submission/$number.c"
        [ "$(grep -c '[^[:space:]]' "$work/alike/submission/$number.c")" -ge $ALIKE_LINES ] ||
            rm "$work/alike/submission/$number.c"
    done < <("$@")
    chmod -R a+rX "$work/alike"
    alike_run "$work" >"$work/alike.said" || {
        # shellcheck disable=SC2034 # for report.sh
        alike_note="Not looked at: sim_c came to no end with these files."
        return
    }
    # "a.c consists for 97 % of b.c material", once in each direction; the smaller of the two counts.
    awk '$2 == "consists" {
            a = $1 + 0; b = $7 + 0
            if ((b, a) in share) {
                percent = share[b, a] < $4 ? share[b, a] : $4
                print (a < b ? a " " b : b " " a), percent + 0
            }
            share[a, b] = $4 }' "$work/alike.said" | sort -k 3,3nr -k 1,1n -k 2,2n >"$work/alike.txt"
}

# These are texts that somebody chose: sim_c reads them in a sandbox too. It tells of each pair one direction, so it is asked twice.
alike_run() {
    local work=$1 folder=/kit/submission
    [ "$CLASS_SANDBOX" != no ] || folder=$work/alike/submission
    # shellcheck disable=SC2016 # for the shell inside
    set -- timeout 120 bash -c 'cd "$1" && for order in "" -r; do
        ls $order | { read -r first || exit 0; { echo "$first"; cat; } | sim_c -e -p -T -t "$2" -r 16 -i; } || exit
    done' bash "$folder" $ALIKE_PERCENT
    if [ "$CLASS_SANDBOX" = no ]; then
        "$@" 2>/dev/null
    else
        (sandbox_prepare "$work/alike" 0 "$CLASS_KIT" && sandbox_enter "$@") 2>/dev/null
    fi
}
