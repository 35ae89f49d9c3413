#!/usr/bin/env bash
# make debug: it stops at the planted line, in the thread and block that are told, and its commands print what is true.
# Last line: N passed, N failed.
# shellcheck disable=SC2016 # $1 is a value of gdb's
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
command -v gdb >/dev/null || {
    echo "gdb is not installed here"
    echo "0 passed, 0 failed"
    exit 0
}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder" build/debug/*-submission-*' EXIT

# plant NAME EXERCISE FILE SED...: a copy of the solution with one line changed; the line is the one that differs ($line).
plant() {
    faulty=$folder/$1
    mkdir -p "$faulty"
    cp "solutions/$2"/*.c* "$faulty/" 2>/dev/null
    exercise=$2 file=$3
    sed -i -e "$4" "$faulty/$file"
    line=$(diff "solutions/$2/$3" "$faulty/$file" | sed -nE 's/^[0-9,]+[acd]([0-9]+).*/\1/p' | head -n 1)
    [ -n "$line" ] || fail "nothing was planted in $3: $4"
}

# debug CASE COMMAND...: what make debug says of the planted fault, with these commands.
debug() {
    printf '%s\n' "${@:2}" >"$folder/commands"
    said=$(timeout -k 5 150 make debug EX="$exercise" CASE="$1" SUBMISSION="$faulty" SCRIPT="$folder/commands" 2>&1 </dev/null)
    status=$?
}
# The last place that gdb shows before the commands' output, which begins with "== ".
stopped() { sed '/^== /,$d' <<<"$said" | grep -E '^(#| |[0-9]+\b)' | grep -qE -e "$file:$1\$"; }
# What the command that announced itself by "echo == NAME\n" printed.
printed() { sed -n "/^== $1\$/,/^== /p" <<<"$said" | grep -qE -e "$2"; }

# ---- split_softmax: a value, a race, an index, lanes that are not there ----

plant value split_softmax split_softmax.cu 's/^        sum += __expf(value\[i\] - shift);/        sum += __expf(value[i]);/'
debug partials.by_hand 'echo == block\n' block 'echo == row\n' 'row 0' 'echo == locals\n' 'print sum' 'print blockIdx' 'echo == end\n'
stored=$(grep -n 'partial_sum\[blockIdx.x\] = sum' "$faulty/split_softmax.cu" | cut -d : -f 1)
expect "a wrong value: it stops where the value is stored" stopped "$stored"
expect "and says what the check said" says '^partials.by_hand: partial_sum'
expect "block: the kernel and the thread" printed block '^block \(0,0,0\), thread \(0,0,0\): warp 0, lane 0$'
expect "row: x" printed row '^x, row 0 of [0-9]+, 2 columns, FP32$'
expect "row: its numbers, those worked by hand" printed row '^ +0: +2 +2$'
expect "row: what is not stored yet" printed row '^ +0: +unwritten'
expect "variables have their names" printed locals '^\$1 = 14\.77'

plant race split_softmax split_softmax.cu '0,/^    __syncthreads();/s/^    __syncthreads();/    \/\* none \*\//'
line=$((line + 1))
debug partials.tail 'echo == block\n' block 'echo == list\n' shared 'echo == shared\n' 'shared of_warp' 'echo == one\n' 'shared of_warp 3' \
    'echo == true\n' 'print of_warp[3]' 'print value' 'echo == next\n' next 'echo == end\n'
expect "a race: it stops at the access" stopped "$line"
thread=$(sed -nE 's/.*thread \(([0-9]+),0,0\).*/\1/p' <<<"$said" | head -n 1)
expect "block: the thread that the check told" printed block "^block \(0,0,0\), thread \($thread,0,0\): warp $((thread / 32)), lane $((thread % 32))\$"
expect "block: each thread is somewhere" printed block 'thread '"$thread"': here$'
expect "block: others are in the shuffle" printed block 'at an operation of the warp, .*split_softmax.cu:50\)'
expect "shared: the arrays" printed list '^of_warp, 128 bytes$'
expect "shared: the written ones have values, others none" printed shared '^ +0:  unwritten  unwritten  unwritten  [0-9.]+  unwritten'
same() { [ "$(sed -nE 's/^ +3:  ([0-9.]+)$/\1/p' <<<"$said")" = "$(sed -nE 's/^\$1 = ([0-9.]+)$/\1/p' <<<"$said")" ]; }
expect "shared: one element, as gdb has it" same
expect "next: the next line of the same thread" printed next '^10[0-9]\b'

