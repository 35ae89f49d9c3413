#!/usr/bin/env bash
# make merge: puts together what make grade left on several machines.
#
#   RESULTS="a b c"    what was RESULTS= there, one for each shard (a folder with a blank in its name cannot be named here)
#   OUTPUT=<folder>    results go to <folder>/<EX> (results/local/class/<EX>); what a merge left there before is replaced
#
# Refused: other exercises, kits, seeds or limits; a shard that is missing; a submission that is in two with different files.
# Ends with 0 when they are together, 3 when not.
set -uo pipefail
invoked_in=$PWD
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/commands/common.sh
source checker/commands/common.sh
# shellcheck source=checker/class/alike.sh
source checker/class/alike.sh
# shellcheck source=checker/class/report.sh
source checker/class/report.sh

require_exercise merge
read -ra parts <<<"${RESULTS:-}"
[ ${#parts[@]} -gt 0 ] || stop "Which results? make merge EX=$EX RESULTS=\"a b c\", the folders that make grade wrote to."
for i in "${!parts[@]}"; do
    [[ ${parts[i]} = /* ]] || parts[i]=$invoked_in/${parts[i]}
    [ -d "${parts[i]}/$EX" ] || stop "${parts[i]} holds no results of $EX."
    parts[i]+=/$EX
done
output=${OUTPUT:-results/local/class}
[[ $output = /* || -z ${OUTPUT:-} ]] || output=$invoked_in/$output
output=$output/$EX
for part in "${parts[@]}"; do
    [ "$part" -ef "$output" ] && stop "$part is both a part and the whole: give OUTPUT= another folder."
done
if [ -d "$output/submissions" ]; then
    grep -qs '"merged": true' "$output/class.json" ||
        stop "$output holds results that are no merge: give OUTPUT= another folder."
fi
build "the class" build/class
mkdir -p "$output" 2>/dev/null || stop "The folder $output cannot be made."
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
build/class merge "$work" "${parts[@]}" || exit 3
rm -rf "$output/submissions"
mkdir "$output/submissions" && mv "$work/class.json" "$output/class.json" || exit 3
for part in "${parts[@]}"; do
    cp -R "$part/submissions/." "$output/submissions/" || stop "$part could not be copied to $output."
done
class_report "$EX" "$output" "$work"
