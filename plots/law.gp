# SPDX-License-Identifier: GPL-3.0-or-later
# Above, mean scores against the number of cells with their 95% intervals, and the law that is fitted to each
# player: the form that predicts boards best that it was not fitted to, which the key names. Below, how many times the law
# each board's score is.
#     gnuplot -d -c law.gp svg|pdf|png OUT law.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "law." . TERM
TABLE = ARGC > 2 ? ARG3 : "law.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("law.gp")] . "style.gp"
LAW = TABLE
eval blocks_need
eval players_need

# Players with a law, its form, and the boards in the order of their cells.
array Of[|Block|]
array Cells[|Block|]
array Text[|Label|]
board_see(s, cells) = (_b = board_number(s), Cells[_b] = cells)
rank(b) = 1 + sum [j = 1:boards] (Cells[j] < Cells[b] || (Cells[j] == Cells[b] && j < b))
place(s) = rank(board_number(s))
form_see(s, form) = (Text[s] = ": " . form, 0)
eval range_reset
set table $Null
do for [k = 1:blocks] {
	Of[k] = label_number(Block[k])
	s = Of[k]
	plot LAW index k - 1 every ::1 using (board_see(stringcolumn(1), $2), \
		form_see(s, stringcolumn(8)), see($3), see($4), see($5), see($6)) with table
	IN_KEY = IN_KEY . sprintf(" %d", s)
}
unset table
score_least = round_below(least)
score_most = round_above(1.001 * most)
eval range_reset
set table $Null
do for [k = 1:blocks] { plot LAW index k - 1 every ::1 using (see(2 ** $7), see($4 / $6), see($5 / $6)) with table }
unset table
see_one = see(1)
off_least = round_below(0.999 * least)
off_most = round_above(1.001 * most)
least_cells = 1e300
most_cells = 0
do for [b = 1:boards] {
	least_cells = Cells[b] < least_cells ? Cells[b] : least_cells
	most_cells = Cells[b] > most_cells ? Cells[b] : most_cells
}
# A label that is too long for the key is cut, and its exponent is not.
key_room(s) = FIT > 0 ? between(9, floor((FIT - 0.7) / 0.07) - strlen(Text[s]), 1000) : 1000
do for [k = 1:blocks] { Text[Of[k]] = cut(Label[Of[k]], key_room(Of[k])) . Text[Of[k]] }
do for [k = 1:blocks] { Label[Of[k]] = Text[Of[k]] }

WIDTH = 7.
PLOT = 2.2
UNDER = 0.4
BOTTOM = 0.1
eval page(2)

eval margins(1)
set title "mean score (points)" offset 0, -0.5
set xlabel "cells" offset 0, XLABEL
eval log_axis("y", score_least, score_most, 1)
set logscale x
set xrange [0.95 * least_cells:1.05 * most_cells]
set xtics scale 0.5 ()
crowded(b) = (sum [j = 1:boards] (Cells[j] > Cells[b] && Cells[j] < (1 + 0.42 / WIDTH) * Cells[b])) > 0
do for [b = 1:boards] { set xtics add ((crowded(b) ? "" : sprintf("%d", Cells[b])) Cells[b]) }
plot for [k = 1:blocks] LAW index k - 1 every ::1 using 2:6 smooth unique with lines ls Of[k] lw 0.8 notitle, \
	for [k = 1:blocks] LAW index k - 1 every ::1 using 2:4:(0):($5 - $4) with vectors nohead ls Of[k] dt 1 notitle, \
	for [k = 1:blocks] LAW index k - 1 every ::1 using 2:3 with points ls Of[k] notitle

eval margins(2)
set title "mean score over the law" offset 0, -0.5
set xlabel "board" offset 0, XLABEL
unset logscale x
eval log_axis("y", off_least, off_most, 1)
set xrange [0.5:boards + 0.5]
board_font = small_font(boards > 2.5 * WIDTH ? 6. : 8.)
set xtics scale 0 ()
set xtics font board_font
do for [b = 1:boards] { set xtics add (Board[b] rank(b)) }
beside(s, k) = place(s) + 0.6 * (k - 0.5 * (blocks + 1)) / blocks
plot 1 notitle lc rgb 0x444444 lw 0.7, \
	for [k = 1:blocks] LAW index k - 1 every ::1 using (beside(stringcolumn(1), k)):($4 / $6):(0):(($5 - $4) / $6) \
		with vectors nohead ls Of[k] dt 1 notitle, \
	for [k = 1:blocks] LAW index k - 1 every ::1 using (beside(stringcolumn(1), k)):(2 ** $7) \
		with points ls Of[k] notitle
unset multiplot
