# shellcheck shell=bash
# Which runtime a command grades on: RUNTIME, or what this machine has.

# shellcheck source=checker/compile/machine.sh
source checker/compile/machine.sh

# Sets runtime (simulator, cuda or host), runner (the program) and unavailable (a sentence, where RUNTIME asks for what
# is not here). Reads EX, RUNTIME and SANITIZE.
choose_runtime() {
    unavailable=''
    runtime=${RUNTIME:-}
    case $runtime in
    simulator | cuda) ;;
    '') runtime=simulator && nvcc_path >/dev/null && gpu_is_here && runtime=cuda ;;
    *) stop "RUNTIME is simulator or cuda, not '$RUNTIME'." ;;
    esac
    if ! is_cuda "$EX"; then # plain C: no device has a part in it
        runtime=host
    elif [ "$runtime" = cuda ] && ! gpu_is_here; then
        unavailable="RUNTIME=cuda needs an NVIDIA GPU, and there is none here: nothing was graded."
    elif [ "$runtime" = cuda ] && ! nvcc_path >/dev/null; then
        unavailable="RUNTIME=cuda needs nvcc, the compiler of the CUDA Toolkit, and it is not installed here: nothing was graded."
    fi
    runner=build/runner-$runtime
}

# The tools of compute-sanitizer, as build/checker --sanitize takes them.
all_tools=memcheck,racecheck,initcheck,synccheck

# Sets tools (for build/checker --sanitize) from SANITIZE, or leaves it empty.
choose_tools() {
    # shellcheck disable=SC2034
    tools=''
    [ -n "${SANITIZE:-}" ] || return 0
    case $SANITIZE in
    all) tools=$all_tools ;;
    memcheck | racecheck | initcheck | synccheck)
        # shellcheck disable=SC2034
        tools=$SANITIZE
        ;;
    *) stop "SANITIZE is memcheck, racecheck, initcheck, synccheck or all, not '$SANITIZE'." ;;
    esac
    [ "$runtime" = cuda ] || stop "SANITIZE runs compute-sanitizer on a GPU, with RUNTIME=cuda; the $runtime runtime has checks of its own."
    [ -n "$unavailable" ] || command -v compute-sanitizer >/dev/null || [ -x /usr/local/cuda/bin/compute-sanitizer ] ||
        stop "SANITIZE=$SANITIZE needs compute-sanitizer, a part of the CUDA Toolkit, and it is not installed here."
    # shellcheck disable=SC2034
    runner=checker/sanitize/watch_runner.sh
}
