# SPDX-License-Identifier: GPL-3.0-or-later
# Above, the mean score on each board with its 95% interval; below, its ratio to that of one player. Many
# players have a row each, a panel a board, and the ratio stands beside the score.
#     gnuplot -d -c sizes.gp svg|pdf|png|tex OUT sizes.tsv ratios.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "sizes." . TERM
SIZES = ARGC > 2 ? ARG3 : "sizes.tsv"
RATIOS = ARGC > 3 ? ARG4 : "ratios.tsv"
load ARG0[1:strlen(ARG0) - strlen("sizes.gp")] . "style.gp"

positive(y) = y > 0 ? y : NaN

# Boards in the order of their cells, one step apart; players side by side on each.
array Cells[|Block|]
board_see(s, cells) = (_b = board_number(s), Cells[_b] = cells)
rank(b) = 1 + sum [j = 1:boards] (Cells[j] < Cells[b] || (Cells[j] == Cells[b] && j < b))
place(s, k) = rank(board_number(s)) + (boards > 1 ? 0.4 : 0.9) * (k - 0.5 * (labels + 1)) / labels

TABLE = SIZES
eval blocks_need
has = "" # a word for each player on each board
eval range_reset
set table $Null
do for [k = 1:blocks] {
	s = label_number(Block[k])
	plot TABLE index k - 1 every ::1 using (board_see(stringcolumn(1), $2), \
		has = has . sprintf(" %s/%d ", stringcolumn(1), s), \
		see(positive($3)), see(positive($4)), see(positive($5))) with table
}
unset table
if (seen == 0) { least = 10; most = 1000 }
score_least = round_below(least)
score_most = round_above(1.001 * most)

# Of the pairs, those under whose line the label stands that stands there most often.
TABLE = RATIOS
eval blocks_read
pair(a, b) = (_p = 0, \
	sum [_j = 1:blocks] (Block[_j] eq Label[a] . " / " . Label[b] ? (_p = _j) : 0), _p)
pairs(b) = sum [a = 1:labels] (pair(a, b) > 0)
base = 1
do for [s = 2:labels] { if (pairs(s) > pairs(base)) { base = s } }
Over = ""
eval range_reset
set table $Null
do for [s = 1:labels] {
	if (pair(s, base) == 0) { continue }
	Over = Over . sprintf(" %d", s)
	plot TABLE index pair(s, base) - 1 every ::1 using \
		(see(positive($3)), see(positive($4)), see(positive($5))) with table
}
unset table
see_one = see(1)
ratio_least = round_below(0.999 * least)
ratio_most = round_above(1.001 * most)

floor_at(y, least) = y > least ? y : least
over(i) = word(Over, i) + 0

