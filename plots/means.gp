# SPDX-License-Identifier: GPL-3.0-or-later
# Mean scores with their 95% intervals: one panel per board, one row per player, in the order of the tables. Of
# more than six boards: above, mean scores against the size of the board; below, their ratio to the mean of one of
# the players.
#     gnuplot -d -c means.gp svg|pdf|png OUT means.tsv leads.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "means." . TERM
TABLE = ARGC > 2 ? ARG3 : "means.tsv"
LEADS = ARGC > 3 ? ARG4 : "leads.tsv"
load ARG0[1:strlen(ARG0) - strlen("means.gp")] . "style.gp"
MEANS = TABLE

positive(y) = y > 0 ? y : NaN
floor_at(y, least) = y > least ? y : least

# Boards in the order of their cells. Of each the best mean, and a word for each player in Has.
array Cells[|Block|]
array Best[|Block|]
array Has[|Block|]
do for [b = 1:|Block|] { Best[b] = -1; Has[b] = "" }
board_see(s, cells, mean, p) = (_b = board_number(s), Cells[_b] = cells, \
	Has[_b] = Has[_b] . sprintf(" %d ", p), Best[_b] = mean > Best[_b] ? mean : Best[_b])
rank(b) = 1 + sum [j = 1:boards] (Cells[j] < Cells[b] || (Cells[j] == Cells[b] && j < b))
eval blocks_need
eval range_reset
set table $Null
do for [k = 1:blocks] {
	s = label_number(Block[k])
	plot MEANS index k - 1 every ::1 using (board_see(stringcolumn(1), $2, $3, s), \
		see(positive($3)), see(positive($4)), see(positive($5))) with table
}
unset table
if (seen == 0) { least = 10; most = 1000 }
array Ranked[boards]
do for [b = 1:boards] { Ranked[rank(b)] = b }

if (boards <= 6) {
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
			plot MEANS index s - 1 every ::1 using (see(positive(on(b, stringcolumn(1), $3))), \
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
		plot for [s = 1:labels] MEANS index s - 1 every ::1 using \
				(floor_at($4, left)):(on(b, stringcolumn(1), row(b, s))): \
				($5 - floor_at($4, left)):(0) with vectors nohead ls s dt 1 notitle, \
			for [s = 1:labels] MEANS index s - 1 every ::1 using \
				(logarithmic ? positive($3) : $3):(on(b, stringcolumn(1), row(b, s))) \
				with points ls s notitle
		eval rows_unname
	}
	unset multiplot
	exit
}

score_least = round_below(least)
score_most = round_above(1.001 * most)

TABLE = LEADS
eval blocks_read
Against = ""
eval range_reset
set table $Null
do for [k = 1:blocks] {
	Of[k] = label_number(Block[k])
	plot LEADS index k - 1 every ::1 using (see(positive($3)), see(positive($4)), see(positive($5)), \
		Against = stringcolumn(9)) with table
}
unset table
see_one = see(1)
ratio_least = round_below(0.999 * least)
ratio_most = round_above(1.001 * most)

# Players side by side on each board.
place(s, k) = rank(board_number(s)) + 0.4 * (k - 0.5 * (labels + 1)) / labels

PLOT = 1.5
UNDER = 0.25
BOTTOM = 0.15
eval page(blocks > 0 ? 2 : 1)

set xrange [0.5:boards + 0.5]
board_font = small_font(boards > 2.5 * WIDTH ? 6. : 8.)
set xtics scale 0 ()
set xtics font board_font
do for [b = 1:boards] { set xtics add (Board[b] rank(b)) }

eval margins(1)
set title "mean score (points), log axis" offset 0, -0.5
if (panels == 1) { set xlabel "board" offset 0, XLABEL }
eval log_axis("y", score_least, score_most, 1)
plot score_least notitle lc rgb 0x444444 lw 0.7, \
	for [s = 1:labels] MEANS index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(floor_at($4, score_least)): \
		(0):($5 - floor_at($4, score_least)) with vectors nohead ls s notitle, \
	for [s = 1:labels] MEANS index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(positive($3)) \
		smooth unique with linespoints ls s notitle

if (blocks > 0) {
	eval margins(2)
	set xlabel "board" offset 0, XLABEL
	set title "ratio to " . cut(Against, WIDTH > 5 ? 50 : 26) . ", log axis" offset 0, -0.5
	eval log_axis("y", ratio_least, ratio_most, 1)
	plot 1 notitle lc rgb 0x444444 lw 0.7, \
		for [k = 1:blocks] LEADS index k - 1 every ::1 using \
			(place(stringcolumn(1), Of[k])):(floor_at($4, ratio_least)): \
			(0):($5 - floor_at($4, ratio_least)) with vectors nohead ls Of[k] notitle, \
		for [k = 1:blocks] LEADS index k - 1 every ::1 using \
			(place(stringcolumn(1), Of[k])):(positive($3)) \
			smooth unique with linespoints ls Of[k] notitle
}
unset multiplot
