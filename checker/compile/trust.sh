# shellcheck shell=bash disable=SC2154
# What a submission may not do, as far as it shows before anything runs: it reads no files of others while it is compiled,
# and needs nothing from outside that a softmax has no use for (allowed_symbols.txt). What the compiler makes of it is looked
# at by build/instrument; what only shows at run time is for the runner. docs/trust.md tells the whole.
#
# SUBMISSION_RULES=none leaves these rules out: the kit's tests use it to meet what lies behind them.

# The C++ standard library's threads and files: by stream, by the file below a stream, by what a locale or a source of random
# numbers reads.
STANDARD_LIBRARY_REFUSED='thread|[0-9]async|future|condition_variable|filebuf|fstream|filesystem|basic_file|random_device|messages|_byname|6localeC[12]E(PKc|RKNS)'

# On a GPU: ways past the calls of CUDA's runtime that the runner sees; nobody would know what ran on which stream.
# The simulator does not offer them, or finds what they do.
CUDA_REFUSED='^(cudaGetDriverEntryPoint|cudaGraph|cudaStream(Begin|End|Update)Capture|cudaLibrary|cudaIpc|cudaImport|cudaUserObject|cudaLaunchHostFunc|cudaStreamAddCallback)'

# ---- files ----

# Links that lead out of the folder, files that are too large or too many: refused before anything is read. Of links other
# than the files of the exercise only those with a name that no list of files can hold: the rest is found when it is
# included (trust_dependencies).
trust_files() {
    local file real count=0
    real=$(realpath -- "$source")
    [[ $real/ != "$root"/solutions/* ]] || real=$root/solutions # a variant shares files with the others
    while IFS= read -r -d '' file; do
        [[ $(realpath -m -- "$file") = "$real"/* ]] ||
            refuse "$(printf %q "$file") is a link that leads out of the folder of the submission: put the file itself there."
    done < <(
        for file in $exercise_files; do
            [ ! -L "$source/$file" ] || printf '%s\0' "$source/$file"
        done
        LC_ALL=C timeout 20 find "$source/" -type l -name '*[^ -~]*' -print0 2>/dev/null
        LC_ALL=C timeout 20 find "$source/" -type l -name '*[\\"]*' -print0 2>/dev/null
    )
    while IFS= read -r file; do
        count=$((count + 1))
        [ $count -le "$LIMIT_SOURCES" ] || refuse "The folder $source holds more than $LIMIT_SOURCES sources and headers: is it the right one?"
        [ "$(stat -L -c %s "$source/$file")" -le "$LIMIT_SOURCE_BYTES" ] ||
            refuse "$source/$file is larger than $((LIMIT_SOURCE_BYTES >> 20)) MiB: nobody has written that by hand."
    done < <(
        tr ' ' '\n' <<<"$exercise_files"
        submission_headers
    )
}

# Real paths of all that the compiler has opened, or asked for with __has_include.
dependencies() {
    {
        cat "$work"/*.headers 2>/dev/null
        sed -s -e '1s/^[^:]*: *//' -e 's/\\$//' -e 's/\\ /\n_/g' "$work"/*.d 2>/dev/null | # a blank in a name: \ before it
            tr -s ' ' '\n' | sed ':join; N; $!b join; s/\n_/ /g'
    } | grep -v '^$' | sort -u | tr '\n' '\0' | xargs -0 -r realpath -m -- 2>/dev/null | sort -u
}

# Folders of headers that belong to the system, the compiler and the kit.
trusted_folders() {
    {
        printf '%s\n' "$source" "$staged" checker/simulator/include "$(clang -print-resource-dir)"
        echo /usr/lib/linux/uapi # what /usr/include/*/asm links to, on Debian 13
        system_includes clang -x c | grep '^/'
        system_includes clang++ -x c++ | grep '^/'
        [ "$runtime" != cuda ] || tr ':' '\n' <<<"$cuda_home:/usr:/opt:${CPATH:-}" # a Toolkit may be in several folders
    } 2>/dev/null | grep -v '^$' | tr '\n' '\0' | xargs -0 realpath -m -- 2>/dev/null
}

# Says which file of someone else the submission reads. The status is 1 then, and nothing that the compiler has quoted of it
# is shown.
trust_dependencies() {
    local outside
    outside=$(dependencies | awk '
        FILENAME != "-" { if ($0 ~ /\.h$/) file[$0]; else folder[++count] = $0 "/"; next }
        $0 in file { next }
        { for (i = 1; i <= count; i++) if (index($0, folder[i]) == 1) next
          print }' <(trusted_folders; realpath exercises/matrix.h exercises/*/*.h) - | head -n 5)
    [ -z "$outside" ] && return 0
    while IFS= read -r file; do
        printf 'A file of the submission includes, or looks for, %q, which is neither in its own folder nor a header of the exercise, of CUDA or of the system.\n' "$file"
    done <<<"$outside"
    return 1
}

# ---- names ----

# Why a name is refused, as the rest of a sentence.
trust_reason() {
    case $1 in
    pthread_* | thrd_* | mtx_* | cnd_* | sem_* | *thread* | *async* | *future* | *condition_variable*)
        echo "a softmax starts no threads of the CPU: its work belongs in kernels" ;;
    open | open64 | openat* | fopen* | freopen* | fdopen* | creat | creat64 | write | read | pread* | pwrite* | *fstream* | *filebuf* | *basic_file* | *filesystem* | *random_device* | *locale* | *_byname* | unlink* | remove | rename* | mk* | rmdir | close | dup* | fcntl | ioctl | ftruncate* | truncate* | sendfile | fread | fclose | fseek* | tmpfile | link* | symlink*)
        echo "a softmax opens no files: print with printf what you want to see" ;;
    socket* | connect | bind | send* | recv* | accept* | listen | shutdown | poll | select)
        echo "a softmax needs no socket" ;;
    clone | posix_spawn* | exec* | system | popen | wait* | daemon | setsid | setpgid)
        echo "a softmax needs no second process" ;;
    kill | raise | tgkill | sig* | __sig* | pause | timer_* | ptrace | prctl)
        echo "signals and timers belong to the runner, which keeps the time" ;;
    dl* | syscall | mmap* | mprotect | munmap | process_vm_*)
        echo "a softmax reaches for no libraries, system calls or memory maps of its own" ;;
    *longjmp | *setjmp) echo "a function of a library comes back by returning" ;;
    sleep | usleep | nanosleep | sched_yield) echo "a softmax waits for nothing" ;;
    cuda*) echo "it goes past the calls that the runner sees, and nothing would tell on which stream the work ran; launch kernels with <<<...>>> or cudaLaunchKernel" ;;
    *)
        if grep -qxF -e "$1" "$work/runner.symbols"; then
            echo "that is a part of the checker, not of CUDA or C"
        else
            echo "it is not among what a softmax may call"
        fi
        ;;
    esac
}

