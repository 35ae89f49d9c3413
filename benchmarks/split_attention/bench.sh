# shellcheck shell=bash disable=SC2154
# The part of make bench that is split_attention's own: sourced by checker/commands/bench.sh, which has found the files, the
# runtime and the options, and made the folders.
options=(--implementation "$implementation" --output "$folder/attention.json" --command "$(command_line)")
[ -n "${SHAPES:-}" ] && options+=(--shapes "$SHAPES")
[ -n "${SEED:-}" ] && options+=(--seed "$SEED")
[ -n "${SAMPLES:-}" ] && options+=(--samples "$SAMPLES")
if [ "$runtime" = simulator ]; then
    build "the benchmark" -f benchmarks/build.mk build/attention-counts build/runner-simulator build/host-client build/instrument build/remarks
    bash checker/compile_submission.sh "$EX" "$source" "$submission" >/dev/null 2>&1 || {
        cat "$submission/compile.log"
        stop "It does not compile, so there is nothing to measure."
    }
    echo "No GPU is used: these are counts from the simulator, not times."
    build/attention-counts "${options[@]}" --submission "$submission/submission.so" --runner build/runner-simulator || exit 3
else
    build "the benchmark" -f benchmarks/build.mk build/attention-times
    bash benchmarks/compile_cuda.sh "$EX" "$source" "$submission/cuda" || stop "It does not compile with nvcc, so there is nothing to measure."
    peer=$(torch_script)
    build/attention-times "${options[@]}" --submission "$submission/cuda/submission.so" \
        --torch "${peer:+benchmarks/split_attention/torch_attention.py}" || exit 3
fi
echo
echo "recorded: $folder/attention.json"
