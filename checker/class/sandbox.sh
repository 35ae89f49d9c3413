# shellcheck shell=bash
# What a submission is graded in: bubblewrap (namespaces of its own for processes, network, mounts, users, names). Of the disk it
# sees the system's programs and the part of the kit that grades, read-only, its own files, read-only, and a folder for its
# result; /tmp and /dev/shm are its own, small, and gone with it. When bwrap is killed, or who started it, all of it ends.
#
# docs/instructors.md says what it keeps out.

SANDBOX_PROCESSES=512
SANDBOX_FILE_KIBIBYTES=65536 # what is written into one file
SANDBOX_TMP_BYTES=$((512 << 20))

# As root: a user for each sandbox that nobody else is, so that no limit is shared, and nothing belongs to it.
SANDBOX_FIRST_USER=64000

# Sets sandbox_command. $1: the folder of the submission's work (submission/, out/), $2: which sandbox this is, from 0, $3: the kit's.
sandbox_prepare() {
    local work=$1 slot=$2 kit=$3 folder device user
    sandbox_command=()
    if [ "$(id -u)" = 0 ]; then
        user=$((SANDBOX_FIRST_USER + slot))
        chown "$user" "$work/out" || return
        sandbox_command=(setpriv --reuid "$user" --regid "$user" --clear-groups)
    fi
    sandbox_command+=(bwrap --unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL
        --hostname grader --clearenv --setenv PATH /usr/local/cuda/bin:/usr/bin:/bin --setenv HOME /tmp
        --setenv TMPDIR /tmp --setenv LC_ALL C.UTF-8
        --ro-bind /usr /usr --ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache)
    for folder in bin sbin lib lib32 lib64; do
        if [ -L "/$folder" ]; then
            sandbox_command+=(--symlink "$(readlink "/$folder")" "/$folder")
        elif [ -d "/$folder" ]; then
            sandbox_command+=(--ro-bind "/$folder" "/$folder")
        fi
    done
    sandbox_command+=(--proc /proc --dev /dev --size $((64 << 20)) --tmpfs /dev/shm --remount-ro /dev)
    if [ "${CLASS_RUNTIME:-}" = cuda ]; then
        for device in /dev/nvidia*; do
            sandbox_command+=(--dev-bind-try "$device" "$device")
        done
        sandbox_command+=(--ro-bind-try /opt /opt)
    fi
    sandbox_command+=(--size "$SANDBOX_TMP_BYTES" --tmpfs /tmp --ro-bind "$kit" /kit
        --ro-bind "$work/submission" /kit/submission --bind "$work/out" /results --remount-ro / --chdir /kit)
}

# In place of this shell: the command in the sandbox that was prepared. What bwrap itself has to say goes to standard error.
sandbox_enter() {
    # shellcheck disable=SC2016 # for the shell inside
    exec "${sandbox_command[@]}" /bin/bash -c '
        ulimit -c 0 -f "$1" && ulimit -u "$2" && shift 2 && exec "$@"' bash \
        "$SANDBOX_FILE_KIBIBYTES" "$SANDBOX_PROCESSES" "$@"
}

# Says why there can be no sandbox here; the status is 1 then.
sandbox_probe() {
    local work
    command -v bwrap >/dev/null || {
        echo "make grade puts each submission into a sandbox of its own, made by bubblewrap (bwrap), and that is not installed: install Debian's package bubblewrap."
        return 1
    }
    work=$(mktemp -d) && chmod 711 "$work" && mkdir "$work/out" "$work/submission" "$work/kit" "$work/kit/submission" || return 1
    if (sandbox_prepare "$work" 0 "$work/kit" && sandbox_enter true) >"$work/said" 2>&1 </dev/null; then
        rm -rf "$work"
        return 0
    fi
    echo "This machine makes no sandbox ($(head -n 1 "$work/said"))."
    rm -rf "$work"
    return 1
}
