# The look of every panel: black on white, told apart by dash and point. Styles 1 to 6 are curves, 11 to 15
# lines across (baselines).
set encoding utf8
unset key
set border 3 linewidth 0.8
set tics nomirror out scale 0.5
set grid ytics linetype 1 linewidth 0.4 linecolor rgb '#dddddd'
set lmargin 10
set rmargin 16
set tmargin 2.2
set bmargin 3.6
set title offset 0,-0.4
set bars 0.6
set style line 1 linecolor rgb '#000000' linewidth 1.8 dashtype 1 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb '#0b5fa5' linewidth 1.8 dashtype (9,4) pointtype 5 pointsize 0.9
set style line 3 linecolor rgb '#b3470b' linewidth 1.8 dashtype (3,3) pointtype 9 pointsize 1.0
set style line 4 linecolor rgb '#4d4d4d' linewidth 1.6 dashtype (12,4,2,4) pointtype 6 pointsize 1.0
set style line 5 linecolor rgb '#2c7a2c' linewidth 1.6 dashtype (6,2) pointtype 4 pointsize 1.0
set style line 6 linecolor rgb '#7a2c7a' linewidth 1.6 dashtype (2,2) pointtype 8 pointsize 1.0
set style line 11 linecolor rgb '#000000' linewidth 1.0 dashtype (2,3)
set style line 12 linecolor rgb '#555555' linewidth 1.2 dashtype (10,4)
set style line 13 linecolor rgb '#777777' linewidth 1.2 dashtype (10,3,2,3)
set style line 14 linecolor rgb '#777777' linewidth 1.2 dashtype (5,3)
set style line 15 linecolor rgb '#aaaaaa' linewidth 1.2 dashtype 1
