#!/usr/bin/env bash
# The compile step: what it says about submissions with a fault, where it says it, and what it leaves behind.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
bash -c 'source checker/commands/common.sh; build "the programs" programs' || exit 1

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mine=$folder/mine # the submission
output=$folder/output

# Compiles the submission; keeps what is said and the status.
compile() {
    said=$(bash checker/compile_submission.sh "$1" "$mine" "$output" 2>&1)
    status=$?
}

says_nothing() { [ -z "$said" ]; }
refused() { [ "$status" -eq 1 ] && [ ! -e "$output/submission.so" ] && [ "$(cat "$output/compile.log")" = "$said" ]; }
exports() { nm -D --defined-only "$output/submission.so" | awk '{ print $3 }' | grep -qxF -e "$1"; }
device_exports() { nm -D --defined-only "$output/device.so" | awk '{ print $3 }' | grep -qxF -e "$1"; }
as_before() { [ "$(stat -c '%Y %i' "$output/submission.so")" = "$before" ]; }
built_anew() { ! as_before; }
nothing_left_over() { ! compgen -G "$output/work.*" >/dev/null; }

# A submission that is as small as it can be and defines what the contract asks for.
fresh() {
    rm -rf "$mine" "$output"
    mkdir "$mine"
    cat >"$mine/fused_softmax.cu" <<'CU'
#include "fused_softmax.h"

template <class T> __global__ void kernel(matrix x, int n) {
    __shared__ T tile[32];
    tile[0] = ((T *)x.data)[n];
    ((T *)x.data)[0] = tile[0];
}

cudaError_t fused_softmax(matrix x, matrix, int, cudaStream_t stream) {
    kernel<float>
        <<<dim3(1),
           dim3(32), 0, stream>>>(x,
                                  1);
    kernel<double><<<1, 32, 0, stream>>>(x, 1);
    return cudaGetLastError();
}
CU
    cp exercises/split_softmax/split_softmax.c exercises/split_softmax/split_softmax.cu "$mine"
}
append() { printf '%s\n' "$2" >>"$mine/$1"; }

# ---- what is right ----
fresh
compile fused_softmax
expect "a right submission compiles" ends_with 0
expect "... in silence" says_nothing
expect "... and has its function" exports fused_softmax
expect "... and the table of its device side" device_exports sim_submission_image
expect "... with nothing left over" nothing_left_over
before=$(stat -c '%Y %i' "$output/submission.so")
compile fused_softmax
expect "what has not changed is not built again" as_before
append fused_softmax.cu '#include "mine.cuh"'
echo 'static __global__ void other(int *p) { *p = 1; }
static inline void go(cudaStream_t s) { other<<<1, 1, 0, s>>>(nullptr); }' >"$mine/mine.cuh"
compile fused_softmax
expect "what has changed is built again, with a launch in a header" built_anew
before=$(stat -c '%Y %i' "$output/submission.so")
append mine.cuh 'typedef int number;'
compile fused_softmax
expect "a header that has changed counts too" built_anew
echo '#error "not the contract"' >"$mine/fused_softmax.h"
compile fused_softmax
expect "a copy of the contract in the folder is not used" ends_with 0
for exercise in split_softmax fused_softmax online_softmax; do
    said=$(bash checker/compile_submission.sh $exercise solutions/$exercise "$folder/$exercise" 2>&1)
    status=$?
    expect "the solution of $exercise compiles in silence" says_nothing
    expect "the solution of $exercise compiles" ends_with 0
done

