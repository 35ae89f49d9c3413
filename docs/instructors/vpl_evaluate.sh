#!/bin/bash
# vpl_evaluate.sh of an activity of Moodle's Virtual Programming Lab, whose maximum grade is 100. The kit lies on the execution
# server, built and readable for all, in KIT; the activity's requested files are those of the exercise.
KIT=/opt/softmax-workshop
EX=online_softmax
LIMIT=200 # seconds; the activity's own limits some more: time, 4 GiB of memory, 512 processes, files of 64 MiB
cat >vpl_execution <<SCRIPT
#!/bin/bash
exec bash "$KIT/checker/class/services/grade.sh" vpl "$EX" "\$PWD" "$LIMIT" 2>/dev/null
SCRIPT
chmod +x vpl_execution