if (labels > MANY) {
	plays(b, s) = strstrt(has, sprintf(" %s/%d ", Board[b], s)) > 0
	row(b, s) = (sum [j = 1:s] plays(b, j))
	on(b, name, x) = name eq Board[b] ? x : NaN
	WIDTH = 7.
	UNDER = 0.3
	BOTTOM = 0.12
	array Ranked[boards]
	do for [b = 1:boards] { Ranked[rank(b)] = b }
	do for [i = 1:boards] { ROWS[i] = row(Ranked[i], labels) }
	eval rows_page(boards)
	# Each board has a player of its own that others are held against.
	meet(b, a, s) = plays(b, a) && plays(b, s) && pair(a, s) > 0
	meets(b, s) = (sum [a = 1:labels] meet(b, a, s))
	middle = Over eq "" ? WIDTH - RIGHT : LEFT + 0.6 * (WIDTH - LEFT)
	set grid xtics noytics
	do for [i = 1:boards] {
		b = Ranked[i]
		eval range_reset
		set table $Null
		do for [s = 1:labels] {
			plot SIZES index s - 1 every ::1 using (see(positive(on(b, stringcolumn(1), $3))), \
				see(positive(on(b, stringcolumn(1), $4))), \
				see(positive(on(b, stringcolumn(1), $5)))) with table
		}
		unset table
		if (seen == 0) { least = 10; most = 1000 }
		left = round_below(least)
		right = round_above(1.001 * most)
		eval rows_margins(i, LEFT, middle - 0.3)
		set title Board[b] . ": mean score (points)" offset 0, -0.5
		eval log_axis("x", left, right, 1)
		set ytics scale 0 noenhanced () tc rgb TEXT
		do for [s = 1:labels] { if (plays(b, s)) { \
			set ytics add (written(row_name(Label[s])) row(b, s)) } }
		plot for [s = 1:labels] SIZES index s - 1 every ::1 using \
				(floor_at($4, left)):(on(b, stringcolumn(1), row(b, s))): \
				($5 - floor_at($4, left)):(0) with vectors nohead ls s dt 1 notitle, \
			for [s = 1:labels] SIZES index s - 1 every ::1 using \
				(positive($3)):(on(b, stringcolumn(1), row(b, s))) with points ls s notitle
		do for [s = 1:labels] { if (meets(b, s) > meets(b, base) || !plays(b, base)) { base = s } }
		if (meets(b, base) == 0) { continue }
		Over = ""
		eval range_reset
		set table $Null
		do for [a = 1:labels] {
			if (!meet(b, a, base)) { continue }
			Over = Over . sprintf(" %d", a)
			plot RATIOS index pair(a, base) - 1 every ::1 using \
				(see(positive(on(b, stringcolumn(1), $3))), see(positive(on(b, stringcolumn(1), $4))), \
				see(positive(on(b, stringcolumn(1), $5)))) with table
		}
		unset table
		see_one = see(1)
		ratio_least = round_below(0.999 * least)
		ratio_most = round_above(1.001 * most)
		eval rows_margins(i, middle + 0.1, WIDTH - RIGHT)
		set title "ratio to " . written(row_name(Label[base])) offset 0, -0.5
		eval log_axis("x", ratio_least, ratio_most, 1)
		unset ytics
		plot "+" using (1):(0):(0):(ROWS[i] + 1) every ::::0 with vectors nohead lc rgb colour(0x444444) lw 0.7 notitle, \
			for [j = 1:words(Over)] RATIOS index pair(over(j), base) - 1 every ::1 using \
				(floor_at($4, ratio_least)):(on(b, stringcolumn(1), row(b, over(j)))): \
				($5 - floor_at($4, ratio_least)):(0) with vectors nohead ls over(j) dt 1 notitle, \
			for [j = 1:words(Over)] RATIOS index pair(over(j), base) - 1 every ::1 using \
				(positive($3)):(on(b, stringcolumn(1), row(b, over(j)))) \
				with points ls over(j) notitle
	}
	unset multiplot
	exit
}

PLOT = 1.5
UNDER = 0.25
BOTTOM = 0
eval page(Over eq "" ? 1 : 2)

set xrange [0.5:boards + 0.5]
set xtics scale 0 ()
do for [b = 1:boards] { set xtics add (Board[b] rank(b)) }

eval margins(1)
set title "mean score (points)" offset 0, -0.5
eval log_axis("y", score_least, score_most, 1)
plot score_least notitle lc rgb colour(0x444444) lw 0.7, \
	for [s = 1:labels] SIZES index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(floor_at($4, score_least)): \
		(0):($5 - floor_at($4, score_least)) with vectors nohead ls s notitle, \
	for [s = 1:labels] SIZES index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(positive($3)) \
		smooth unique with linespoints ls s notitle

if (Over ne "") {
	eval margins(2)
	set title "ratio of mean scores, to " . written(Label[base]) offset 0, -0.5
	eval log_axis("y", ratio_least, ratio_most, 1)
	plot 1 notitle lc rgb colour(0x444444) lw 0.7, \
		for [i = 1:words(Over)] RATIOS index pair(over(i), base) - 1 every ::1 using \
			(place(stringcolumn(1), over(i))):(floor_at($4, ratio_least)): \
			(0):($5 - floor_at($4, ratio_least)) with vectors nohead ls over(i) notitle, \
		for [i = 1:words(Over)] RATIOS index pair(over(i), base) - 1 every ::1 using \
			(place(stringcolumn(1), over(i))):(positive($3)) \
			smooth unique with linespoints ls over(i) notitle
}
unset multiplot
