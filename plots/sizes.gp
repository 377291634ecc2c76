# SPDX-License-Identifier: GPL-3.0-or-later
# Above, the mean score on each board with its 95% interval; below, its ratio to that of one player.
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
eval range_reset
set table $Null
do for [k = 1:blocks] {
	plot TABLE index k - 1 every ::1 using (board_see(stringcolumn(1), $2), \
		see(positive($3)), see(positive($4)), see(positive($5))) with table
	s = label_number(Block[k])
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

PLOT = 1.5
UNDER = 0.25
BOTTOM = 0
eval page(Over eq "" ? 1 : 2)

set xrange [0.5:boards + 0.5]
set xtics scale 0 ()
do for [b = 1:boards] { set xtics add (Board[b] rank(b)) }

eval margins(1)
set title "mean score (points)" offset 0, -0.5
set yrange [score_least:score_most]
eval log_tics("y", score_least, score_most, 1)
floor_at(y, least) = y > least ? y : least
plot score_least notitle lc rgb "#444444" lw 0.7, \
	for [s = 1:labels] SIZES index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(floor_at($4, score_least)): \
		(0):($5 - floor_at($4, score_least)) with vectors nohead ls s notitle, \
	for [s = 1:labels] SIZES index s - 1 every ::1 using \
		(place(stringcolumn(1), s)):(positive($3)) \
		smooth unique with linespoints ls s notitle

if (Over ne "") {
	eval margins(2)
	set title "ratio of mean scores, to " . written(Label[base]) offset 0, -0.5
	wide = most > 64 * least # tics at powers of 10, else of 2
	set ytics autofreq
	set logscale y wide ? 10 : 2
	set format y "%g"
	ratio_least = wide ? 10 ** floor(log10(least)) : 2 ** floor(log(least) / log(2) - 0.1)
	ratio_most = wide ? 10 ** ceil(log10(most)) : 2 ** ceil(log(most) / log(2) + 0.1)
	set yrange [ratio_least:ratio_most]
	over(i) = word(Over, i) + 0
	plot 1 notitle lc rgb "#444444" lw 0.7, \
		for [i = 1:words(Over)] RATIOS index pair(over(i), base) - 1 every ::1 using \
			(place(stringcolumn(1), over(i))):(floor_at($4, ratio_least)): \
			(0):($5 - floor_at($4, ratio_least)) with vectors nohead ls over(i) notitle, \
		for [i = 1:words(Over)] RATIOS index pair(over(i), base) - 1 every ::1 using \
			(place(stringcolumn(1), over(i))):(positive($3)) \
			smooth unique with linespoints ls over(i) notitle
}
unset multiplot
