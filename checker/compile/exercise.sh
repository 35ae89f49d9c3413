# shellcheck shell=bash disable=SC2034,SC2154
# What each exercise asks of a submission: its files, and the functions of its contract that each has to define.

# The files of a submission, for people: "a.c and a.cu".
file_words() {
    echo "${exercise_files// / and }"
}

# Sets what depends on the exercise and the runtime:
#   exercise_files       the files of a submission
#   exercise_functions   FILE:FUNCTION for each function of the contract
#   runtime, runner      which one it is compiled for, and the program that will load it
#   host_runner          the program that will load its host side
exercise_read() {
    local fits=simulator
    case $exercise in
    row_reduction)
        exercise_files="row_reduction.cu"
        exercise_functions="row_reduction.cu:row_scale row_reduction.cu:row_max row_reduction.cu:row_sum"
        ;;
    online_softmax)
        fits=host
        exercise_files="online_softmax.c"
        exercise_functions="online_softmax.c:softmax_summarize online_softmax.c:softmax_merge
            online_softmax.c:softmax_streaming"
        ;;
    fused_softmax)
        exercise_files="fused_softmax.cu"
        exercise_functions="fused_softmax.cu:fused_softmax"
        ;;
    split_softmax)
        exercise_files="split_softmax.c split_softmax.cu"
        exercise_functions="split_softmax.c:split_softmax_chunks split_softmax.c:split_softmax_scratch_bytes
            split_softmax.c:split_softmax split_softmax.cu:split_softmax_partials
            split_softmax.cu:split_softmax_merge split_softmax.cu:split_softmax_normalize"
        ;;
    *) refuse "There is no exercise '$exercise': there are row_reduction, online_softmax, fused_softmax and split_softmax." ;;
    esac
    : "${runtime:=$fits}"
    [ "$runtime" = "$fits" ] || [ "$fits-$runtime" = simulator-cuda ] ||
        refuse "$exercise is compiled for the runtime '$fits' here, and not for '$runtime'."
    runner=build/runner-$runtime host_runner=$runner
    [ "$runtime" != simulator ] || host_runner=build/host-client
}
