#!/usr/bin/env bash
# The files in docs/instructors/ that grade a class on several machines, run here: GNU parallel and Slurm where they are installed
# (Slurm as one node, with a controller of its own), the steps of the GitHub Actions matrix as a shell would run them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=checker/tests/counting.sh
source checker/tests/counting.sh
# shellcheck source=checker/class/sandbox.sh
source checker/class/sandbox.sh
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
sandbox_probe || {
    echo "0 passed, 0 failed"
    exit 0
}
bash -c 'source checker/commands/common.sh; build "the checker" build/checker build/class build/runner-host' || exit 1

folder=$(mktemp -d) && chmod 755 "$folder" || exit 1
started=()
finish() {
    [ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$folder"
}
trap finish EXIT
kit=$PWD examples=$PWD/docs/instructors
export EX=online_softmax SUBMISSIONS=$folder/submissions RESULTS=$folder/results
for name in a b c; do
    mkdir -p "$SUBMISSIONS/$name"
    cp exercises/$EX/$EX.c "$SUBMISSIONS/$name/"
done

# What every way has to come to.
whole() {
    tr -d '\r' <"$1/$EX/grades.csv" 2>/dev/null | sed 1d | cut -d , -f 1-5 | paste -sd ' '
}
expected='1,"a",incomplete,0,100 2,"b",incomplete,0,100 3,"c",incomplete,0,100'

# ---- GNU parallel ----
if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    said=$(PARTS=2 MACHINE_JOBS=2 JOBS=1 bash "$examples/grade_parallel.sh" 2>&1 </dev/null)
    status=$?
    expect "grade_parallel.sh ends with 0" ends_with 0
    expect "it grades the whole class" [ "$(whole "$RESULTS/class")" = "$expected" ]
    expect "in two parts" test -e "$RESULTS/part1/$EX/class.json" -a -e "$RESULTS/part2/$EX/class.json"
else
    echo "Not tested: grade_parallel.sh, for GNU parallel is not installed"
fi

# ---- Slurm ----
# One node, whose parts believe each other: it listens on this machine's ports for as long as the test runs.
start_slurm() {
    local port=$((20000 + RANDOM % 20000))
    mkdir -p "$folder/slurm/state" "$folder/slurm/spool" || return
    cat >"$folder/slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/none
CryptoType=crypto/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/slurm/state
SlurmdSpoolDir=$folder/slurm/spool
SlurmctldPidFile=$folder/slurm/controller.pid
SlurmdPidFile=$folder/slurm/node.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=localhost CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$folder/slurm/slurm.conf
    slurmctld -D >"$folder/slurm/controller.log" 2>&1 </dev/null &
    started+=($!)
    slurmd -D -N localhost >"$folder/slurm/node.log" 2>&1 </dev/null &
    started+=($!)
    for ((i = 0; i < 50; i++)); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return
        sleep 0.2
    done
    return 1
}
expect "grade_slurm.sh asks for ten parts" grep -q '^#SBATCH --array=1-10$' "$examples/grade_slurm.sh"
if [ "$(id -u)" = 0 ] && command -v slurmctld >/dev/null && command -v slurmd >/dev/null && start_slurm; then
    rm -rf "$RESULTS/class"
    export KIT=$kit
    job=$(cd "$folder" && sbatch --parsable --array=1-2 --cpus-per-task=1 "$examples/grade_slurm.sh")
    # The line that its head tells to type.
    # shellcheck disable=SC2016 # as it stands there
    merge=$(sed -n 's/^# *sbatch --dependency=afterany:\$job --wrap=/--wrap=/p' "$examples/grade_slurm.sh")
    (cd "$folder" && eval "sbatch --dependency=afterany:$job $merge") >/dev/null
    for ((i = 0; i < 300; i++)); do
        [ -s "$RESULTS/class/$EX/grades.csv" ] && break
        sleep 0.2
    done
    status='' said=$(cat "$folder"/grade-*.log "$folder"/slurm-*.out 2>/dev/null)
    expect "the job array grades in two parts" [ "$(cat "$folder"/grade-"$job"_?.log | grep -c '^[0-9] submissions: ')" -eq 2 ]
    expect "the job after it puts them together" [ "$(whole "$RESULTS/class")" = "$expected" ]
    unset KIT
else
    echo "Not tested: grade_slurm.sh under Slurm, for slurmctld and slurmd are not installed, or no root is here"
fi

# ---- GitHub Actions ----
# The script of a step: what is indented deeper below its "run: |".
step() {
    awk -v name="$1" '
        /^ *- name: / { inside = $3 == name }
        inside && script && match($0, /^ */) && RLENGTH <= indent && NF { exit }
        inside && script { print substr($0, indent + 3) }
        inside && /^ *run: \|$/ { match($0, /^ */); indent = RLENGTH; script = 1 }' "$examples/grade_matrix.yml"
}
mkdir "$folder/repository" && ln -s "$kit" "$folder/repository/kit" && ln -s "$SUBMISSIONS" "$folder/repository/submissions"
mkdir -p "$RESULTS" && ln -s "$RESULTS" "$folder/repository/results" # what was graded is kept
unset RESULTS SUBMISSIONS
for part in 1 2; do
    said=$(cd "$folder/repository" && PART=$part PARTS=2 bash -e -c "$(step grade)" 2>&1 </dev/null)
    status=$?
    expect "the step of part $part ends with 0" ends_with 0
done
said=$(cd "$folder/repository" && bash -e -c "$(step merge)" 2>&1 </dev/null)
status=$?
expect "the step that merges ends with 0" ends_with 0
expect "and has the whole class" [ "$(whole "$folder/repository/class")" = "$expected" ]
said=$(step install)
expect "what make grade needs is installed before" says 'apt-get install -y bubblewrap'
if command -v check-jsonschema >/dev/null; then
    said=$(check-jsonschema --builtin-schema vendor.github-workflows "$examples/grade_matrix.yml" 2>&1)
    status=$?
    expect "it is a workflow, by GitHub's schema" ends_with 0
elif command -v actionlint >/dev/null; then
    said=$(actionlint "$examples/grade_matrix.yml" 2>&1)
    status=$?
    expect "it is a workflow, by actionlint" ends_with 0
else
    echo "Not tested: grade_matrix.yml as a whole, for neither actionlint nor check-jsonschema is installed"
fi
end_test
