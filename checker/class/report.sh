# shellcheck shell=bash
# What is told of a class that is graded: grades.csv, junit.xml, a page each, summary.html with two figures.

# class_report EXERCISE RESULTS WORK [SUBMISSIONS [SHARD]]
class_report() {
    local exercise=$1 results=$2 work=$3 options=(--exercise "$1" --results "$2") stages
    [ -z "${4:-}" ] || options+=(--submissions "$4")
    [ -z "${5:-}" ] || options+=(--shard "$5")
    stages=$(build/class report "${options[@]}") || {
        echo "$stages"
        return 3
    }
    alike_note="Not looked at: the submissions themselves are not here."
    rm -f "$work/alike.txt"
    [ -z "${4:-}" ] || alike "$exercise" "$4" "$work" build/class list "${options[@]}"
    [ ! -e "$work/alike.txt" ] || options+=(--alike "$work/alike.txt")
    if [ -s "$results/points.dat" ]; then
        class_figures "$results/points.dat" "$work" "$stages"
    else
        : >"$work/scores.svg"
        : >"$work/stages.svg"
    fi
    rm -f "$results/points.dat"
    build/class summary "${options[@]}" --alike-note "$alike_note" "$work/scores.svg" "$work/stages.svg" || return 3
    echo "Grades: $results/grades.csv"
    echo "At a glance: $results/summary.html; for CI services: $results/junit.xml"
    echo "Of each submission: check.json, report.txt and page.html in $results/submissions/"
}

# A histogram of scores, and for each stage how the class's share of its points is spread.
class_figures() {
    local data=$1 work=$2 stages=$3
    gnuplot 2>"$work/gnuplot.log" <<GNUPLOT
set terminal svg size 900,260 font "sans-serif,13" background "white" name "scores"
set output "$work/scores.svg"
set title "Scores"
set xrange [-2:104]
set yrange [0:*]
set xtics 10 nomirror
set ytics nomirror
set border 3
set ylabel "submissions"
set style fill solid 0.8 border -1
set boxwidth 4
unset key
ten(x) = x >= 100 ? 100 : 5 * floor(x / 5.0)
plot "$data" using (ten(\$1)):(1) smooth frequency with boxes linecolor rgb "#33658a" title "scores"
set output
set terminal svg size 900,300 font "sans-serif,13" background "white" name "stages"
set output "$work/stages.svg"
set title "Share of a stage's points, in %: the middle half, the median, the extremes"
set xrange [0.4:$(wc -l <<<"$stages").6]
set yrange [-3:103]
set xtics ($(awk '{ printf "%s\"%s\" %d", sep, $1, NR; sep = ", " }' <<<"$stages"))
set ytics 25
unset ylabel
set style data boxplot
set style boxplot nooutliers fraction 1.0
set boxwidth 0.4
plot for [i = 1:$(wc -l <<<"$stages")] "$data" using (i):(column(i + 1)) linecolor rgb "#33658a" title "stage"
GNUPLOT
}
