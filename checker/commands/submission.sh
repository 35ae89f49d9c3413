# shellcheck shell=bash
# Whose files a command works on: SOLUTION, SUBMISSION, or the student's own.

# Sets source (a folder), implementation (as records name it) and name (for a folder under build/submissions).
# $1: the folder that make was called in. Ends the command with a sentence where there are no such files.
find_submission() {
    local invoked_in=$1 variants guess file
    if [ -n "${SUBMISSION:-}" ] && [ -n "${SOLUTION:-}" ]; then
        stop "SOLUTION and SUBMISSION are both set: give one of them."
    elif [ -n "${SUBMISSION:-}" ]; then
        source=$SUBMISSION
        [[ $source = /* ]] || source=$invoked_in/$source
        implementation=submission
        name=submission-$(printf %s "$source" | cksum | cut -d ' ' -f 1)
        [ -d "$source" ] || stop "SUBMISSION names the folder $SUBMISSION, and there is no such folder."
        source=${source#"$PWD/"}
    elif [ "${SOLUTION:-}" = 1 ]; then
        source=solutions/$EX
        implementation=solution
        name=solution
    elif [ -n "${SOLUTION:-}" ]; then
        source=solutions/$EX/$SOLUTION
        implementation=solution/$SOLUTION
        name=solution-$SOLUTION
        if [ ! -d "$source" ]; then
            variants=$(find "solutions/$EX" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
            guess=$(nearest "$SOLUTION" <<<"$variants")
            stop "There is no solution '$SOLUTION' of $EX.${guess:+ Did you mean SOLUTION=$guess?} $(
                printf '%s\n' "SOLUTION=1 is the plain one" "$variants" | sed '/^$/d' | paste -sd , | sed 's/,/, /g'
            )."
        fi
    else
        source=exercises/$EX
        # shellcheck disable=SC2034
        implementation=exercise
        # shellcheck disable=SC2034
        name=exercise
    fi
    for file in $(exercise_files "$EX"); do
        [ -f "$source/$file" ] ||
            stop "$source/$file is missing: $EX takes $(exercise_files "$EX" | paste -sd , | sed 's/,/, /g')."
    done
}

# "SHA256  FOLDER/FILE" of what a submission consists of.
digests_of() {
    find -L "$1" -maxdepth 1 -type f \( -name '*.c' -o -name '*.cu' -o -name '*.h' -o -name '*.cuh' \) -print0 |
        LC_ALL=C sort -z | xargs -0 -r sha256sum
}
