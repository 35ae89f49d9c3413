#!/usr/bin/env bash
# Draws the pictures of README from this version of the kit, by its own commands, of a correct test submission: report, sweep
# and map, light and dark. Needs Chromium. made-from.txt keeps digests of what is drawn, so that a test sees when they are old.
#
#   docs/pictures/draw.sh            draws, and writes made-from.txt
#   docs/pictures/draw.sh --digest   prints what made-from.txt would be; draws nothing, needs neither Chromium nor gnuplot
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION WITH DIFF SEED V CASE SHAPE CHUNK TYPE SHAPES
work=$PWD/build/pictures
rm -rf "$work"
mkdir -p "$work/bin" "$work/scripts" || exit 3
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
gnuplot=$(command -v gnuplot)
[ "${1:-}" != --digest ] || browser='' gnuplot=''
if [ "${1:-}" != --digest ] && { [ -z "$browser" ] || [ -z "$gnuplot" ]; }; then
    echo "The pictures are drawn with gnuplot and Chromium, and one of them is not here (apt-get install gnuplot chromium)."
    exit 3
fi

# A gnuplot that keeps each script by the name of its picture, then draws it, or leaves an empty picture.
cat >"$work/bin/gnuplot" <<KEEP
#!/usr/bin/env bash
script=\$(cat)
output=\$(sed -n "s/^set output '\\\\(.*\\\\)'\$/\\\\1/p" <<<"\$script" | head -n 1)
name=\$(basename "\${output%.*}")
printf '%s\\n' "\$script" | sed -E "/^set output /d; s/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g" >"$work/scripts/\$name"
[ -n "$gnuplot" ] || { echo '<svg></svg>' >"\$output"; exit; }
printf '%s\\n' "\$script" | "$gnuplot" -
KEEP
chmod +x "$work/bin/gnuplot"

submission_files split_softmax/correct/shared_memory_tree "$work/yours"
export PATH="$work/bin:$PATH" RUNTIME=simulator RESULTS=$work SUBMISSION=build/pictures/yours
for command in check "bench SHAPES=4x32769" compare report; do
    read -ra words <<<"$command"
    make "${words[@]}" EX=split_softmax >"$work/log" 2>&1 </dev/null || {
        cat "$work/log"
        echo "make $command EX=split_softmax did not end well: no picture was drawn."
        exit 3
    }
done

# The report without its pictures, which are told apart, and without what is another's machine or day.
report=$work/split_softmax/report.html
sed -E '/What this was made from/,$d; /<figure>/,/<\/figure>/d; s/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g' "$report" >"$work/scripts/report"
of() { cat "${@/#/$work/scripts/}" | sha256sum | cut -d ' ' -f 1; }
digests="report $(of report counts.svg)
sweep $(of counts.svg)
map $(of map.svg)"
if [ "${1:-}" = --digest ]; then
    echo "$digests"
    exit 0
fi

# Usage: shoot PAGE NAME WIDTH HEIGHT
shoot() {
    local scheme=0 shade
    for shade in dark light; do # as Chromium numbers them
        "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
            --window-size="$3,$4" --blink-settings=preferredColorScheme=$((scheme++)) \
            --screenshot="docs/pictures/$2-$shade.png" "file://$1" >"$work/log" 2>&1 || {
            cat "$work/log"
            exit 3
        }
    done
}
page_of() { # a figure by itself
    echo "<!DOCTYPE html><meta charset=utf-8><style>$(cat benchmarks/page/style.css) body { padding: 0; max-width: none }
        figure { margin: 0 }</style><figure>$(sed -n '/<svg/,$p' "$work/split_softmax/$1.svg")</figure>" >"$work/$1.html"
}
page_of counts
page_of map
shoot "$report" report 900 980
shoot "$work/counts.html" sweep 900 912
shoot "$work/map.html" map 900 912
echo "$digests" >docs/pictures/made-from.txt
ls -l docs/pictures/*.png
