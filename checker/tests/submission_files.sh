# shellcheck shell=bash
# The test submissions in checker/tests/submissions/, as whoever grades or compiles them needs them.
submissions=checker/tests/submissions

# The value of a line "Key: value" in the head of a patch.
head_of() { sed -n "s/^$1: *//p;/^--- /q" "$2" | head -n 1; }

# Puts the files of EXERCISE/KIND/NAME into the folder $2: the solution's, and in their place those of a correct
# submission, or patched. Status 1: the patch does not fit the solution any more.
submission_files() {
    local task=$1 folder=$2 exercise=${1%%/*}
    mkdir -p "$folder"
    cp "solutions/$exercise"/*.c "solutions/$exercise"/*.cu "$folder" 2>/dev/null
    if [ -d "$submissions/$task" ]; then
        cp -r "$submissions/$task"/* "$folder"
    else
        patch -s -d "$folder" -p1 <"$submissions/$task.patch" >"$folder.log" 2>&1
    fi
}

# The words that constructs_open.txt expects to be said of FOLDER/EXERCISE/NAME, or nothing where it is not open.
open_words() { sed -nE "s|^$1: \"(.*)\": .*|\1|p" checker/tests/constructs_open.txt; }
