#!/usr/bin/env bash
# What is done in the sandbox, in the kit's folder:  inside.sh RESULTS TMP EXERCISE RUNTIME SEED
# Compiles submission/ and grades it, as make check does. Ends with the checker's status.
set -uo pipefail
results=$1 tmp=$2 exercise=$3 runtime=$4 seed=$5
exec >"$results/report.txt" 2>&1 </dev/null
bash checker/compile_submission.sh "$exercise" submission "$tmp/compiled" "$runtime" >/dev/null 2>&1
exec build/checker --exercise "$exercise" --implementation submission --submission "$tmp/compiled/submission.so" \
    --source submission --runner "build/runner-$runtime" --output "$results/check.json" \
    --compile-log "$tmp/compiled/compile.log" --seed "$seed" --jobs 1
