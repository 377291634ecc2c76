# SPDX-License-Identifier: GPL-3.0-or-later
# What a move of a player loses against the optimum, and how many of its moves are optimal, by the
# largest tile before it, with the bands of their 95% intervals. What loses nothing has no place on
# the logarithmic axis.
#     gnuplot -d -c gap-phase.gp svg|pdf|png OUT gap-phase.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "gap-phase." . TERM
TABLE = ARGC > 2 ? ARG3 : "gap-phase.tsv"
load ARG0[1:strlen(ARG0) - strlen("gap-phase.gp")] . "style.gp"

eval blocks_need
do for [k = 1:blocks] { Of[k] = label_number(Block[k]) }

# A loss below a hundred-thousandth of the largest is drawn as none.
eval range_reset
largest = 1
set table $Null
do for [k = 1:blocks] {
	plot TABLE index (k - 1) every ::1 using (see($5 > 0 ? $5 : NaN), \
		largest = $1 > largest ? $1 : largest) with table
}
unset table
if (seen == 0) { least = 1; most = 10 }
least = least < 1e-5 * most ? 1e-5 * most : least
top = 10 ** ceil(log10(most) + 1e-9)
bottom = 10 ** floor(log10(least))
shown(x) = x >= bottom ? x : NaN

WIDTH = 7.
COLUMNS = 2
LEFT = 0.55
PLOT = 2.1
UNDER = 0.26
BOTTOM = 0.15
eval page(2)

set logscale x 2
set xrange [1.6:1.25 * largest]
factor = largest > 300 ? 4 : 2
set xtics 2, factor
set format x "%.0f"
set_xlabel = 'set xlabel "largest tile before the move" offset 0, XLABEL'
set style fill transparent solid 0.2 noborder

eval margins(1)
if (under(1)) { eval set_xlabel }
set title "expected loss per move" offset 0, -0.5
eval log_axis("y", bottom, top, 1)
plot for [k = 1:blocks] TABLE index (k - 1) every ::1 using \
		1:($6 > bottom ? $6 : $7 > bottom ? bottom : NaN):7 with filledcurves ls Of[k] notitle, \
	for [k = 1:blocks] TABLE index (k - 1) every ::1 using 1:(shown($5)) \
		with linespoints ls Of[k] notitle

eval margins(2)
eval set_xlabel
set title "optimal moves (%)" offset 0, -0.5
unset logscale y
set yrange [0:103]
set ytics 20
plot for [k = 1:blocks] TABLE index (k - 1) every ::1 using 1:(100 * $9):(100 * $10) \
		with filledcurves ls Of[k] notitle, \
	for [k = 1:blocks] TABLE index (k - 1) every ::1 using 1:(100 * $8) \
		with linespoints ls Of[k] notitle
unset multiplot
