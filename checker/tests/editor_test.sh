#!/usr/bin/env bash
# What make setup writes for an editor: clangd shows no error in any stub or solution, and shows the one of a file that
# has one. Last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
bash checker/commands/editor.sh || fail "editor.sh ended with $?"
mapfile -t files < <(find exercises solutions -name '*.c' -o -name '*.cu' | LC_ALL=C sort)
for file in "${files[@]}"; do
    expect "compile_commands.json has $file" grep -qF "\"file\": \"$file\"" compile_commands.json
done
clangd=$(command -v clangd || compgen -c clangd- | head -n 1)
if [ -z "$clangd" ]; then
    echo "Not tested: clangd is not installed"
    end_test
    exit
fi
for file in "${files[@]}"; do
    said=$("$clangd" --check="$file" --compile-commands-dir=. 2>&1)
    expect "clangd looked through $file" says "All checks completed"
    said=$(grep -E '^E' <<<"$said" | grep -v '\] *tweak: ') # a refactoring that does not apply is no error of the file
    expect "clangd has no error for $file" [ -z "$said" ]
done

# A twin with a mistake, in a tree of its own with the same commands.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp -r exercises checker "$work/"
sed "s|\"directory\": \"[^\"]*\"|\"directory\": \"$work\"|" compile_commands.json >"$work/compile_commands.json"
echo '__global__ void mistake(float *y) { y[0] = threadIdx.q; }' >>"$work/exercises/fused_softmax/fused_softmax.cu"
said=$(cd "$work" && "$clangd" --check=exercises/fused_softmax/fused_softmax.cu --compile-commands-dir=. 2>&1)
expect "clangd shows a mistake" says "no member named 'q'"
end_test
