# SPDX-License-Identifier: GPL-3.0-or-later
# The mean score of the cells of a sweep against their time per move, both with 95% intervals: each
# point under its depth, a colour a cutoff; the line is the Pareto front. One panel a board.
# gnuplot 5.4 crashes on labels of which none has a place, so the front must not be among theirs.
#     gnuplot -d -c pareto.gp svg|pdf|png OUT pareto.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "pareto." . TERM
TABLE = ARGC > 2 ? ARG3 : "pareto.tsv"
load ARG0[1:strlen(ARG0) - strlen("pareto.gp")] . "style.gp"

eval blocks_need
eval blocks_group
front = label_find("Pareto front") > 0 ? _k : 0
if (front > 0) { set style line front lc rgb 0x888888 pt 0 lw 1.2 ps 0 }

positive(x) = x > 0 ? x : NaN
eval range_reset
set table $Null
do for [k = 1:blocks] {
	plot TABLE index (k - 1) every ::1 using \
		(see(positive($1)), see(positive($2)), see(positive($3))) with table
}
unset table
if (seen == 0) { least = 1; most = 10 }
left = round_below(least)
right = round_above(1.001 * most)

WIDTH = 3.5
LEFT = 0.6
PLOT = 1.7
UNDER = 0.1
SIDE = "mean score (points)"
eval page(boards)

do for [b = 1:boards] {
	eval range_reset
	set table $Null
	do for [k in Members[b]] {
		plot TABLE index (k - 1) every ::1 using (see($4), see($6)) with table
	}
	unset table
	if (seen == 0 || most <= 0) { most = 1 }
	set yrange [0:1.1 * most]
	eval tics("y", 1.1 * most)
	eval margins(b)
	set title Board[b] offset 0, -0.5
	eval log_axis("x", left, right, b == boards)
	if (b == boards) { set xlabel "time per move (ms)" offset 0, XLABEL }
	cells = ""
	do for [k in Members[b]] { if (Of[k + 0] != front) { cells = cells . " " . k } }
	plot for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(Of[k + 0] == front ? $1 : NaN):4 with steps ls front notitle, \
		for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(Of[k + 0] == front ? NaN : $1):5:(0):($6 - $5) \
			with vectors nohead ls Of[k + 0] lw 0.8 notitle, \
		for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(Of[k + 0] == front ? NaN : $2):4:($3 - $2):(0) \
			with vectors nohead ls Of[k + 0] lw 0.8 notitle, \
		for [k in Members[b]] TABLE index (k - 1) every ::1 using \
			(Of[k + 0] == front ? NaN : $1):4 with points ls Of[k + 0] notitle, \
		for [k in cells] TABLE index (k - 1) every ::1 using 1:4:(sprintf("%d", $7)) \
			with labels font small_font(6) offset 0.6, 0.4 notitle
}
unset multiplot
