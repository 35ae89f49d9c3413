#!/usr/bin/env bash
# make map: what its panels say of a good submission and of bad ones, and what cannot be drawn. A panel's words are made of
# the cells that are drawn, so they are what is held to the truth; that a picture is there, and has them, is asked too.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/tests/submission_files.sh
source checker/tests/submission_files.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES EX SOLUTION SUBMISSION SHAPE CHUNK TYPE CASE SEED V ROWS_PER_BLOCK

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
run_make() {
    said=$(RESULTS="$folder/results" make "$@" 2>&1 </dev/null)
    status=$?
}
map_of() { # EXERCISE/faulty/NAME OPTION...
    submission_files "$1" "$folder/$1"
    run_make map EX="${1%%/*}" SUBMISSION="$folder/$1" "${@:2}"
}
svg_says() { grep -qF -e "$2" "$folder/results/$1/map.svg"; }
is_png() { [ "$(head -c 4 "$folder/results/$1/map.png" 2>/dev/null | tail -c 3)" = PNG ]; }

# ---- the solutions ----
run_make map EX=split_softmax SOLUTION=1
expect "the solution's map is drawn" ends_with 0
expect "a small shape is taken, whose tail is one column" says '2 x 1025 FP32, chunk = 1024'
expect "partials reads each element once" says 'partials_kernel reads x: each of 2050 elements read once$'
expect "4 states are written" says 'partials_kernel writes partial_max: each of 4 elements written once$'
expect "normalize writes each element once" says 'normalize_kernel writes y: each of 2050 elements written once$'
expect "a row's maximum is read by both blocks" says 'normalize_kernel reads row_max: each of 2 elements read more than once.*2 by more than one block'
expect "it is a PNG" is_png split_softmax
expect "the picture has a panel for the reads" svg_says split_softmax 'partials_kernel reads x'
expect "the picture names a block" svg_says split_softmax 'block 2'
expect "the picture shows what is masked" svg_says split_softmax 'the tail chunk has 1023 columns more: masked'
expect "the picture of right work has no finding" bash -c "! grep -q '1: (outside)\|1: reads' '$folder/results/split_softmax/map.svg'"
run_make map EX=split_softmax SOLUTION=1 SHAPE=3x700 CHUNK=256 TYPE=fp16
expect "shape, chunk and type are the student's to choose" says '3 x 700 FP16, chunk = 256'
expect "3 x 3 states" says 'writes partial_max: each of 9 elements'
run_make map EX=fused_softmax SOLUTION=1
expect "fused_softmax: wide loads take the padding along" says 'reads x: each of 305 elements read once; 15 of the padding too'
expect "fused_softmax: and leave it alone in y" says 'writes y: each of 305 elements written once$'

# ---- faults, where they are ----
map_of split_softmax/faulty/normalize_last_column_left_out SHAPE=3x700 CHUNK=256
expect "a column that is left out is seen" says 'writes y: of 2100 elements 2097 written once, 3 never'
map_of fused_softmax/faulty/padding_stored
expect "padding that is written is seen" says 'writes y: each of 305 elements written once; 15 of the padding too'
map_of fused_softmax/faulty/row_read_twice
expect "a row that is read twice is seen" says 'reads x: each of 305 elements read more than once'
map_of split_softmax/faulty/tail_not_masked_on_load CASE=partials.tail
expect "a check's own case can be drawn" says 'who touched what in partials.tail'
expect "its neighbours' rows are read too" says 'reads x: of 3075 elements .* by more than one block'
expect "the finding is told" says 'Reads 4 bytes, [0-9]+ bytes past the end of x'
expect "and stands in the picture" svg_says split_softmax '1: (outside) reads 4 bytes'

