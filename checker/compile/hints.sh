# shellcheck shell=bash disable=SC2154
# After the compiler's messages: what the more puzzling ones usually mean here.

hint() {
    echo "Hint: $*" >>"$messages"
}

hints_add() {
    local name
    for name in $(sed -n -E "s/.*(use of undeclared identifier|unknown type name|no member named|implicit declaration of function|call to undeclared function) '([A-Za-z_0-9]+)'.*/\2/p" "$messages" | sort -u | head -n 4); do
        case $name in
        cuda[A-Z]* | cu[A-Z]* | cublas* | cub | thrust | curand* | wmma | nvcuda | __nvvm* | __ld* | __st* | __hmma* | __pipeline* | cuda)
            hint "if '$name' is spelled right, the simulator does not offer it: check on a GPU with RUNTIME=cuda." ;;
        threadIdx | blockIdx | blockDim | gridDim | __syncthreads | __shfl*_sync | atomic* | __expf)
            hint "'$name' is for kernels, in .cu files, after #include <cuda_runtime.h>." ;;
        half | __half | __half2* | __float2half* | half2)
            hint "if '$name' is spelled right, it comes with #include <cuda_fp16.h>." ;;
        __nv_bfloat16 | nv_bfloat16 | __bfloat16* | __float2bfloat16*)
            hint "if '$name' is spelled right, it comes with #include <cuda_bf16.h>." ;;
        cg | cooperative_groups)
            hint "'$name' comes with #include <cooperative_groups.h> and namespace cg = cooperative_groups;." ;;
        INFINITY | NAN | fmaxf | expf | isnan | isinf) hint "'$name' comes with #include <math.h>." ;;
        errno | EINVAL | ENOSYS) hint "'$name' comes with #include <errno.h>." ;;
        esac
    done
    name=$(sed -n -E "s/.*fatal error: '([^']+)' file not found.*/\1/p" "$messages" | head -n 1)
    case $name in
    '') ;;
    cub/* | thrust/* | cuda/* | cublas* | curand* | mma.h | nv*)
        hint "the simulator does not have <$name>: check on a GPU with RUNTIME=cuda, or write that part yourself." ;;
    *) hint "'$name' is looked for in $([ "$source" -ef "exercises/$exercise" ] || echo "$source, ")exercises/$exercise and exercises." ;;
    esac
    if grep -qE "'(const )?void \*'" "$messages" && grep -qE "cannot (convert|initialize)|incompatible type|no known conversion" "$messages"; then
        hint "CUDA C is C++ here, where a void * becomes another pointer by a cast alone: (const float *)x.data."
    fi
    name=$(sed -n -E "s/.*no matching function for call to '(atomic[A-Za-z]+)'.*/\1/p" "$messages" | head -n 1)
    case $name in
    '') ;;
    atomicMax | atomicMin) hint "$name takes int, unsigned and 64-bit integers, and no float. Reduce by shuffles and shared memory, or store one maximum for each block." ;;
    *) hint "$name does not take these types." ;;
    esac
    if grep -qE "<inline asm>|invalid instruction mnemonic|invalid % escape in inline|GNU-style inline assembly is disabled" "$messages"; then
        hint "PTX in asm() is for a GPU: check with RUNTIME=cuda."
    fi
    if grep -qE "conflicting types for '(split_|fused_|)softmax" "$messages"; then
        hint "the declaration in exercises/$exercise/$exercise.h is the contract: copy it from there."
    fi
    if grep -q "expected expression" "$messages" && grep -q '<<<' "$messages"; then
        hint "a launch kernel<<<grid, block>>>(...) is understood in .cu files, and in headers of the same folder."
    fi
}
