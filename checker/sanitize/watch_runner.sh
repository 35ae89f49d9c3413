#!/usr/bin/env bash
# Starts the CUDA runner under a tool of compute-sanitizer, as the checker's runner program: SOFTMAX_WATCHED_BY names
# the tool, SOFTMAX_TOOL_LOG the file for its report. The settings are the strict ones; those that this version of
# the tool does not know are left out.
set -uo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
[ -n "${SOFTMAX_WATCHED_BY:-}" ] || exec "$here/build/runner-cuda" "$@"
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
known=$("$sanitizer" --help 2>/dev/null)

options=(--tool "$SOFTMAX_WATCHED_BY" --log-file "$SOFTMAX_TOOL_LOG" --error-exitcode 0)
# Usage: option NAME VALUE...: adds it where the tool knows it.
option() { grep -q -e "$1\b" <<<"$known" && options+=("$@"); }
option --report-api-errors no # failing calls are part of the checks
option --print-limit 20
case $SOFTMAX_WATCHED_BY in
memcheck)
    option --leak-check full
    option --padding 256
    option --track-stream-ordered-races all
    option --check-device-heap yes
    ;;
racecheck)
    option --racecheck-report analysis
    option --racecheck-detect-level warn
    ;;
synccheck) option --missing-barrier-init-is-fatal no ;;
esac
exec "$sanitizer" "${options[@]}" "$here/build/runner-cuda" "$@"
