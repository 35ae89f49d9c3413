# shellcheck shell=bash disable=SC2154
# The list of all submissions in docs/submissions.md: what stands below the mark there. A row is taken from the submission
# itself, but for the number of seeds that it was last tried with. That number stays when it is tried with fewer, and
# is lost when its files change, which their checksum tells.
list=docs/submissions.md
mark='<!-- What follows is written by checker/tests/submissions_test.sh. -->'

# A submission in one line: EXERCISE/KIND/NAME, checksum, link, check, status and words, between tabs.
describe() {
    local path=$submissions/$1 checksum words
    if [ -d "$path" ]; then
        checksum=$(cat "$path"/* | sha256sum)
        # The first sentence of the comment that begins with "Correct:".
        words=$(cat "$path"/* | awk '
            sub(/^\/\* Correct: */, "") { inside = 1 }
            inside {
                last = sub(/ *\*\/.*/, "")
                sub(/^ \* */, "")
                text = text (text == "" ? "" : " ") $0
                if (last) exit
            }
            END { sub(/\. .*/, ".", text); print toupper(substr(text, 1, 1)) substr(text, 2) }')
        printf '%s\t%s\t%s\t\t\t%s\n' "$1" "${checksum:0:8}" "../$path" "$words"
    else
        checksum=$(sha256sum <"$path.patch")
        awk -v OFS='\t' -v task="$1" -v checksum="${checksum:0:8}" -v link="../$path.patch" '
            /^--- / { exit }
            match($0, /^[A-Z][a-z]*: */) { value[substr($0, 1, index($0, ":") - 1)] = substr($0, RLENGTH + 1) }
            END {
                gsub(/\|/, " or ", value["Status"])
                print task, checksum, link, value["Expect"], value["Status"], value["Fault"]
            }' "$path.patch"
    fi
}

# Prints the list: of $work/every, where those in the file $1 were graded by this run.
list_render() {
    while read -r task; do describe "$task"; done < <(LC_ALL=C sort "$work/every") >"$work/descriptions"
    sed "\\|^$mark|q" $list
    awk -v seeds="$seeds" -v submissions="$submissions" -v exercises="$(exercises | paste -sd ' ')" '
        FILENAME ~ /\.md$/ {
            if (!match($0, /submissions\/[^)]*\)/)) next
            task = substr($0, RSTART + 12, RLENGTH - 13)
            sub(/\.patch$/, "", task)
            columns = split($0, column, / *\| */)
            tried[task, column[columns - 1]] = column[columns - 2]
            next
        }
        FILENAME ~ /results$/ { passed[$2] = $1 == "passed"; next }
        FILENAME != ARGV[ARGC - 1] { graded[$1] = 1; next }
        FNR == 1 { FS = "\t"; $0 = $0 }
        {
            split($1, part, "/")
            rows[part[1], part[2]]++
            if (part[1] != exercise)
                out = out "\n## " (exercise = part[1]) "\n"
            if (part[1] "/" part[2] != section) {
                section = part[1] "/" part[2]
                out = out "\n### " part[2] "\n\n" (part[2] == "correct" ? "| name | what it is | seeds | files |\n| --- | --- | --- | --- |\n" : \
                    "| name | what is wrong | rejected by | status | seeds | files |\n| --- | --- | --- | --- | --- | --- |\n")
            }
            n = (($1, $2) in tried) ? tried[$1, $2] : "-"
            if ($1 in graded)
                n = !passed[$1] ? "-" : n + 0 > seeds ? n : seeds
            gsub(/\|/, "\\|", $6)
            out = out "| [" part[3] "](" $3 ") | " $6 " |" (part[2] == "correct" ? "" : " `" $4 "` | " $5 " |") " " n " | " $2 " |\n"
        }
        END {
            print "\n| exercise | correct | faulty | fraud |\n| --- | --- | --- | --- |"
            count = split(exercises, name, " ")
            for (i = 1; i <= count; i++)
                printf "| %s | %d | %d | %d |\n", name[i], rows[name[i], "correct"], rows[name[i], "faulty"], rows[name[i], "fraud"]
            printf "%s", out
        }' $list "$1" "$work/results" "$work/descriptions"
}

# Puts the rows of this run in place of the old ones, at once.
list_write() {
    list_render "$work/tasks" >$list.new && { cmp -s $list.new $list || echo "Written: $list"; } && mv $list.new $list
}

# Whether each submission has its row, with the words, the check and the status of its head, and has been tried as it
# is now. Says which have not.
list_is_true() {
    local stale
    : >"$work/nothing"
    list_render "$work/nothing" >"$work/list"
    stale=$({
        diff $list "$work/list"
        grep '| - | [0-9a-f]* |$' "$work/list"
    } | sed -nE 's|.*submissions/([^)]*)\).*|    \1|; s/\.patch$//; /^    /p' | sort -u)
    [ -z "$stale" ] && cmp -s $list "$work/list" && return
    echo "$list is not true of these submissions (SEEDS=20 bash $0 '<exercise>/<kind>/<name>' tries one and writes its row):"
    echo "${stale:-    the head of a table}"
    return 1
}
