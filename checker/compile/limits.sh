# shellcheck shell=bash disable=SC2034,SC2154
# What a step of compiling may take. A submission may hold a template that never ends, a file that includes itself, or an
# array of a gigabyte: then the step is ended, and a sentence says which limit it was.
#
# Times are generous: a large .cu file takes 3 seconds, on a busy machine 20.

LIMIT_SECONDS=${COMPILE_SECONDS:-30}          # processor time of one program; three times that by the clock
LIMIT_KIBIBYTES=3145728    # addresses of one program
LIMIT_FILE_KIBIBYTES=65536 # what it writes into one file; also the largest submission.so
LIMIT_SOURCE_BYTES=4194304 # a file of the submission
LIMIT_SOURCES=500          # headers beside it
LIMIT_MESSAGES=200         # lines

# limited COMMAND...: status 124 or 128 + a signal where a limit ended it. nvcc and its programs reserve more addresses
# than they use.
limited() {
    local kibibytes=$LIMIT_KIBIBYTES
    [ "$runtime" = cuda ] && kibibytes=unlimited
    (
        ulimit -c 0 -t "$LIMIT_SECONDS" -v "$kibibytes" -f "$LIMIT_FILE_KIBIBYTES"
        exec timeout --kill-after=5 $((3 * LIMIT_SECONDS)) "$@"
    )
}

# What looks at symbols looks at names that a student chose.
nm() { limited nm "$@"; }
objdump() { limited objdump "$@"; }
readelf() { limited readelf "$@"; }
c++filt() { limited c++filt "$@"; }

# was_ended STATUS LOG: whether the program was ended, and did not end by itself.
was_ended() {
    [ "$1" -eq 124 ] || [ "$1" -ge 128 ] ||
        { [ "$1" -ne 0 ] && grep -qsE '^PLEASE submit a bug report|^LLVM ERROR|^Stack dump:|bad_alloc|clang frontend command failed' "$2"; }
}

# What to say where a step was ended: limit_sentence STATUS LOG WHAT. The compiler's own words about it are about the
# compiler.
limit_sentence() {
    local status=$1 log=$2 what=$3
    if grep -qsE 'File too large|IO failure|file size limit' "$log" || [ "$status" -eq 153 ]; then
        echo "$what makes a file of more than $((LIMIT_FILE_KIBIBYTES / 1024)) MiB: is there a very large array with initial values?"
    elif grep -qsE 'out of memory|bad_alloc|[Cc]annot allocate memory|[Mm]emory exhausted' "$log"; then
        echo "$what takes more than $((LIMIT_KIBIBYTES / 1048576)) GiB of memory, and was stopped: is there a very large array, or a template, macro or #include that never ends?"
    elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ] || [ "$status" -eq 152 ]; then
        echo "$what takes more than $LIMIT_SECONDS seconds, and was stopped: is there a template, a constexpr function, a macro or an #include that never ends?"
    else
        echo "The compiler comes to no end with $what, but breaks down: is something in it too large or too deep?"
    fi
}
