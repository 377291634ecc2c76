# SPDX-License-Identifier: GPL-3.0-or-later
# The time of a move against the depth of the search, with its 95% interval: a curve a cutoff and a
# panel a board, or the other way round with boards.tsv, beside which this is called boards.gp.
#     gnuplot -d -c sweep.gp svg|pdf|png OUT sweep.tsv|boards.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
NAME = ARG0[strlen(ARG0) - strlen("boards.gp") + 1:*] eq "boards.gp" ? "boards" : "sweep"
OUT = ARGC > 1 ? ARG2 : NAME . "." . TERM
TABLE = ARGC > 2 ? ARG3 : NAME . ".tsv"
load ARG0[1:strlen(ARG0) - strlen("sweep.gp")] . "style.gp"

eval blocks_need
eval blocks_group

positive(y) = y > 0 ? y : NaN
eval range_reset
deep = 1
set table $Null
do for [k = 1:blocks] {
	plot TABLE index (k - 1) every ::1 using \
		(see(positive($2)), see(positive($3)), see(positive($4)), \
		deep = $1 > deep ? $1 : deep) with table
}
unset table
if (seen == 0) { least = 1; most = 10 }

COLUMNS = boards > 3 ? 2 : 1
WIDTH = 3.5 * COLUMNS
PLOT = 1.5
LEFT = 0.7 # numbers such as 0.0005
SIDE = "time per move (ms)"
eval page(boards)

low = round_below(least)
high = round_above(1.001 * most)
floor_at(y) = y > low ? y : low
# Side by side, so that intervals can be told apart.
place(depth, s) = depth + 0.3 * (s - 0.5 * (labels + 1)) / labels
eval log_axis("y", low, high, 1)
set xrange [0.5:deep + 0.5]
set xtics 1
do for [b = 1:boards] {
	eval margins(b)
	set title Board[b] offset 0, -0.5
	set format x (b > boards - COLUMNS ? "%g" : "")
	if (b > boards - COLUMNS) { set xlabel "depth (own moves)" offset 0, XLABEL }
	plot for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(place($1, Of[k + 0])):(floor_at($3)):(0):($4 - floor_at($3)) \
			with vectors nohead ls Of[k + 0] notitle, \
		for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(place($1, Of[k + 0])):(positive($2)) with linespoints ls Of[k + 0] notitle
}
unset multiplot
