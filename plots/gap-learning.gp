# SPDX-License-Identifier: GPL-3.0-or-later
# The distance of learners to the optimum, as a share of it, against their training games, with the
# bands of their 95% intervals, both axes logarithmic. Players have the colours of gap-phase.gp.
#     gnuplot -d -c gap-learning.gp svg|pdf|png OUT gap-learning.tsv gap-phase.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "gap-learning." . TERM
TABLE = ARGC > 2 ? ARG3 : "gap-learning.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "gap-phase.tsv"
load ARG0[1:strlen(ARG0) - strlen("gap-learning.gp")] . "style.gp"

eval blocks_need
eval players_need
do for [k = 1:blocks] {
	Of[k] = label_number(Block[k])
	IN_KEY = IN_KEY . sprintf(" %d", Of[k])
}

eval range_reset
first = 1e300
last = 1
set table $Null
do for [k = 1:blocks] {
	plot TABLE index (k - 1) every ::1 using (see($3 > 0 ? $3 : NaN), \
		first = $1 < first ? $1 : first, last = $1 > last ? $1 : last) with table
}
unset table
if (seen == 0) { least = 0.1; most = 1 }
# The axis begins at a round number below all: 1, 2 or 5 of a decade.
decade = 10 ** floor(log10(0.95 * least))
bottom = (0.95 * least >= 5 * decade ? 5 : 0.95 * least >= 2 * decade ? 2 : 1) * decade
shown(x) = x > bottom ? x : bottom

WIDTH = 3.5
LEFT = 0.55
TITLE = 0.08
PLOT = 2.
UNDER = 0.05
BOTTOM = 0.38
SIDE = "distance to the optimum"
eval ends_plan
eval page(1)
set table $Null
do for [k = 1:blocks] {
	final = NaN
	plot TABLE index (k - 1) every ::1 using (final = $3 > 0 ? $3 : final) with table
	_y = end_see(Of[k], 1 - log10(final) / log10(bottom))
}
unset table
eval ends_draw
eval margins(1)
eval log_axis("x", first / 1.3, last * 1.3, 1)
set logscale y
set yrange [bottom:1]
set ytics ()
do for [i = floor(log10(bottom)):0] {
	do for [m in "1 2 5"] { set ytics add (sprintf("%g", m * 10. ** i) m * 10. ** i) }
}
set xlabel "training games" offset 0, XLABEL
set style fill transparent solid 0.25 noborder
plot for [k = 1:blocks] TABLE index (k - 1) every ::1 using 1:(shown($4)):(shown($5)) \
		with filledcurves ls Of[k] notitle, \
	for [k = 1:blocks] TABLE index (k - 1) every ::1 using 1:($3 > 0 ? $3 : NaN) \
		with linespoints ls Of[k] notitle
unset multiplot
