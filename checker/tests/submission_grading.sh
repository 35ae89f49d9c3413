# shellcheck shell=bash disable=SC2154
# Grading a test submission that compile_submission.sh has compiled: what the tests of submissions share. They set $exercise,
# $folder (its files; the results are in $folder.out) and, for what never ends, $statuses.

# Status and message of a check, on two lines, from a check.json as jansson indents it.
outcome_of() {
    awk -v id="$1" '
        $1 == "\"id\":" { inside = index($0, "\"" id "\"") > 0 }
        inside && $1 == "\"status\":" { gsub(/[",]/, "", $2); print $2 }
        inside && $1 == "\"message\":" {
            sub(/^ *"message": "/, ""); sub(/",?$/, ""); gsub(/\\n/, " "); gsub(/\\"/, "\""); print }' "$2"
}

# The first thing that was said about a submission where nothing should be: by the compiler, a check or a note.
remark_on() {
    head -n 1 "$1/compile.log"
    sed -nE 's/^ *"message": "(.+)",?$/\1/p' "$1/check.json" | head -n 1
    awk '/^note /{ inside = !/ operator\.on_stream:/; next } /^[^ ]/ { inside = 0 }
        inside && NF { sub(/^ +/, ""); print; exit }' "$1/report"
}

# Checks that did not pass, in one line.
others() {
    awk '$1 == "\"id\":" { id = $2 } $1 == "\"status\":" && id && $2 !~ /pass|skip/ { print id }' "$1" |
        tr -d '",' | paste -sd ' '
}

# Grades the submission that try() has compiled by the checks $1 with seed $2; results in folder.out.
grade() {
    local runner=simulator patience=4
    [[ ${statuses:-} = *timeout* ]] && patience=0.2 # what never ends is known by then
    [ "$exercise" = online_softmax ] && runner=host
    build/checker --exercise "$exercise" --implementation submission --submission "$folder.out/submission.so" \
        --source "$folder" --runner "build/runner-$runner" --compile-log "$folder.out/compile.log" \
        --case "$1" --seed "$2" --jobs 1 --patience $patience --output "$folder.out/check.json" >"$folder.out/report" 2>&1
}

# With seed $1 a submission that is right: says what is wrong with it, or nothing.
judge_correct() {
    if ! grade '*' "$1"; then
        echo "it is right, and this is its report:"
        sed 's/^/    /' "$folder.out/report"
    elif [ -n "$(remark_on "$folder.out")" ]; then
        echo "it is right, and yet it is said: $(remark_on "$folder.out")"
    fi
}
