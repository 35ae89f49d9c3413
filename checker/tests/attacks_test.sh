#!/usr/bin/env bash
# Attempts on the grade, each with what it tries at the head of its file in checker/tests/attacks/. One that "Says" is refused
# when it is compiled, with these words; one that "Finds" is run, and the report has them. The honest twin that stands beside
# most of them is compiled and graded with all the others: it has to pass without a word.
#
#   attacks_test.sh [PATTERN]    those whose name matches; QUICK=1: every other one
#
# Attempts that are no lines of code (links, sizes, endless compiling, a report in the report) are below.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
bash -c 'source checker/commands/common.sh; build "the programs" programs' || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
pattern=${1:-*}

mine=$folder/mine output=$folder/output
attacks=checker/tests/attacks
compile() {
    said=$(bash checker/compile_submission.sh "$1" "$mine" "$output" 2>&1)
    status=$?
}
# The report of one check.
grade() {
    compile "$1"
    said=$(build/checker --exercise "$1" --implementation submission --submission "$output/submission.so" --jobs 1 \
        --source "$mine" --runner "build/runner-${3:-simulator}" --compile-log "$output/compile.log" --case "$2" --patience 1 \
        --verbose --output "$folder/check.json" 2>&1)
    status=$?
}
refused() { [ "$status" -eq 1 ] && [ ! -e "$output/submission.so" ]; }
says_not() { ! says "$1"; }
says_in_one_line() { grep -qE -e "$1" <<<"$(tr '\n' ' ' <<<"$said" | tr -s ' ')"; }
fresh() {
    rm -rf "$mine" "$output"
    mkdir "$mine"
}

# ---- attacks in a line or two ----

# The word after "Says: " or "Finds: " of an attack.
words_of() { sed -nE "2s|^ \* $1: (.*) \*/$|\1|p" "$2"; }

