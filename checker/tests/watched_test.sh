#!/usr/bin/env bash
# Checks under a tool of compute-sanitizer, without a GPU: the runner is a script that writes a report as the tool does
# and then becomes the runner of online_softmax. What is tried is how a report joins a verdict.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
bash -c 'source checker/commands/common.sh; build "the checker" build/checker build/runner-host' || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bash checker/compile_submission.sh online_softmax solutions/online_softmax "$work/out" host || exit 1

# The tool: writes the report that lies beside it under the tool's name, if there is one.
cat >"$work/tool" <<'SH'
#!/usr/bin/env bash
report=$(dirname "$0")/report_${SOFTMAX_WATCHED_BY:-none}
[ ! -f "$report" ] || cp "$report" "$SOFTMAX_TOOL_LOG"
exec build/runner-host "$@"
SH
chmod +x "$work/tool"

cat >"$work/clean" <<'TEXT'
========= COMPUTE-SANITIZER
========= ERROR SUMMARY: 0 errors
TEXT
cat >"$work/fault" <<'TEXT'
========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at void kernel<float>(const float *)+0x70 in online_softmax.c:9
=========     by thread (3,0,0) in block (7,0,0)
========= 
========= ERROR SUMMARY: 1 error
TEXT
cat >"$work/warning" <<'TEXT'
========= COMPUTE-SANITIZER
========= Warning: Race reported between Write access at kernel(float *)+0x10 in online_softmax.c:9
=========     and Write access at kernel(float *)+0x10 in online_softmax.c:9 [64 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
TEXT

# grade TOOLS [REPORT_<tool>=FILE...]
grade() {
    local tools=$1 report
    shift
    rm -f "$work"/report_*
    for report in "$@"; do
        cp "${report#*=}" "$work/report_$(cut -d = -f 1 <<<"${report#REPORT_}")"
    done
    said=$(build/checker --exercise online_softmax --implementation solution --submission "$work/out/submission.so" \
        --source solutions/online_softmax --runner "$work/tool" --sanitize "$tools" --case 'summarize.*' --jobs 1 \
        --output "$work/check.json" 2>&1)
    status=$?
}

grade memcheck REPORT_memcheck="$work/clean"
expect "a clean report changes nothing" ends_with 0
grade memcheck REPORT_memcheck="$work/fault"
expect "a finding of the tool fails the check" ends_with 1
expect "the tool and its words are named" says "memcheck: Invalid __global__ read of size 4 bytes\."
expect "the student's line is named" says "solutions/online_softmax/online_softmax\.c:9"
expect "the thread is named" says "by thread \(3,0,0\) in block \(7,0,0\)"
expect "the section of the findings is named" says 'docs/findings.md, "Out of bounds"'
grade memcheck,racecheck REPORT_memcheck="$work/clean" REPORT_racecheck="$work/fault"
expect "each of the tools counts" says "racecheck: Invalid"
grade racecheck REPORT_racecheck="$work/warning"
expect "a warning is no fault" ends_with 0
expect "a warning is shown" says "racecheck: Warning: Race reported"
grade memcheck
expect "a tool that reports nothing has shown nothing" says "could not be made here"
expect "that is in the results" grep -q "memcheck gave no report of this check" "$work/check.json"
expect "no log is left behind" eval "[ -z \"\$(find '$work/out' -name '*memcheck*')\" ]"
end_test
