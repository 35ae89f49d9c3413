#!/usr/bin/env bash
# make lint: the form of the kit's own files. clang-format for C, C++ and CUDA C; shellcheck for scripts; Python that can be read; and no
# source file so long that it must be doing two jobs. Exits 1 when a file has to change.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 3
limit=450 # lines
status=0

for tool in clang-format shellcheck; do
    command -v $tool >/dev/null && continue
    echo "$tool is not installed: bash checker/commands/setup.sh --lint installs it."
    exit 3
done

# Files that git knows or would add; without git, all there are. What students edit is their own affair.
files() {
    { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -printf '%P\n'; } |
        grep -E "$1" | grep -vE '^checker/tests/(submissions|attacks|constructs|constructs_faulty)/' | while read -r file; do
        [ -f "$file" ] && echo "$file"
    done
}

mapfile -t sources < <(files '\.(c|h|cu|cuh|cpp)$')
mapfile -t scripts < <(files '(\.sh|^\.ci/run)$')
if ! clang-format --dry-run -Werror "${sources[@]}"; then
    echo "clang-format -i, with the .clang-format of this folder, puts these files in order."
    status=1
fi
shellcheck -x -e SC2015 "${scripts[@]}" || status=1 # A && B || C, where B cannot fail
# The scripts for PyTorch's Python run on a GPU machine alone; that they can be read is seen wherever there is a python3.
if command -v python3 >/dev/null; then
    while read -r file; do
        python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file" || status=1
    done < <(files '\.py$')
fi
while read -r lines file; do
    [ "$file" = total ] && continue
    if [ "$lines" -gt $limit ]; then
        echo "$file has $lines lines: more than $limit is more than one job."
        status=1
    fi
done < <(wc -l "${sources[@]}" "${scripts[@]}")
[ $status -eq 0 ] && echo "lint: ${#sources[@]} source files and ${#scripts[@]} scripts are in order."
exit $status