# A tree without the barrier behind it: the read that meets the last round of it is at its own line.
plant tree split_softmax split_softmax.cu '0,/^    __syncthreads();/s/^    __syncthreads();/    __shared__ float tree[128]; tree[threadIdx.x] = value;\n    for (int d = blockDim.x \/ 2; d > 0; d \/= 2) {\n        __syncthreads();\n        if (threadIdx.x < d) tree[threadIdx.x] = fmaxf(tree[threadIdx.x], tree[threadIdx.x + d]);\n    }\n    value = tree[0];\n    __syncthreads();/'
read_at=$(grep -n '^    value = tree\[0\];' "$faulty/split_softmax.cu" | cut -d : -f 1)
said=$(make check EX=split_softmax CASE=partials.tail SUBMISSION="$faulty" RESULTS="$folder" 2>&1)
expect "a tree without its last barrier: the read is told at its line" says "split_softmax.cu:$read_at\$"

plant index split_softmax split_softmax.cu 's/value\[i\] = col < cols ? to_float(x_row\[col\]) : -INFINITY;/value[i] = to_float(x_row[col]);/'
debug partials.tail 'echo == block\n' block 'echo == locals\n' 'print col' 'print cols' 'echo == end\n'
expect "an index past the end: it stops at the access" stopped "$line"
expect "the index is past the end" printed locals '^\$1 = (102[5-9]|10[3-9][0-9]|1[1-9][0-9][0-9]|[2-9][0-9]{3})$'
expect "and the end is what it is" printed locals '^\$2 = 1025$'

plant lanes split_softmax split_softmax.cu 's/value += __shfl_xor_sync/if (threadIdx.x != 5) &/'
debug partials.by_hand 'echo == block\n' block 'echo == end\n'
expect "a lane that never comes: it stops in the shuffle of one that waits" stopped "$line"
expect "and the running one is another" printed block '^  thread 5: at'

plant barrier split_softmax split_softmax.cu '0,/^    __syncthreads();/s/^    __syncthreads();/    if (lane == 0) __syncthreads();/'
debug partials.tail 'echo == block\n' block 'echo == end\n'
expect "a barrier for some: it stops at it, or at one that others wait at" says 'split_softmax.cu:[0-9]+$'

plant host split_softmax split_softmax.c 's/^\(int64_t split_softmax_chunks.*{\)$/\1 if (chunk == 256) chunk = *(volatile int *)8;/'
debug validation.plan 'echo == locals\n' 'print chunk' 'echo == end\n'
expect "a crash of host code: it stops at its line" stopped "$line"
expect "with its arguments" printed locals '^\$1 = 256$'

plant launch split_softmax split_softmax.cu 's/merge_kernel<<<(unsigned)rows, WARP, 0/merge_kernel<<<(unsigned)rows, 2048, 0/'
debug merge.by_hand 'echo == block\n' block 'echo == end\n'
expect "a launch that cannot be: it stops where it is asked for" stopped "$line"
expect "and no kernel is running" printed block '^No kernel is running'

plant endless split_softmax split_softmax.cu 's/^    max = block_max(max);/    for (volatile int i = 0; i < 1;) ;\n&/'
debug partials.by_hand 'echo == block\n' block 'echo == end\n'
expect "a loop without end: it stops in it" stopped "$line"
expect "in a thread of the kernel" printed block '^kernel partials_kernel'

