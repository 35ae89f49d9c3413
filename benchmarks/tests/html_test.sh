#!/usr/bin/env bash
# make report: what the page holds, of a full score and of a failing check; that answers.md stays the student's; what is said
# where something is missing. Where a browser is (chromium, or google-chrome), the page is opened in it: no error, no
# request, nothing cut off, at desk and phone width.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION SUBMISSION WITH DIFF SEED V SHAPES CASE SHAPE

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
run_make() {
    said=$(RESULTS="$folder/results" RUNTIME=simulator make "$@" 2>&1 </dev/null)
    status=$?
}
page=$folder/results/split_softmax/report.html
shows() { grep -qF -e "$1" "$page"; }
shows_not() { ! grep -qE -e "$1" "$page"; }

run_make report EX=split_softmax
expect "nothing checked yet is one sentence" says '^Nothing of split_softmax has been checked yet, so there is nothing to report: make check EX=split_softmax first.$'
expect "and ends with 3" ends_with 3
expect "and leaves no page" [ ! -e "$page" ]

submission_files split_softmax/correct/shared_memory_tree "$folder/tree"
run_make check EX=split_softmax SUBMISSION="$folder/tree"
run_make report EX=split_softmax SUBMISSION="$folder/tree"
expect "a report of a check alone" ends_with 0
expect "it says what is missing, and how to get it" shows '<code>make bench EX=split_softmax</code> adds it'
expect "and the comparison" shows '<code>make compare EX=split_softmax</code> adds it'
answers=$folder/results/split_softmax/answers.md
expect "the questions of the lesson are there to be answered" grep -q '^### 1. Where are the launch boundaries' "$answers"
expect "with room for a hypothesis" grep -q '^## My hypothesis' "$answers"

cat >>"$answers" <<'ANSWER'
Between the stages: `merge` reads <what> partials & nothing else.
* a point
ANSWER
before=$(cksum "$answers")
run_make bench EX=split_softmax SUBMISSION="$folder/tree" SHAPES=3x1025
run_make compare EX=split_softmax SUBMISSION="$folder/tree"
run_make report EX=split_softmax SUBMISSION="$folder/tree"
expect "a whole report" ends_with 0
expect "answers.md is as the student left it" [ "$(cksum "$answers")" = "$before" ]
expect "an answer is in the page, escaped" shows 'Between the stages: <code>merge</code> reads &lt;what&gt; partials &amp; nothing else.'
expect "the score is" shows '<span class="score good">100</span> of 100 points'
expect "the losers are" shows '>C=4096<'
expect "what the solution does better is" shows 'x is read twice, at split_softmax.cu:'
expect "a digest is" shows "$(sha256sum "$folder/tree/split_softmax.cu" | cut -d ' ' -f 1)"
expect "a seed is" shows 'seed of the check'
figures_are() { [ "$(grep -c '<figure>' "$page")" -eq "$1" ]; }
expect "sweep, comparison and map are drawn in" figures_are 3
expect "the page itself forbids every request" shows "default-src 'none'"
expect "nothing is fetched" shows_not '<script|<img|<iframe|src=|href="?.?(https?:)?//|url\(.?http|@import'
doubled_ids() { grep -oE " id=[\"'][^\"']+" "$page" | sort | uniq -d | head -n 1; }
expect "no id is there twice" [ -z "$(doubled_ids)" ]
expect "no local path of a picture is in it" shows_not 'counts\.svg|map\.svg'

good_page=$folder/good.html
cp "$page" "$good_page"

# ---- files that have changed; foreign and damaged records ----
touch -d '+1 minute' "$folder/tree/split_softmax.cu"
echo '/* changed */' >>"$folder/tree/split_softmax.cu"
run_make report EX=split_softmax SUBMISSION="$folder/tree"
expect "a check of older files is called so" shows 'The files have changed since this check.'
expect "a sweep of older files too" shows 'Made from an earlier version of the files.'
echo '{"format": "another"}' >"$folder/results/split_softmax/compare.json"
head -c 300 "$folder/results/split_softmax/bench.json" >"$folder/cut" && mv "$folder/cut" "$folder/results/split_softmax/bench.json"
run_make report EX=split_softmax SUBMISSION="$folder/tree"
expect "a foreign comparison is left out" says 'compare.json is no record of this exercise: it is left out'
expect "a damaged sweep is left out" says 'bench.json is damaged: it is left out'
expect "and the page is written all the same" ends_with 0

# ---- a failing submission ----
submission_files split_softmax/faulty/tail_not_masked_on_load "$folder/faulty"
run_make check EX=split_softmax SUBMISSION="$folder/faulty"
run_make bench EX=split_softmax SOLUTION=1 SHAPES=3x1025
run_make compare EX=split_softmax SUBMISSION="$folder/faulty"
run_make report EX=split_softmax SUBMISSION="$folder/faulty"
expect "a failing check's message is in the page" shows 'past the end of x'
expect "and its score is no full one" shows 'class="score bad"'
expect "the finding stands in the map" shows '(outside) reads 4 bytes'
run_make check EX=online_softmax SOLUTION=1
run_make report EX=online_softmax SOLUTION=1
expect "online_softmax has a report too" ends_with 0
expect "with its list and chunks" grep -qF "The list and its chunks" "$folder/results/online_softmax/report.html"
expect "of its checks and answers" grep -q 'Which two numbers of a chunk are enough' "$folder/results/online_softmax/report.html"

