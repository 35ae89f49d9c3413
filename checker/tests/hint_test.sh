#!/usr/bin/env bash
# Tests of make hint, in a copy of what it needs, so that no student's count of hints is changed; and of the hints:
# every stage of every suite has at least three.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/checker" "$work/docs"
cp -r checker/commands checker/exercises "$work/checker/"
cp -r docs/hints "$work/docs/"
cp -r exercises "$work/"
state=$work/results/local/online_softmax/hints

# has PATTERN TEXT: the text has a line that matches.
has() {
    said=$2
    grep -qE -e "$1" <<<"$2"
}
# equal EXPECTED GOT
equal() {
    said=$2
    [ "$1" = "$2" ]
}

hint() { EX=${2-online_softmax} STAGE=${1-} bash "$work/checker/commands/hint.sh" 2>&1; }

first=$(hint merge)
second=$(hint merge)
expect "the first hint is the first" has 'stage merge, hint 1 of 4' "$first"
expect "the second call gives the second" has 'stage merge, hint 2 of 4' "$second"
expect "they differ" equal yes "$([ "$(tail -n +3 <<<"$first")" != "$(tail -n +3 <<<"$second")" ] && echo yes)"
expect "each stage counts for itself" has 'stage streaming, hint 1 of' "$(hint streaming)"
expect "the third" has "hint 3 of 4" "$(hint merge)"
expect "the last says so" has 'That was the last one' "$(hint merge)"
expect "after the last" has 'you have seen all 4 hints' "$(hint merge)"
expect "without STAGE: the first stage" has 'stage summarize, hint 1 of' "$(hint)"
expect "a stage that does not exist" has "no hints for a stage 'merg'.*STAGE=merge" "$(hint merg)"
expect "no exercise" has 'make hint EX=' "$(hint '' '')"

printf 'merge \x01x\n' >"$state"
damaged=$(hint merge)
expect "damaged state is told" has 'is damaged: the hints start again' "$damaged"
expect "damaged state starts again" has 'stage merge, hint 1 of' "$damaged"
expect "and is whole after it" has 'stage merge, hint 2 of' "$(hint merge)"

# Without STAGE: the first stage that the last check did not pass, if it was the student's own files.
result=$work/results/local/online_softmax/check.json
for implementation in exercise solution; do
    cat >"$result" <<JSON
{
  "implementation": "$implementation",
  "checks": [
    {
      "id": "summarize.by_hand",
      "stage": "summarize",
      "status": "pass"
    },
    {
      "id": "merge.by_hand",
      "stage": "merge",
      "status": "fail"
    }
  ]
}
JSON
    rm -f "$state"
    [ $implementation = exercise ] && stage=merge || stage=summarize
    expect "check.json of the $implementation" has "stage $stage, hint 1 of" "$(hint)"
done

# Where all passed there is nothing to hint at.
sed -i -e "s/solution/exercise/" -e "s/\"fail\"/\"pass\"/" -e "s/\"checks\"/\"status\": \"passed\", &/" "$result"
expect "all passed" has "nothing to hint at" "$(hint)"
expect "... and a stage still has its hints" has "stage merge, hint 1 of" "$(hint merge)"

# The hints themselves, against the stages of the suites.
for exercise in $(exercises); do
    stages=$(build/checker --exercise "$exercise" --list | grep -oE '[a-z_]+\.[a-z_]+' | cut -d . -f 1 | awk '!seen[$0]++')
    expect "stages of $exercise" equal "$stages" "$(sed -n 's/^## //p' docs/hints/"$exercise".md)"
    for stage in $stages; do
        count=$(awk -v stage="$stage" '/^## / { inside = $2 == stage } inside && /^### / { n++ } END { print n + 0 }' \
            docs/hints/"$exercise".md)
        expect "$exercise, $stage has three hints or more" equal yes "$([ "$count" -ge 3 ] && echo yes)"
    done
done

end_test