plant dynamic split_softmax split_softmax.cu 's/^    __shared__ float of_warp\[MAX_WARPS\];/    extern __shared__ float of_warp[];/'
sed -i 's/<<<blocks, threads, 0, stream>>>/<<<blocks, threads, 128, stream>>>/' "$faulty/split_softmax.cu"
debug partials.tail 'echo == list\n' shared 'echo == shared\n' 'dynamic 0 7' 'echo == end\n'
expect "extern __shared__ arrays: how large" printed list '^extern __shared__, 128 bytes: see `dynamic`$'
expect "and what they hold" printed shared '^32 elements of 4 bytes$'
expect "as numbers" printed shared '^ +0:  [0-9.]+  [0-9.]+ '

# The threads of a block are where they are; go_to stands in one of them, and continue comes back.
faulty=$folder/race exercise=split_softmax file=split_softmax.cu
debug partials.tail 'go_to 97' 'echo == there\n' block 'print value' 'continue' 'echo == back\n' block 'echo == end\n'
expect "go_to: it stands in that thread" printed there '^block \(0,0,0\), thread \(97,0,0\)'
expect "continue: it is back" printed back "^block \(0,0,0\), thread \($thread,0,0\)"

faulty=solutions/split_softmax
debug merge.widths 'echo == block\n' block 'echo == row\n' 'row 0' 'echo == buffers\n' buffers 'echo == end\n'
first=$(grep -n 'maxima = partial_max' solutions/split_softmax/split_softmax.cu | cut -d : -f 1)
expect "a check that passes: the first line of the first kernel" stopped "$first"
expect "and says that it passes" says '^merge.widths passes here'
expect "block: the kernel" printed block '^kernel merge_kernel, grid'
expect "row: nothing has been stored" printed row 'unwritten'
expect "buffers: the call" printed buffers '^in a call of split_softmax_merge$'
expect "buffers: a matrix" printed buffers '^partial_max: [0-9]+ x [0-9]+, pitch [0-9]+, FP32'

# ---- fused_softmax ----

plant sum fused_softmax fused_softmax.cu 's/^            sum += value\[q\]\[i\];/            sum += 1;/'
debug row.by_hand 'echo == row\n' 'row 0' 'echo == locals\n' 'print sum' 'print row' 'echo == block\n' block 'echo == end\n'
stored=$(grep -nE '\(at\) = out|at\[i\] = out' "$faulty/fused_softmax.cu" | cut -d : -f 1 | paste -sd '|')
expect "fused: a wrong value: it stops where it is stored" stopped "($stored)"
expect "fused: the kernel's own variables" printed locals '^\$2 = 0$'
expect "fused: row" printed row '^x, row 0 of [0-9]+, [0-9]+ columns, FP32$'
expect "fused: block" printed block '^kernel softmax_rows.*blocks of \(32,'

plant over fused_softmax fused_softmax.cu 's/if (row >= rows)/if (row > rows)/'
debug rows.last_block 'echo == block\n' block 'echo == locals\n' 'print row == rows' 'echo == end\n'
expect "fused: a row that is none: it stops at the access" says '^[0-9]+.*(reinterpret_cast|at)'
expect "fused: and the row is the one too many" printed locals '^\$1 = true$'

plant typed fused_softmax fused_softmax.cu 's/__float2bfloat16_rn(value)/__float2bfloat16_rz(value)/'
debug operator.rounding 'echo == row\n' 'row 0 0 3' 'echo == end\n'
expect "fused: BF16 has values" printed row '^x, row 0 of [0-9]+, [0-9]+ columns, BF16$'
expect "fused: they are numbers" printed row '^ +0: +-?[0-9.]+(e-?[0-9]+)? +-?[0-9.]+'

# ---- online_softmax: plain C ----

plant start online_softmax online_softmax.c 's/^    double sum = 0;/    double sum = 1;/'
debug summarize.by_hand 'echo == locals\n' 'print count' 'echo == row\n' 'row 0' 'echo == block\n' block 'echo == end\n'
expect "online: a wrong state: it stops where the function begins" says 'softmax_summarize \(values='
expect "online: its variables" printed locals '^\$1 = 2$'
expect "online: row has the list" printed row '^values, row 0 of 1, 2 columns, FP64$'
expect "online: its numbers" printed row '^ +0: +2 +2$'
expect "online: block says that there is none" printed block '^This exercise is plain C'

