# SPDX-License-Identifier: GPL-3.0-or-later
# A duel: the ratio of mean scores at each look, with the band of the interval that holds at all of
# them together.
#     gnuplot -d -c duel.gp svg|pdf|png OUT duel.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "duel." . TERM
TABLE = ARGC > 2 ? ARG3 : "duel.tsv"
load ARG0[1:strlen(ARG0) - strlen("duel.gp")] . "style.gp"

eval blocks_need
eval blocks_group

# Early intervals may reach far beyond what the last ones tell: four times the median one is enough.
eval range_reset
first = 1e300
last = 0
set table $Null
plot TABLE index 0 every ::1 using \
	(first = $1 < first ? $1 : first, last = $1 > last ? $1 : last, see($4), see(1)) with table
unset table
stats TABLE index 0 every ::1 using (abs($6 - $5)) nooutput
reach = STATS_records > 0 ? 2 * STATS_median : 0.1
one = first == last # a band needs two looks

PLOT = 1.7
UNDER = 0.26
BOTTOM = 0.15
eval page(1)
set style fill transparent solid 0.25 noborder
set logscale x
set xrange [one ? 0.8 * first : first:one ? 1.25 * last : last]
set xtics add (sprintf("%.0f", first) first, sprintf("%.0f", last) last)
set yrange [(least > reach ? least - reach : 0):most + reach]
set format y "%g"
eval margins(1)
set title "ratio of mean scores on " . Board[1] offset 0, -0.5
set xlabel "games of each" offset 0, XLABEL
plot 1 notitle lc rgb 0x444444 lw 0.7, \
	TABLE index 0 every ::1 using 1:5:6 with filledcurves ls Of[1] notitle, \
	TABLE index 0 every ::1 using 1:4:(one ? $5 : $4):(one ? $6 : $4) with yerrorbars ls Of[1] notitle, \
	TABLE index 0 every ::1 using 1:4 with linespoints ls Of[1] notitle
unset multiplot
