# shellcheck shell=bash disable=SC2154
# What a submission may not do, as far as it shows before anything runs: its sources name nothing of the checker's
# own machinery (translate --inspect), and it needs nothing from outside that a softmax has no use for
# (allowed_symbols.txt). What only shows at run time is for the runner; docs/checker.md tells the whole.
#
# SUBMISSION_RULES=none leaves these rules out: the kit's tests use it to meet what lies behind them.

# The C++ standard library's threads and files.
STANDARD_LIBRARY_REFUSED='thread|[0-9]async|future|condition_variable|filebuf|fstream|filesystem'

# On a GPU: ways past the calls of CUDA's runtime that the runner sees; nobody would know what ran on which stream.
# The simulator does not offer them, or finds what they do.
CUDA_REFUSED='^(cudaGetDriverEntryPoint|cudaGraph|cudaStream(Begin|End|Update)Capture|cudaLibrary|cudaIpc|cudaImport|cudaUserObject|cudaLaunchHostFunc|cudaStreamAddCallback)'

# Files of the submission, and whatever else it includes that is neither the kit's nor the system's.
trust_sources() {
    local file
    for file in $exercise_files; do
        echo "$source/$file"
    done
    submission_headers | sed "s|^|$source/|"
    for file in $exercise_files; do
        sed -e 's/^[^:]*: *//' -e 's/\\$//' "$work/$file.d" 2>/dev/null
    done | tr -s ' ' '\n' | grep -v -e "^$work/" -e '^/usr/' -e '^/opt/' -e '^exercises/' -e '^checker/' -e '^$' |
        while IFS= read -r file; do [ -n "${cuda_home:-}" ] && [[ $file = "$cuda_home"/* ]] || echo "$file"; done
    return 0
}

# Why a name is refused, as the rest of a sentence.
trust_reason() {
    case $1 in
    pthread_* | thrd_* | mtx_* | cnd_* | sem_* | *thread* | *async* | *future* | *condition_variable*)
        echo "a softmax starts no threads of the CPU: its work belongs in kernels" ;;
    open | open64 | openat* | fopen* | freopen* | fdopen* | creat | creat64 | write | read | pread* | pwrite* | *fstream* | *filebuf* | *filesystem* | unlink* | remove | rename* | mk* | rmdir | close | dup* | fcntl | ioctl | ftruncate* | truncate* | sendfile | fread | fclose | fseek* | tmpfile | link* | symlink*)
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
    done < <(nm -D --undefined-only "$work/submission.so" | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort -u |
        awk -v refused="$STANDARD_LIBRARY_REFUSED" -v past="$past" 'FNR == NR { allowed[++count] = "^(" $0 ")$"; next }
            { good = 0
              for (i = 1; i <= count && !good; i++) good = $0 ~ allowed[i]
              if (!good || ($0 ~ /^_Z.*S[tabsiod]/ && $0 ~ refused) || $0 ~ past) print }' "$work/allowed" -)

    # Assembly code, which only clang can be told to refuse, must not ask the kernel past the C library.
    if objdump -d --no-show-raw-insn "$work/submission.so" 2>/dev/null |
        grep -E '[[:space:]](syscall|sysenter|int +[$]0x80|svc([[:space:]].*)?)[[:space:]]*$' >/dev/null; then
        echo "The submission makes a system call by an instruction of its own: a softmax has nothing to ask the kernel for."
        bad=1
    fi

    # Bytes that are data to the compiler and code to the processor: nothing would see what they do.
    while read -r symbol; do
        echo "The submission puts the data $(c++filt "$symbol") where the processor looks for code."
        bad=1
    done < <(readelf -SsW "$work/submission.so" 2>/dev/null | sed 's/^ *\[ */[/' | awk '
        /^\[[0-9]+\]/ { number = $1; gsub(/[][]/, "", number); if ($0 ~ / [A-Z]*X[A-Z]* +[0-9]+ +[0-9]+ +[0-9]+$/) code[number] = 1 }
        $4 == "OBJECT" && ($7 in code) { print $8 }')
    return $bad
}
