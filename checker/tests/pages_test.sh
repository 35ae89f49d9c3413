#!/usr/bin/env bash
# The pages: each link leads somewhere, each lesson is as long as it may be and says how long it takes, its facts come before
# the stages, each question has its answer, and the code that a page shows is that of the file. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

for page in README.md docs/*.md; do
    while IFS= read -r link; do
        expect "$page links to $link, which is there" [ -e "$(dirname "$page")/${link%%#*}" ]
    done < <(grep -oE '\]\([^)#:][^):]*\)' "$page" | sed -E 's/^\]\(//; s/\)$//' | sort -u)
done

line_of() { grep -nE -m 1 "$1" "$2" | cut -d : -f 1; }
questions() { sed -n '/^## Done when/,/^## /p' "$1" | grep -cE '^  [0-9]\. '; }
answers() { sed -n "/^## $1/,/^## /p" docs/answers.md | grep -cE '^[0-9]\. '; }
for lesson in docs/[0-9a][0-9]_*.md; do
    expect "$lesson says how long reading takes, at its head" grep -q "Reading time:" <(head -n 4 "$lesson")
    questions=$(questions "$lesson")
    [ "$questions" = 0 ] || expect "the $questions questions of $lesson have answers" \
        [ "$questions" = "$(answers "$(sed -nE '1s/^# ([^:]*).*/\1/p' "$lesson")")" ]
done
expect "the lesson on a kernel is among them" [ -e docs/00_first_kernel.md ]
for lesson in docs/a0_row_reduction.md docs/02_fused_softmax.md docs/a2_split_softmax.md; do
    expect "the facts come before the first stage in $lesson" \
        [ "$(line_of '^## CUDA facts' "$lesson")" -lt "$(line_of '^## Stage 1' "$lesson")" ]
    recorded=$(sed '/^## Done when/q' "$lesson" | grep -iE '^Recorded|microseconds' | head -n 1)
    expect "no recorded time stands before 'Done when' in $lesson" [ -z "$recorded" ]
done
words=$(sed '/^## Done when/,$d' docs/a2_split_softmax.md | grep -oE '\S*[[:alnum:]]\S*' | wc -l)
expect "A2 has at most 3000 words on the way ($words)" [ "$words" -le 3000 ]

# The kernel of lesson 00, line by line, as in its file.
shown=$(sed -n '/^## A whole kernel/,/^It is the whole/p' docs/00_first_kernel.md | sed -nE 's/^    //p')
file=$(sed -n '/^\/\* The maximum of the 32/,$p' docs/first_kernel/fused_softmax.cu | sed '/^$/d')
expect "lesson 00 shows its file" [ "$(sed '/^$/d' <<<"$shown")" = "$file" ]

# The tables of docs/optimizing.md are what its script prints of the record.
if command -v python3 >/dev/null; then
    tables=$(python3 -B results/h200/limits/tables.py | grep '^|')
    expect "tables.py prints the tables of docs/optimizing.md" [ "$(wc -l <<<"$tables")" -gt 50 ]
    differ=$(grep -vxFf docs/optimizing.md <<<"$tables")
    expect "docs/optimizing.md has the tables that tables.py prints${differ:+, but for: $differ}" [ -z "$differ" ]
fi
end_test
