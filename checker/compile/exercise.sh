# shellcheck shell=bash disable=SC2034,SC2154
# What an exercise asks of a submission: its files, and the functions of its contract that each has to define.
# shellcheck source=checker/exercises/read.sh
source checker/exercises/read.sh

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
    exercise_files=$(exercise_files "$exercise" | paste -sd ' ')
    [ -n "$exercise_files" ] ||
        refuse "There is no exercise '$exercise': there are $(all_words "$(exercises)")."
    exercise_functions=$(exercise_functions "$exercise")
    local fits=host
    ! is_cuda "$exercise" || fits=simulator
    : "${runtime:=$fits}"
    [ "$runtime" = "$fits" ] || [ "$fits-$runtime" = simulator-cuda ] ||
        refuse "$exercise is compiled for the runtime '$fits' here, and not for '$runtime'."
    runner=build/runner-$runtime host_runner=$runner
    [ "$runtime" != simulator ] || host_runner=build/host-client
    [ -z "${FOR_GDB:-}" ] || runner=build/debug-$runtime host_runner=build/debug-$runtime
}