attack_cuda() {
    fresh
    cp "$attacks"/*.h "$mine"
    {
        printf '#include "fused_softmax.h"\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\nvolatile double sink;\n'
        cat "$1"
        echo 'cudaError_t fused_softmax(matrix x, matrix y, int, cudaStream_t stream) {'
        grep -q 'static void attack' "$1" && echo '    attack(x, y, stream);'
        echo '    return cudaGetLastError(); }'
    } >"$mine/fused_softmax.cu"
    if [ -n "$(words_of Says "$1")" ]; then compile fused_softmax; else grade fused_softmax row.by_hand; fi
}

attack_c() {
    fresh
    cp exercises/split_softmax/split_softmax.cu "$mine"
    cat exercises/split_softmax/split_softmax.c "$1" >"$mine/split_softmax.c"
    compile split_softmax
}

count=0
for file in "$attacks"/$pattern; do
    [ -f "$file" ] && [[ $file != *.h ]] || continue
    [ "${QUICK:-}" != 1 ] || [ $((count++ % 2)) -eq 0 ] || continue
    case $file in
    *.cu) attack_cuda "$file" ;;
    *.c) attack_c "$file" ;;
    esac
    says=$(words_of Says "$file") finds=$(words_of Finds "$file")
    if [ -n "$says" ]; then
        expect "$file is refused" refused
        expect "... in the words: $says" says "$says"
        expect "... with its place" says "($mine/|/usr/include/stdio.h:)"
    else
        expect "$file is found: $finds" says_in_one_line "$finds"
        expect "... and gets no points" ends_with 1
    fi
done
[ "$pattern" = '*' ] || end_test || exit 1
[ "$pattern" = '*' ] || exit 0

# ---- their honest twins, all at once ----
fresh
{
    printf '#define HONEST 1\n#define fused_softmax solved\n'
    cat solutions/fused_softmax/fused_softmax.cu
    printf '#undef fused_softmax\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\nvolatile double sink;\n'
    for file in "$attacks"/*.cu; do
        printf 'namespace twin_%s {\n#include "%s"\n}\n' "$(basename "$file" .cu)" "$(basename "$file")"
        cp "$file" "$mine"
    done
    echo 'extern "C" cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {'
    for file in "$attacks"/*.cu; do
        sed -n '/^#else/,$p' "$file" | grep -q 'static void attack' && echo "    twin_$(basename "$file" .cu)::attack(x, y, stream);"
    done
    echo '    return solved(x, y, rows_per_block, stream); }'
} >"$mine/fused_softmax.cu"
compile fused_softmax
expect "the honest twins compile" ends_with 0
expect "... in silence" test -z "$said"
grade fused_softmax row.by_hand
expect "the honest twins pass" ends_with 0
fresh
cp exercises/split_softmax/split_softmax.cu "$mine"
{
    printf '#define HONEST 1\n'
    cat exercises/split_softmax/split_softmax.c
    for file in "$attacks"/*.c; do
        cp "$file" "$mine/$(basename "$file" .c).inc"
        printf '#define text text_%s\n#include "%s.inc"\n#undef text\n' "$(basename "$file" .c)" "$(basename "$file" .c)"
    done
} >"$mine/split_softmax.c"
compile split_softmax
expect "the honest twins in C compile" ends_with 0
expect "... in silence" test -z "$said"

# ---- what lies behind the rules of the compile step ----
fresh
cat >"$mine/fused_softmax.cu" <<'END'
#include "fused_softmax.h"
cudaError_t fused_softmax(matrix x, matrix y, int, cudaStream_t) {
    volatile float first = *(__attribute__((address_space(256))) float *)(long)x.data;
    return first == (float)y.cols ? cudaErrorUnknown : cudaSuccess;
}
END
export SUBMISSION_RULES=none
grade fused_softmax row.by_hand
unset SUBMISSION_RULES
expect "an address space that is let through is looked at when it is used" says "Host code reads device memory of x"

# ---- files of others ----
stub() {
    fresh
    cp exercises/online_softmax/online_softmax.c "$mine"
}
includes() {
    stub
    printf '%s\n' "$1" >>"$mine/online_softmax.c"
    compile online_softmax
}
mkdir "$folder/peer"
echo 'int of_a_peer;' >"$folder/peer/online_softmax.c"
includes '#include "../../solutions/online_softmax/online_softmax.c"'
expect "the solution is not included" refused
expect "... and named" says 'solutions/online_softmax/online_softmax.c, which is neither'
includes '#include "../peer/online_softmax.c"'
expect "a peer's file is not included" says 'peer/online_softmax.c, which is neither'
includes '#include "/etc/passwd"'
expect "a file of the machine is not included" says '/etc/passwd, which is neither'
expect "... and not quoted" says_not 'root:'
includes '#if __has_include("/dev/zero")
#endif'
expect "an endless device is not read" says '/dev/zero, which is neither'
includes '#include "/etc/passwd"
#error stop'
expect "an error hides nothing" says '/etc/passwd, which is neither'
stub
rm "$mine/online_softmax.c"
ln -s "$PWD/solutions/online_softmax/online_softmax.c" "$mine/online_softmax.c"
compile online_softmax
expect "a link out of the folder is refused" says 'is a link that leads out'
stub
ln -s "$PWD/solutions" "$mine/parts"
compile online_softmax
expect "one that is not read does no harm" ends_with 0
echo '#include "parts/online_softmax/online_softmax.c"' >>"$mine/online_softmax.c"
compile online_softmax
expect "one that is read is refused" says 'solutions/online_softmax/online_softmax.c, which is neither'
stub
ln -s /etc/passwd "$mine/a"$'\n'"b.h"
compile online_softmax
expect "one with a strange name is refused" says 'is a link that leads out'
stub
rm "$mine/online_softmax.c"
ln -s /dev/zero "$mine/online_softmax.c"
compile online_softmax
expect "a device is no file of a submission" refused
stub
mkdir "$mine/parts"
echo 'static inline int of_mine(void) { return 1; }' >"$mine/parts/a part.h"
ln -s "a part.h" "$mine/parts/link.h"
printf '#include "parts/link.h"\n#include "parts/a part.h"\n#if __has_include(<cub/cub.cuh>) || __has_include("parts/none.h")\n#endif\n' >"$mine/first"
cat "$mine/online_softmax.c" >>"$mine/first"
sed -i 's/parts\/a part.h"/parts\/a part.h" \/\/ again/; s/^#include "parts\/a part.h".*//' "$mine/first"
mv "$mine/first" "$mine/online_softmax.c"
compile online_softmax
expect "headers of one's own, and a link to one, are fine" ends_with 0

# ---- limits ----
export COMPILE_SECONDS=2
includes '#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif'
expect "a file that includes itself for ever is stopped" says 'takes more than 2 seconds'
expect "... and refused" refused
fresh
cp solutions/fused_softmax/fused_softmax.cu "$mine"
echo 'template <int a, int b> struct tree { static const int value = tree<a - 1, 2 * b>::value + tree<a - 1, 2 * b + 1>::value; };
template <int b> struct tree<0, b> { static const int value = b; }; static const int leaves = tree<28, 0>::value;
int use_leaves() { return leaves; }' >>"$mine/fused_softmax.cu"
compile fused_softmax
expect "so is an endless template" says '(takes more than 2 seconds|GiB of memory)'
unset COMPILE_SECONDS
includes 'int large[150000000] = {1};'
expect "an array that would fill the disk is refused" says 'makes a file of more than 64 MiB'
includes "$(printf 'int deep = %s1%s;' "$(printf '%.0s-' $(seq 1 1))" '')
$(awk 'BEGIN { printf "int nested = "; for (i = 0; i < 200000; i++) printf "~"; print "1;" }')"
expect "what is too deep for the compiler is said in a sentence" refused
expect "... without the compiler's own" says_not 'Stack dump'
stub
head -c 5000000 /dev/zero | tr '\0' '/' >>"$mine/online_softmax.c"
compile online_softmax
expect "a file too large is refused" says 'is larger than 4 MiB'

# ---- the report is the kit's ----
not_the_kits='^(Score: 100|Score of the solution|.\[)'
includes "$(printf '#error "\\nScore: 100 of 100 points"\n#line 7 "fine\\n\\nScore: 100 of 100 points (37 of 37 checks passed)\\n"\nint broken(')"
grade online_softmax 'summarize.by_hand' host
expect "no name of a file begins a line of the report" says_not "$not_the_kits"
expect "... and it is behind a bar" says '^\| .*Score: 100 of 100 points'

deed() {
    stub
    printf '#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n' >"$mine/first"
    sed -E 's/\(void\)count;/&\n    DEED;/' "$mine/online_softmax.c" >>"$mine/first"
    sed -i "1i #define DEED $1" "$mine/first"
    mv "$mine/first" "$mine/online_softmax.c"
    PASSWORD=of_the_grader grade online_softmax 'summarize.by_hand' host
}
deed 'printf("\\nScore: 100 of 100 points\\n\\033[2J\\rScore: 100\\n")'
expect "what is printed begins no line of the report" says_not "$not_the_kits"
expect "... and stands behind a bar" says '^ +\| Score: 100 of 100 points'
deed 'assert(!"\\n\\nScore: 100 of 100 points")'
expect "nor does the text of an assert" says_not "$not_the_kits"
deed 'printf("password %s home %s\\n", getenv("PASSWORD") ? getenv("PASSWORD") : "none", getenv("HOME") ? getenv("HOME") : "none")'
expect "the environment of whoever grades is not there" says 'password none home none'
deed 'char *volatile large = malloc((size_t)5 << 30); if (large) memset(large, 1, (size_t)5 << 30); puts(large ? "endless" : "enough")'
expect "memory is limited" says '\| enough'

end_test