# ---- what is not drawn ----
run_make map EX=split_softmax SOLUTION=1 CASE=partials.tial
expect "a check that is not there" says "split_softmax has no check 'partials.tial'"
expect "ends with 3" ends_with 3
run_make map EX=split_softmax SOLUTION=1 SHAPE=200x1025
expect "too large to be seen" says 'SHAPE=200x1025 has 205000 elements, and single ones are seen up to 16384'
run_make map EX=split_softmax SOLUTION=1 SHAPE=2by3
expect "no shape" says "SHAPE is ROWSxCOLS"
run_make map EX=split_softmax SOLUTION=1 CHUNK=300
expect "a chunk that the contract does not allow" says 'CHUNK=300 is none of those that the contract allows'
run_make map EX=split_softmax SOLUTION=1 TYPE=fp64
expect "a type that is none" says 'TYPE is FP32, FP16 or BF16'
run_make map EX=row_reduction
expect "row_reduction" says 'row_reduction has stages and no operator: make map draws online_softmax'

# ---- online_softmax: the list, its chunks, and the student's states ----
run_make map EX=online_softmax SOLUTION=1
expect "the list of online_softmax is drawn" ends_with 0
expect "a chunk that is masked has the state of nothing" says 'chunk 2, 10 values: \(-inf, 0\); merged so far: \(2.7, 4.4036\)$'
expect "its tail is told" says 'chunk 4, 5 values: \(3.9, 1.1106\); merged so far: \(3.9, 2.7959\)$'
expect "the list is a PNG" is_png online_softmax
expect "the states stand in the picture" svg_says online_softmax '(3.9, 1.1106)'
submission_files online_softmax/faulty/one_side_rescaled "$folder/one_side"
run_make map EX=online_softmax SUBMISSION="$folder/one_side" SHAPE=33 CHUNK=8
expect "a wrong merge is seen beside the right one" says 'chunk 4, 1 value: \(-1.4, 1\); merged so far: \(3.7, 4.42663\), should be \(3.7, 3.43273\)'
expect "the merges before it are right" says 'chunk 3, 8 values: \(3.7, 1.9347\); merged so far: \(3.7, 3.4266\)$'
run_make map EX=online_softmax SOLUTION=1 SHAPE=3x5
expect "a list has no rows" says 'SHAPE is how many values the list has'
run_make map EX=online_softmax SOLUTION=1 SHAPE=100 CHUNK=2
expect "too many chunks to tell apart" says 'CHUNK=2 cuts 100 values into more than 6 chunks'
run_make map EX=online_softmax SOLUTION=1 CASE=merge.rescale
expect "no check of it is drawn" says 'is drawn as a list'
mkdir "$folder/empty"
cat >"$folder/empty/online_softmax.c" <<'STUB'
#include "online_softmax.h"
#include <errno.h>
#include <math.h>
softmax_state softmax_summarize(const double *values, size_t count) { (void)values, (void)count; return (softmax_state){NAN, -1}; }
softmax_state softmax_merge(softmax_state a, softmax_state b) { (void)a, (void)b; return (softmax_state){NAN, -1}; }
int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) { (void)values, (void)count, (void)chunk, (void)out; return ENOSYS; }
STUB
run_make map EX=online_softmax SUBMISSION="$folder/empty"
expect "a stub of it" ends_with 2
mkdir "$folder/stub"
cp solutions/fused_softmax/fused_softmax.cu "$folder/stub"
cat >"$folder/stub/fused_softmax.cu" <<'STUB'
#include "fused_softmax.h"
cudaError_t fused_softmax(matrix, matrix, int, cudaStream_t) { return cudaErrorNotSupported; }
STUB
before=$(cksum "$folder/results/fused_softmax/map.png")
run_make map EX=fused_softmax SUBMISSION="$folder/stub"
expect "a stub has nothing to draw" says 'not written yet'
expect "a stub ends with 2" ends_with 2
echo '#error "not today"' >>"$folder/stub/fused_softmax.cu"
run_make map EX=fused_softmax SUBMISSION="$folder/stub"
expect "what does not compile" says 'It does not compile, so there is nothing to draw'
expect "ends with 3 too" ends_with 3
mkdir "$folder/bin"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = gnuplot ] || ln -s "$tool" "$folder/bin/" 2>/dev/null
done
PATH=$folder/bin run_make map EX=fused_softmax SOLUTION=1
expect "without gnuplot a sentence says so" says 'gnuplot is not installed'
expect "without gnuplot the words are there" says 'reads x: each of 305 elements read once'
expect "the picture is as it was" [ "$(cksum "$folder/results/fused_softmax/map.png")" = "$before" ]

end_test