# ---- compile errors ----
fresh
append fused_softmax.cu 'int broken = undefined_name;'
compile fused_softmax
expect "an error has its file and line, after a launch of several lines" says "^$mine/fused_softmax.cu:17:14: error: .*undefined_name"
expect "a failure leaves nothing to load, and its messages" refused
fresh
sed -i 's/dim3(32), 0, stream>>>(x,/dim3(32), 0, missing>>>(x,/' "$mine/fused_softmax.cu"
compile fused_softmax
expect "an error inside a launch has its line" says "fused_softmax.cu:12:[0-9]+: error: .*missing"
fresh
sed -i 's/stream>>>(x, 1);/stream>>>(x, 1, 2);/' "$mine/fused_softmax.cu"
compile fused_softmax
expect "arguments that do not fit the kernel are an error at the launch" says "fused_softmax.cu:14:"
expect "... and the reason is named" says "requires 2 arguments, but 3 were provided"
fresh
append fused_softmax.cu '__global__ void k(); void f() { k<<<1, 2; }'
compile fused_softmax
expect "a launch that is not closed has its place" says "^$mine/fused_softmax.cu:17:41: error: expected .>>>"
fresh
append fused_softmax.cu 'void f() { cudaGraphLaunchX(0); }'
compile fused_softmax
expect "an unknown name of CUDA's gets a hint" says "Hint: .*cudaGraphLaunchX.*RUNTIME=cuda"
fresh
append fused_softmax.cu '#include <cub/cub.cuh>'
compile fused_softmax
expect "an unknown header gets a hint" says "Hint: .*cub/cub.cuh.*RUNTIME=cuda"
fresh
append fused_softmax.cu "#include \"nosuch.h\""
compile fused_softmax
expect "a header that is not found names its folders" says "Hint: .nosuch.h. is looked for in $mine, exercises/fused_softmax and exercises\."
fresh
append fused_softmax.cu "__global__ void take(const float *); void f(matrix x) { take<<<1, 1>>>(x.data); }"
compile fused_softmax
expect "a void pointer gets a hint" says "Hint: CUDA C is C\+\+ here, where a void \* becomes another pointer by a cast"
fresh
append fused_softmax.cu "__global__ void most(float *to, float v) { atomicMax(to, v); }"
compile fused_softmax
expect "atomicMax of float gets a hint" says "Hint: atomicMax takes int, unsigned"
expect "... in a few lines" eval "[ \$(wc -l <<<\"\$said\") -le 6 ]"
fresh
append fused_softmax.cu '__global__ void ptx() { int n; asm volatile("mov.u32 %0, %%laneid;" : "=r"(n)); }'
compile fused_softmax
expect "PTX gets a hint" says "PTX in asm\(\) is for a GPU"
fresh
append fused_softmax.cu 'static int never_used;
void g(int *p, cudaStream_t) { kernel<float><<<1, 1>>>(matrix{}, *p); }'
compile fused_softmax
expect "a warning is shown" says "fused_softmax.cu:17:12: warning: unused variable"
expect "a remark of the translator is shown" says "fused_softmax.cu:18:[0-9]+: warning: .*\[launch-without-stream\]"
expect "neither makes it fail" ends_with 0
compile fused_softmax
expect "both are shown again without compiling" says "launch-without-stream"

# ---- files and symbols ----
fresh
rm "$mine/split_softmax.c"
compile split_softmax
expect "a missing file is named, with its folder" says "split_softmax.c is missing from the folder $mine"
expect "... and where to start from" says "start from the ones in exercises/split_softmax"
fresh
append split_softmax.c 'void *memcpy(void *a, const void *b, size_t n) { (void)b, (void)n; return a; }'
compile split_softmax
expect "memcpy may not be defined" says "^$mine/split_softmax.c defines memcpy, a name of the runtime"
expect "... and such a submission is refused" refused
fresh
append fused_softmax.cu 'extern "C" cudaError_t cudaFree(void *) { return cudaSuccess; }'
compile fused_softmax
expect "cudaFree may not be defined" says "fused_softmax.cu defines cudaFree"
fresh
append fused_softmax.cu 'extern "C" void __tsan_read4(void *) {}'
compile fused_softmax
expect "__tsan_read4 may not be defined" says "__tsan_read4 is a name of the simulator"
fresh
append split_softmax.c 'int helper(void); int caller(void); int caller(void) { return helper(); }'
compile split_softmax
expect "an unknown function is named with its file" says "^$mine/split_softmax.c uses helper, and nothing defines it"
fresh
sed -i 's/^cudaError_t split_softmax_merge(/static cudaError_t merge_mine(/' "$mine/split_softmax.cu"
compile split_softmax
expect "a missing function of the contract is named" says "split_softmax.cu does not define split_softmax_merge"
fresh
sed -i 's/matrix, int, cudaStream_t stream/matrix, long, cudaStream_t stream/' "$mine/fused_softmax.cu"
compile fused_softmax
expect "other parameters than the contract's are named" says "defines fused_softmax with other parameters"
fresh
append split_softmax.c 'int twice(void); int twice(void) { return 2; }'
append split_softmax.cu 'extern "C" int twice(void) { return 2; }'
compile split_softmax
expect "a function defined in both files is named" says "^twice is defined in more than one of split_softmax.c and split_softmax.cu"
fresh
append split_softmax.c 'int sim_random_helper; int memory_find(void); int memory_find(void) { return 1; }'
compile split_softmax
expect "names that begin with sim_ are the runtime's" says "sim_random_helper is a name of the simulator"
expect "names that the runner happens to use are the student's" eval '! says memory_find'

# ---- the machine ----
fresh
mkdir "$folder/empty"
for tool in bash cat cmp cp cut dirname flock grep mkdir mktemp mv rm sed; do
    ln -s "$(command -v $tool)" "$folder/empty/$tool"
done
said=$(PATH=$folder/empty bash checker/compile_submission.sh fused_softmax "$mine" "$output" 2>&1)
status=$?
expect "without clang it names make setup" says "clang is not installed.*make setup"

end_test