# for_libraries COMMAND...: for each library that was linked.
for_libraries() {
    local library
    for library in "$work"/*.so; do
        "$@" "$library"
    done
}

# Looks at the linked submission. Says what it refuses, and why; the status is 1 then.
trust_symbols() {
    local bad=0 symbol plain list=checker/compile/allowed_symbols.txt past='^$'
    [ "$runtime" = cuda ] && past=$CUDA_REFUSED
    [ "${SUBMISSION_RULES:-}" = none ] && return 0
    grep -v -e '^#' -e '^$' "$list" >"$work/allowed"
    while read -r symbol; do
        plain=${symbol#__wrap_}
        echo "$(file_with -u "$plain") uses $(c++filt "$plain"): $(trust_reason "$plain"). What a submission may call is listed in $list."
        bad=1
    done < <(for_libraries nm -D --undefined-only | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort -u |
        awk -v refused="$STANDARD_LIBRARY_REFUSED" -v past="$past" 'FNR == NR { allowed[++count] = "^(" $0 ")$"; next }
            { good = 0
              for (i = 1; i <= count && !good; i++) good = $0 ~ allowed[i]
              if (!good || ($0 ~ /^_Z.*S[tabsiod]/ && $0 ~ refused) || $0 ~ past) print }' "$work/allowed" - | head -n 20)

    # Assembly code, which only clang can be told to refuse, must not ask the kernel past the C library.
    if for_libraries objdump -d --no-show-raw-insn 2>/dev/null |
        grep -E '[[:space:]](syscall|sysenter|int +[$]0x80|svc([[:space:]].*)?)[[:space:]]*$' >/dev/null; then
        echo "The submission makes a system call by an instruction of its own: a softmax has nothing to ask the kernel for."
        bad=1
    fi

    # Bytes that are data to the compiler and code to the processor: nothing would see what they do.
    while read -r symbol; do
        echo "The submission puts the data $(c++filt "$symbol") where the processor looks for code."
        bad=1
    done < <(for_libraries readelf -SsW 2>/dev/null | sed 's/^ *\[ */[/' | awk '
        /^There are [0-9]+ section headers/ { split("", code) }
        /^\[[0-9]+\]/ { number = $1; gsub(/[][]/, "", number); if ($0 ~ / [A-Z]*X[A-Z]* +[0-9]+ +[0-9]+ +[0-9]+$/) code[number] = 1 }
        $4 == "OBJECT" && ($7 in code) { print $8 }')
    return $bad
}