plant heap online_softmax online_softmax.c 's/^    return (softmax_state){max, sum};/    double *last = __builtin_malloc(8); last[count > 0] = sum;\n&/'
debug summarize.by_hand 'echo == locals\n' 'print count' 'echo == end\n'
expect "online: past an allocation: it stops at the line" stopped "$line"
expect "online: with its variables" printed locals '^\$1 = [1-9]'

plant divide online_softmax online_softmax.c 's|/ state.sum;|/ state.sum * 2;|'
debug streaming.by_hand 'echo == locals\n' 'print i' 'echo == row\n' 'row 0' 'echo == end\n'
expect "online: a wrong element: it stops right after it was stored" says '^(Hardware w|W)atchpoint [0-9]+: '
expect "online: the element that the check told" says '^Element 0 of'
expect "online: row: what is not stored yet" printed row '^ +0: +[0-9.]+ +unwritten +unwritten$'
expect "online: and no other" printed locals '^\$1 = 0$'

plant merged online_softmax online_softmax.c 's/return (softmax_state){max, rescaled(a, max) + /return (softmax_state){max, a.sum + /'
debug merge.rescale 'echo == locals\n' 'print a' 'print b' 'echo == end\n'
expect "online: a wrong state: it stops where the function begins" says 'softmax_merge \(a='
expect "online: its arguments" printed locals '^\$1 = \{max = '

# ---- printf, which says a thing without gdb ----

plant told split_softmax split_softmax.cu 's/^        partial_max\[blockIdx.x\] = max;/        printf("chunk %d has the maximum %g\\n", blockIdx.x, max + 1);/'
said=$(make check EX=split_softmax CASE='partials.by_hand' SUBMISSION="$faulty" RESULTS="$folder" 2>&1)
expect "what a kernel prints stands under the check that fails" says '^ +\| chunk 0 has the maximum 3$'
sed -i 's/max + 1);/max); partial_max[blockIdx.x] = max;/' "$faulty/split_softmax.cu"
said=$(make check EX=split_softmax CASE='partials.by_hand' SUBMISSION="$faulty" RESULTS="$folder" 2>&1)
expect "not under one that passes" bash -c '! grep -q maximum <<<"$1"' _ "$said"
said=$(make check EX=split_softmax CASE='partials.by_hand' SUBMISSION="$faulty" RESULTS="$folder" V=1 2>&1)
expect "where V=1 shows it" says '^ +\| chunk 0 has the maximum 2$'

# ---- without CASE ----

faulty=$folder/value exercise=split_softmax file=split_softmax.cu
make check EX=split_softmax STAGE=partials SUBMISSION="$faulty" RESULTS="$folder" >/dev/null 2>&1
said=$(RESULTS=$folder timeout -k 5 150 make debug EX=split_softmax SUBMISSION="$faulty" SCRIPT=/dev/null 2>&1 </dev/null)
expect "without CASE it takes the first that failed" says '^CASE=partials.by_hand, the first that failed'
expect "and stops there" says '^partials.by_hand: partial_sum'

# ---- what cannot be debugged ----

one_line() { [ "$(wc -l <<<"$said")" -eq 1 ]; }
faulty=solutions/online_softmax exercise=online_softmax file=online_softmax.c
export RESULTS=$folder/none
for case in merge.rescal 'merge.*' ''; do
    debug "$case"
    expect "CASE='$case' ends with 3" ends_with 3
    expect "CASE='$case' takes one line" one_line
done
expect "no check: it says which ids there are" says 'make check EX=online_softmax shows'
plant wrong online_softmax online_softmax.c 's/^    return (softmax_state){max, sum};/    return sum/'
debug summarize.by_hand
expect "what does not compile is told" says 'nothing to debug'
mkdir "$folder/bin"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = gdb ] || ln -sf "$tool" "$folder/bin/${tool##*/}"
done
faulty=solutions/online_softmax
PATH=$folder/bin debug summarize.by_hand
expect "without gdb it says so" says '^make debug needs gdb.*apt-get install gdb'
expect "in one sentence" one_line
expect "and ends with 3" ends_with 3
end_test