# ---- not finished, does not compile, no gnuplot ----
fused=$folder/results/fused_softmax/report.html
mkdir "$folder/stub" "$folder/bin"
cat >"$folder/stub/fused_softmax.cu" <<'STUB'
#include "fused_softmax.h"
cudaError_t fused_softmax(matrix, matrix, int, cudaStream_t) { return cudaErrorNotSupported; }
STUB
run_make check EX=fused_softmax SUBMISSION="$folder/stub"
run_make report EX=fused_softmax SUBMISSION="$folder/stub"
expect "a report of a stub" ends_with 0
expect "says what is to do" grep -q '<span class="bad">by_hand: todo</span>' "$fused"
expect "and has no map, for there is nothing to draw" grep -qF '<code>make map EX=fused_softmax</code> adds it' "$fused"
expect "what is not answered is said to be not written" grep -qF '(not written yet)' "$fused"
echo '#error "not today"' >>"$folder/stub/fused_softmax.cu"
run_make check EX=fused_softmax SUBMISSION="$folder/stub"
run_make report EX=fused_softmax SUBMISSION="$folder/stub"
expect "a report of what does not compile" ends_with 0
expect "has the compiler's words" grep -q 'not today' "$fused"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = gnuplot ] || ln -s "$tool" "$folder/bin/" 2>/dev/null
done
run_make check EX=fused_softmax SOLUTION=1
PATH=$folder/bin run_make report EX=fused_softmax SOLUTION=1
expect "a report without gnuplot is written" ends_with 0
expect "and says how a map is added" grep -qF '<code>make map EX=fused_softmax</code> adds it' "$fused"
echo '{"checks": 3}' >"$folder/results/fused_softmax/check.json"
before=$(cksum "$fused")
run_make report EX=fused_softmax SOLUTION=1
expect "a foreign check.json is no check" says 'no record of this exercise'
expect "so nothing can be reported" ends_with 3
expect "and the page is as it was" [ "$(cksum "$fused")" = "$before" ]

# ---- in a browser ----
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    echo "Not tested: the report in a browser, for there is none here (chromium)."
else
    # A copy with a script that measures the page when it has been laid out, in a frame as wide as the screen that is meant,
    # and says what is wrong with it; SCHEME: 0 dark, 1 light.
    measured() { # PAGE WIDTH SCHEME
        sed "s|style-src 'unsafe-inline'|&; script-src 'unsafe-inline'|; s|<meta name=.viewport|<script>const requests = []; \
            addEventListener('securitypolicyviolation', said => requests.push(said.blockedURI))</script>&|; s|</body>|<script>addEventListener('load', () => { const wrong = []; \
            if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the window'); \
            for (const svg of document.querySelectorAll('svg')) { const frame = svg.getBoundingClientRect(); \
                for (const text of svg.querySelectorAll('text')) { const box = text.getBoundingClientRect(); \
                    if (box.width \&\& (box.left < frame.left - 1 \|\| box.right > frame.right + 1 \|\| box.top < frame.top - 1 \|\| box.bottom > frame.bottom + 1)) \
                        wrong.push('cut off: ' + text.textContent); } } \
            if (requests.length) wrong.push('requests: ' + requests); \
            const ground = getComputedStyle(document.body).backgroundColor; \
            parent.postMessage('MEASURED ' + document.querySelectorAll('svg').length + ', ' + innerWidth + ' wide, ' + ground + ': ' + \
                (wrong.length ? wrong.slice(0, 5).join('; ') : 'nothing wrong'), '*'); })</script></body>|" \
            "$1" >"$folder/measured.html"
        echo "<title>not measured</title><script>addEventListener('message', said => document.title = said.data)</script>
            <iframe src=measured.html style='border:0;width:$2px;height:1000px'></iframe>" >"$folder/frame.html"
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --window-size=1400,1100 \
            --blink-settings=preferredColorScheme="$3" --enable-logging=stderr --virtual-time-budget=3000 \
            --dump-dom "file://$folder/frame.html" 2>"$folder/log" >"$folder/dom"
        said="$(grep -oE '<title>[^<]*' "$folder/dom" | head -n 1)
$(grep -E 'CONSOLE' "$folder/log")"
    }
    grounds=('rgb(22, 23, 25)' 'rgb(255, 255, 255)')
    for width in 1280 390; do
        for scheme in 0 1; do
            measured "$page" $width $scheme
            expect "at $width pixels nothing is wrong, on the ground of scheme $scheme" says "^<title>MEASURED 3, $width wide, ${grounds[scheme]//[()]/.}: nothing wrong"
            measured "$good_page" $width $scheme
            expect "nor in the page of a full score" says "^<title>MEASURED 3, $width wide, .*: nothing wrong"
            expect "the console is silent" bash -c "! grep -q CONSOLE '$folder/log'"
        done
    done
    # The measuring itself: pages in which something is wrong.
    sed 's|<h1>|<div style="width:3000px">x</div><h1>|' "$good_page" >"$folder/broken.html"
    measured "$folder/broken.html" 390 0
    expect "a page that is too wide would be found" says 'the page is wider than the window'
    sed 's|<h1>|<img src="missing.png"><svg width="20" height="20"><text x="10" y="10">much too long for this</text></svg><h1>|' "$good_page" >"$folder/broken.html"
    measured "$folder/broken.html" 390 0
    expect "a request would be found" says 'requests: .*file'
    expect "words that are cut off would be found" says 'cut off: much too long'
fi

end_test
