#!/usr/bin/env bash
# Whether a submission that has got past everything else still costs only itself. Each attack here is a script that is run where
# a submission is graded: in the sandbox of make grade, under its limits, by its scheduler. So nothing of the compiler's rules
# or the runner's lockdown, which other tests attack, stands before it.
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

folder=$(mktemp -d) && chmod 711 "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/class" "$folder/results/submissions" "$folder/work" "$folder/kit/submission"
chmod 711 "$folder/work" && chmod 755 "$folder/kit"
secret=only-for-the-instructor-$RANDOM$RANDOM
echo "$secret" >"$folder/secret"
chmod 644 "$folder/secret"
sleep 60 &
outsider=$!
trap 'kill $outsider; rm -rf "$folder"' EXIT

# attack NAME: a submission whose attack is standard input.
attack() {
    mkdir "$folder/class/$1"
    cat >"$folder/class/$1/attack.sh"
}

# What the checker would write for an honest submission, in little.
good='{ "exercise": "online_softmax", "seed": 1, "status": "failed", "score": 4, "max_score": 10, "device": "<script>alert(1)</script>",
  "checks": [ { "id": "merge.a", "stage": "merge", "status": "pass", "points": 4, "max_points": 4, "message": "" },
              { "id": "merge.b", "stage": "merge", "status": "fail", "points": 0, "max_points": 6,
                "message": "<script>alert(2)</script>\u0007 & \u202e \"quoted\"" } ] }'

attack honest <<<"echo '$good' >/results/check.json; echo fine"
attack reads_others <<A
cat "$folder/secret" "$folder/class/honest/attack.sh" /etc/shadow /root/.bashrc "$PWD/solutions/online_softmax/online_softmax.c" \
    /kit/solutions/*/* /kit/checker/tests/*  "$folder/results/submissions/honest/check.json" /proc/1/root/etc/shadow
ls -A /home /root /tmp /kit "$folder" /var
A
attack writes_outside <<A
for place in "$folder/class/honest" "$folder/results" /kit /usr /etc / /dev /proc/sys/kernel /kit/submission /run /var/tmp "$folder"; do
    echo broken >"\$place/broken" && echo "WROTE \$place"
done
echo x >/proc/sys/kernel/core_pattern && echo WROTE core_pattern
echo 1 >/proc/self/oom_score_adj_missing && echo WROTE
mount -t tmpfs none /mnt && echo WROTE mount
unshare -Urm true && echo WROTE namespaces
mknod /results/disk b 8 0 && echo WROTE device
A
attack reaches_the_network <<'A'
echo >/dev/tcp/127.0.0.1/22
echo >/dev/udp/8.8.8.8/53
readlink /proc/self/ns/net
cat /proc/net/route /proc/net/unix
A
attack leaves_a_process <<'A'
setsid nohup sleep 86397 >/dev/null 2>&1 &
(setsid sleep 86397 &) &
sleep 0.2
A
attack forks <<'A'
bomb() { bomb | bomb & }
bomb
sleep 30
A
attack fills_the_disk <<'A'
for file in {1..40}; do head -c 60000000 /dev/zero >/results/$file; done
sleep 30
A
attack fills_its_tmp <<'A'
for file in {1..40}; do head -c 60000000 /dev/zero >/tmp/$file 2>/dev/null || { echo "tmp was full"; break; }; done
A
attack makes_files_without_end <<'A'
mkdir -p /results/a/b; cd /results/a/b
while :; do printf '' >$((++n)); done
A
attack fills_memory <<'A'
head -c 3G /dev/zero | tail -c 3G >/dev/null
sleep 30
A
attack hangs <<'A'
trap '' TERM INT HUP
while :; do sleep 1; done
A
attack kills_the_grader <<A
kill -9 $outsider $$ \$PPID 1 2>&1
for number in {2..3000}; do [ \$number = \$\$ ] || kill -9 \$number 2>/dev/null && echo "KILLED \$number"; done
kill -9 -1
A
attack looks_into_others <<A
ls /proc | grep -c '^[0-9]'
cat /proc/$outsider/cmdline /proc/$outsider/environ /proc/*/cwd/secret
head -c 16 /proc/$outsider/mem && echo READ
A
attack links_its_result <<A
ln -s "$folder/secret" /results/check.json
rm -f /results/report.txt
ln -s "$folder/secret" /results/report.txt
A
attack pipes_its_result <<'A'
mkfifo /results/check.json
rm -f /results/report.txt
mkfifo /results/report.txt
A
attack forges_a_sum <<<"echo '${good/\"score\": 4/\"score\": 10}' >/results/check.json"
attack forges_another_exercise <<<"echo '${good/online_softmax/fused_softmax}' >/results/check.json"
attack huge_result <<<"head -c 20000000 /dev/zero >/results/check.json"
attack $'<b>bold\nname\e[31m' <<<"echo '$good' >/results/check.json"

# The grader, with what is done in the sandbox replaced by the attack.
cat >"$folder/grade_one.sh" <<A
source checker/class/sandbox.sh
sandbox_prepare "\$1" "\$2" "$folder/kit" || exit 3
sandbox_enter bash -c 'exec bash /kit/submission/attack.sh >/results/report.txt 2>&1' 2>"\$1/sandbox.log"
A
export CLASS_KEY=key CLASS_FILES=online_softmax.c CLASS_SANDBOX=yes CLASS_RUNTIME=host
build/class run --exercise online_softmax --submissions "$folder/class" --results "$folder/results" --work "$folder/work" --kit kit \
    --runtime host --seed 1 --jobs 3 --seconds 5 --memory 300 --disk 100 --stage checker/class/stage.sh \
    --grade "$folder/grade_one.sh" >"$folder/said" 2>&1
