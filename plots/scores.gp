# SPDX-License-Identifier: GPL-3.0-or-later
# The share of games that ended with at most a score: one step a game, one panel a board.
#     gnuplot -d -c scores.gp svg|pdf|png OUT scores.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "scores." . TERM
TABLE = ARGC > 2 ? ARG3 : "scores.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("scores.gp")] . "style.gp"

eval blocks_need
eval players_need
eval blocks_group
array Games[|Block|]
array First[|Block|]
eval range_reset
set table $Null
do for [k = 1:blocks] {
	Games[k] = 0
	plot TABLE index k - 1 every ::1 using ($1 == $1 ? (Games[k] = Games[k] + 1, \
		First[k] = Games[k] == 1 ? $1 : First[k], see($1 > 0 ? $1 : NaN)) : 0) with table
}
unset table
if (seen == 0) { least = 10; most = 1000 }
left = round_below(least)
right = round_above(1.001 * most)
place(score) = score < left ? left : score # 0 lies on the left edge

# The steps, with the foot of the first, a block for each of the table's.
do for [k = 1:blocks] {
	set print $Steps append
	if (k > 1) { print ""; print "" }
	print Games[k] > 0 ? place(First[k]) : NaN, "\t", 0
	unset print
	set table $Steps append separator tab
	plot TABLE index k - 1 every ::1 using (place($1)):2 with table
	unset table
}

do for [b = 1:boards] { Shown[b] = Members[b] }
eval parts_make

COLUMNS = parts > 4 ? 2 : 1
WIDTH = 3.5 * COLUMNS
PLOT = parts > 8 ? 0.75 : 1.0
SIDE = "cumulative share"
eval page(parts)

set yrange [0:1]
set ytics 0.5
set mytics 2
set grid xtics mytics

# A mark at every game while they can be told apart, at five of them otherwise.
apart(games) = games <= 15 ? 1 : games / 5
do for [i = 1:parts] {
	eval margins(i)
	set title part_title(i) offset 0, -0.5
	eval log_axis("x", left, right, i > parts - COLUMNS)
	if (i > parts - COLUMNS) { set xlabel "score (points)" offset 0, XLABEL }
	plot for [k in Part[i]] $Steps index (k - 1) using 1:2 with steps ls Of[k + 0] notitle, \
		for [k in Part[i]] TABLE index (k - 1) \
			every apart(Games[k + 0])::1 + apart(Games[k + 0]) / 2 \
			using (place($1)):2 with points ls Of[k + 0] notitle
}
unset multiplot
