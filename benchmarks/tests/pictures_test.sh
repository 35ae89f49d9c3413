#!/usr/bin/env bash
# The pictures of README are those of this version: what they are drawn from is made again, without a browser, and compared
# with what was noted when they were drawn.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh

is_small_png() { [ "$(head -c 4 "$1" 2>/dev/null | tail -c 3)" = PNG ] && [ "$(stat -c %s "$1")" -lt 250000 ]; }
for picture in report sweep map; do
    for shade in light dark; do
        expect "there is a small picture $picture-$shade.png" is_small_png "docs/pictures/$picture-$shade.png"
        expect "README shows it" grep -qF "docs/pictures/$picture-$shade.png" README.md
    done
done
digests=$(bash docs/pictures/draw.sh --digest 2>&1)
for picture in report sweep map; do
    said=$digests
    expect "the $picture of README is as this version draws it (else: docs/pictures/draw.sh)" \
        grep -qxF "$(grep "^$picture " docs/pictures/made-from.txt)" <<<"$digests"
done

end_test