status=$?
said=$(cat "$folder/said")
expect "the grader lives, and all are graded" ends_with 0
results=$folder/results/submissions

# Usage: sees NAME / note NAME: what the attack saw, and how the grader says that it ended
sees() { status='' said=$(tr -d '\0' <"$results/$1/report.txt" 2>/dev/null); }
note() { status='' said=$(cat "$results/$1/outcome.json"); }
silent_about() { ! grep -qE -e "$1" <<<"$said"; }
score() { grep -qE "^ *\"score\": $2,?$" "$results/$1/check.json"; }

note honest
expect "an honest one ends as it should" says '"ended": "graded"'
expect "an honest one has its points" score honest 4
sees honest
expect "what it printed is kept" says '^fine$'

sees reads_others
expect "no file of the instructor's, of others or of the kit's tests and solutions is read" \
    silent_about "$secret|softmax_merge|root:|#!/|echo fine"
expect "they are not there at all" says "$folder/secret: No such file"
sees writes_outside
expect "nothing is written outside" silent_about WROTE
expect "writing to the kit was tried, and refused" says '/kit/broken: Read-only file system'
expect "nothing appeared outside" test ! -e "$folder/class/honest/broken" -a ! -e "$folder/broken" -a ! -e /usr/broken
sees reaches_the_network
expect "there is no network, not even this machine's own" says '127.0.0.1.*(Network is unreachable|Cannot assign)|Network is unreachable'
expect "its network is not the machine's" silent_about "$(readlink /proc/self/ns/net | tr -d '[]')|$(readlink /proc/self/ns/net | tr -cd 0-9)"
status='' said=$(ps -eo args 2>/dev/null || cat /proc/[0-9]*/cmdline | tr '\0' ' ')
expect "no process is left behind" silent_about 'sleep 86397'

note forks
expect "a fork bomb is stopped" says 'It was stopped (because it used more than 300 MiB of memory, or started processes|after 5 seconds)'
note fills_the_disk
expect "one that fills the disk is stopped, and named" says 'stopped because it wrote more than 100 MiB to the disk'
sees fills_its_tmp
expect "its /tmp is bounded" says 'tmp was full'
note makes_files_without_end
expect "one that makes files without end is stopped, and named" says 'files without end'
note fills_memory
expect "one that eats memory is stopped, and named" says 'stopped because it used more than 300 MiB of memory'
note hangs
expect "one that hangs is stopped, and named" says 'stopped after 5 seconds'
expect "it has no points" score hangs 0
expect "a process outside lives on" kill -0 $outsider
note kills_the_grader
expect "one that kills what it can reach is named" says 'from inside of the sandbox'
sees looks_into_others
expect "processes outside are not to be seen" says "/proc/$outsider/cmdline: No such file"
expect "and nothing is read through them" silent_about "$secret|READ"
for name in links_its_result pipes_its_result forges_a_sum forges_another_exercise huge_result; do
    note $name
    expect "$name is named" says 'from inside of the sandbox'
    expect "$name has no points" score $name 0
done
sees links_its_result
expect "a link in place of a report is not followed" silent_about "$secret"

# ---- where the machine has no memory left for several ----
# With more to spare than any machine has, whoever is not alone is put off.
mkdir -p "$folder/few" "$folder/later/submissions" && cp -r "$folder/class/honest" "$folder/few/a" && cp -r "$folder/class/honest" "$folder/few/b" &&
    sed -i '1i sleep 1' "$folder/few"/*/attack.sh
said=$(build/class run --exercise online_softmax --submissions "$folder/few" --results "$folder/later" --work "$folder/work" --kit kit \
    --runtime host --seed 1 --jobs 2 --spare 4000000 --stage checker/class/stage.sh --grade "$folder/grade_one.sh" 2>&1)
status=$?
expect "what is put off is graded all the same" ends_with 0
expect "each once" says '^2 submissions: 2 graded now'
said=$(cat "$folder"/later/submissions/*/outcome.json)
expect "and with no word about it" [ "$(grep -c '"note": ""' <<<"$said")" -eq 2 ]

# ---- what is told of them ----
build/class report --exercise online_softmax --submissions "$folder/class" --results "$folder/results" >/dev/null &&
    build/class summary --exercise online_softmax --submissions "$folder/class" --results "$folder/results"
expect "every submission has its row in grades.csv" [ "$(tr -d '\n' <"$folder/results/grades.csv" | tr '\r' '\n' | wc -l)" -eq 20 ]
said=$(cat "$results"/*/page.html "$folder/results/summary.html" "$folder/results/junit.xml")
expect "HTML in a message stays text" silent_about '<script|<b>bold'
expect "it is shown as text" says '&lt;script&gt;alert\(2\)'
expect "no control character is left in a page" silent_about $'\a|\e|\xe2\x80\xae'
expect "the pages name no submission by its folder" silent_about 'forges_a_sum|kills_the_grader'
expect "the summary names each that was stopped" [ "$(grep -c '<li>Submission [0-9]*: ' "$folder/results/summary.html")" -ge 10 ]
said=$(cat "$folder/results/grades.csv")
expect "control characters in a name are written out" says '<b>bold\\x0aname\\x1b'
end_test
