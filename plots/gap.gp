# SPDX-License-Identifier: GPL-3.0-or-later
# The expected score of players as a share of the optimum, the best at the top: an estimate with its
# 95% interval, or the expected value itself, without one.
#     gnuplot -d -c gap.gp svg|pdf|png OUT gap.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "gap." . TERM
TABLE = ARGC > 2 ? ARG3 : "gap.tsv"
load ARG0[1:strlen(ARG0) - strlen("gap.gp")] . "style.gp"

rows = 0
longest = 0
name(c) = FIT > 0 ? row_name(stringcolumn(c)) : stringcolumn(c)
set table $Null
plot TABLE every ::1 using (rows = rows + 1, \
	longest = strlen(name(2)) > longest ? strlen(name(2)) : longest) with table
unset table
if (rows == 0) { exit error "no players in " . TABLE }

# Names take the left half of the page at most.
LEFT = between(0.5, 0.15 + 0.062 * longest, 3.)
WIDTH = FIT > 0 ? FIT : LEFT > 1.4 ? LEFT + 2.4 : 3.5
TITLE = 0.08
KEY = 0
UNDER = 0.
BOTTOM = TERM eq "svg" ? 0.42 : 0.38 # its letters are larger
PLOT = 0.15 * rows + 0.1
HEIGHT = TITLE + PLOT + BOTTOM
panels = 1
eval "set terminal " . terminal(WIDTH, HEIGHT)
set output OUT
eval axes
eval margins(1)
unset key
set grid xtics noytics
set xrange [0:100]
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced
set xlabel "expected score (% of the optimum)" offset 0, XLABEL
# Colours are those of gap-phase.gp.
plot for [r = 1:rows] TABLE every ::r::r using ($5 > 0 ? NaN : 100 * $7):1:(100 * ($8 - $7)):(0) \
		with vectors nohead ls r dt 1 notitle, \
	for [r = 1:rows] TABLE every ::r::r using (100 * $6):1:ytic(name(2)) with points ls r notitle
