#!/usr/bin/env bash
# The files of one submission, copied to where the sandbox will see them, and their key.
#
#   stage.sh SUBMISSIONS NAME WORK      makes WORK/submission, WORK/out, WORK/key; says in WORK/stage.log what went wrong
#
# Plain files and links are taken, links as links: where they lead is for the kit's rules to say, inside of the sandbox. Of a
# file that is too large to be graded only the size is taken. CLASS_KEY holds all that the result hangs on beside the files;
# CLASS_FILES, the names of the exercise's files.
set -uo pipefail
exec 2>"$3/stage.log"
most=2000                # files
most_bytes=$((4 << 20)) # the kit refuses a larger one
work=$3
mkdir -p "$work/submission" "$work/out" || exit 1
cd -- "$1/$2" || exit 1

{
    for file in $CLASS_FILES; do
        { [ ! -e "$file" ] && [ ! -L "$file" ]; } || printf './%s\0' "$file"
    done
    timeout 60 find . -xdev -mindepth 1 \( -name .git -prune \) -o \( \( -type f -o -type l \) -printf '%p\0' \) |
        LC_ALL=C sort -z | head -z -n $most
} | while IFS= read -r -d '' file; do
    [ -L "$file" ] || [ -f "$file" ] || continue
    [ ! -e "$work/submission/$file" ] && [ ! -L "$work/submission/$file" ] || continue
    mkdir -p -- "$work/submission/${file%/*}" || exit 1
    if [ ! -L "$file" ] && [ "$(stat -c %s -- "$file")" -gt $most_bytes ]; then
        truncate -s $((most_bytes + 1)) -- "$work/submission/$file" || exit 1
    else
        cp -P --no-preserve=mode -- "$file" "$work/submission/$file" || exit 1
    fi
done || exit 1
cd "$work/submission" || exit 1
chmod -R a+rX . || exit 1
{
    printf '%s\0' "$CLASS_KEY"
    find . -type l -printf '%p > %l\0' | LC_ALL=C sort -z
    find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum -z
} | sha256sum | cut -c 1-64 >"$work/key"
