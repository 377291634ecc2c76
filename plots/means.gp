# SPDX-License-Identifier: GPL-3.0-or-later
# Mean scores with their 95% intervals: one panel per board, one row per player, in the order of the tables.
#     gnuplot -d -c means.gp svg|pdf|png OUT means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "means." . TERM
TABLE = ARGC > 2 ? ARG3 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("means.gp")] . "style.gp"

positive(y) = y > 0 ? y : NaN
floor_at(y, least) = y > least ? y : least

# Boards in the order of their cells; of each a word for each player in Has.
array Cells[|Block|]
array Has[|Block|]
do for [b = 1:|Block|] { Has[b] = "" }
board_see(s, cells, p) = (_b = board_number(s), Cells[_b] = cells, Has[_b] = Has[_b] . sprintf(" %d ", p))
rank(b) = 1 + sum [j = 1:boards] (Cells[j] < Cells[b] || (Cells[j] == Cells[b] && j < b))
eval blocks_need
set table $Null
do for [k = 1:blocks] {
	s = label_number(Block[k])
	plot TABLE index k - 1 every ::1 using (board_see(stringcolumn(1), $2, s)) with table
}
unset table
array Ranked[boards]
do for [b = 1:boards] { Ranked[rank(b)] = b }

# Row r of the board is that of its r-th player.
plays(b, s) = strstrt(Has[b], sprintf(" %d ", s)) > 0
row(b, s) = (sum [j = 1:s] plays(b, j))
on(b, name, x) = name eq Board[b] ? x : NaN
UNDER = 0.3
BOTTOM = 0.14
do for [i = 1:boards] { ROWS[i] = row(Ranked[i], labels) }
eval rows_page(boards)
set grid xtics noytics
# All axes are of one kind: logarithmic if a board needs that.
array Least[boards]
array Most[boards]
logarithmic = 0
do for [b = 1:boards] {
	eval range_reset
	set table $Null
	do for [s = 1:labels] {
		plot TABLE index s - 1 every ::1 using (see(positive(on(b, stringcolumn(1), $3))), \
			see(positive(on(b, stringcolumn(1), $4))), \
			see(positive(on(b, stringcolumn(1), $5)))) with table
	}
	unset table
	Least[b] = seen == 0 ? 10 : least
	Most[b] = seen == 0 ? 1000 : most
	logarithmic = logarithmic || Most[b] > 10 * Least[b]
}
do for [i = 1:boards] {
	b = Ranked[i]
	left = logarithmic ? round_below(Least[b]) : 0
	right = logarithmic ? round_above(1.001 * Most[b]) : 1.05 * Most[b]
	eval rows_margins(i, LEFT, WIDTH - RIGHT)
	set title Board[b] offset 0, -0.5
	unset logscale x
	if (logarithmic) { eval log_axis("x", left, right, 1) } else { \
		set xrange [left:right]; eval tics("x", right) }
	if (i == boards) { set xlabel "mean score (points" . (logarithmic ? ", log axis)" : ")") offset 0, XLABEL }
	do for [s = 1:labels] { if (plays(b, s)) { _s = Label[s]; _r = row(b, s); eval rows_name } }
	plot for [s = 1:labels] TABLE index s - 1 every ::1 using \
			(floor_at($4, left)):(on(b, stringcolumn(1), row(b, s))): \
			($5 - floor_at($4, left)):(0) with vectors nohead ls s dt 1 notitle, \
		for [s = 1:labels] TABLE index s - 1 every ::1 using \
			(logarithmic ? positive($3) : $3):(on(b, stringcolumn(1), row(b, s))) \
			with points ls s notitle
	eval rows_unname
}
unset multiplot
