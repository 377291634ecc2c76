# SPDX-License-Identifier: GPL-3.0-or-later
# Players against the size of the board, with their 95% intervals; the axes are logarithmic. Of means.tsv mean
# scores; of leads.tsv, beside which this is called leads.gp, the ratio of each player's to that of one of them, whose
# line is at 1.
#     gnuplot -d -c sizes.gp svg|pdf|png OUT means.tsv|leads.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
NAME = ARG0[strlen(ARG0) - strlen("leads.gp") + 1:*] eq "leads.gp" ? "leads" : "sizes"
OUT = ARGC > 1 ? ARG2 : NAME . "." . TERM
TABLE = ARGC > 2 ? ARG3 : NAME eq "leads" ? "leads.tsv" : "means.tsv"
PLAYERS = ARGC > 3 ? ARG4 : ARGC > 2 ? TABLE : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("sizes.gp")] . "style.gp"
eval players_need
eval blocks_need
positive(y) = y > 0 ? y : NaN
floor_at(y, least) = y > least ? y : least

# Boards in the order of their cells; of several with as many the names follow each other.
array Cells[|Block|]
array Names[|Block|]
array Of[|Block|]
least_cells = 1e300
most_cells = 0
board_see(s, cells) = (_b = board_number(s), Cells[_b] = cells, \
	least_cells = cells < least_cells ? cells : least_cells, most_cells = cells > most_cells ? cells : most_cells)
Sixth = ""
Against = ""
eval range_reset
set table $Null
plot TABLE index 0 every ::0::0 using (Sixth = stringcolumn(6), 0) with table
LEADS = Sixth eq "slope"
do for [k = 1:blocks] {
	Of[k] = label_number(Block[k])
	IN_KEY = IN_KEY . sprintf(" %d", Of[k])
	plot TABLE index k - 1 every ::1 using (board_see(stringcolumn(1), $2), see(positive($3)), \
		see(positive($4)), see(positive($5)), Against = (LEADS ? stringcolumn(9) : "")) with table
}
unset table
see_one = LEADS ? see(1) : 0
if (seen == 0) { least = 10; most = 1000 }
y_least = round_below(0.999 * least)
y_most = round_above(1.001 * most)

# Players side by side; a name of a board for each number of cells, on the upper or the lower line where they
# are close to each other.
# Boards that all have as many cells stand in the middle of an axis.
if (most_cells == least_cells) { least_cells = least_cells / 1.5; most_cells = most_cells * 1.5 }
spread = log(most_cells / least_cells) / 60
beside(x, k) = x * exp(spread * (k - 0.5 * (blocks + 1)) / blocks)
twin(b) = (sum [j = 1:b - 1] (Cells[j] == Cells[b])) > 0
name_of(b) = (_name = "", sum [j = 1:boards] (Cells[j] == Cells[b] ? \
	(_name = _name . (_name eq "" ? "" : ", ") . Board[j], 1) : 0), _name)
WIDTH = boards > 5 ? 7. : WIDTH
PLOT = 2.2
UNDER = 0.4
BOTTOM = 0.1
eval ends_plan
eval page(1)
eval margins(1)
set title LEADS ? "ratio to " . cut(Against, WIDTH > 5 ? 60 : 36) : "mean score (points)" offset 0, -0.5
set xlabel "board, by its number of cells" offset 0, XLABEL
eval log_axis("y", y_least, y_most, 1)
set logscale x
set xrange [least_cells * exp(-2 * spread):most_cells * exp(2 * spread)]
set xtics scale 0 ()
room = log(most_cells / least_cells) * 0.07 / (WIDTH - LEFT - RIGHT)
last_end = 0
do for [c = 1:36] {
	do for [b = 1:boards] {
		if (Cells[b] == c && !twin(b)) {
			_half = 0.5 * room * (strlen(name_of(b)) + 1)
			_shown = log(c) - _half > last_end || last_end == 0
			set xtics add ((_shown ? name_of(b) : "") c)
			last_end = _shown ? log(c) + _half : last_end
		}
	}
}
if (DIRECT) {
	do for [k = 1:blocks] {
		set table $Null
		plot TABLE index k - 1 every ::1 using (_y = $3, 0) with table
		unset table
		_e = end_see(Of[k], log(_y / y_least) / log(y_most / y_least))
	}
	eval ends_draw
}
plot (LEADS ? 1 : y_least) notitle lc rgb 0x444444 lw 0.7, \
	for [k = 1:blocks] TABLE index k - 1 every ::1 using (beside($2, k)):(floor_at($4, y_least)): \
		(0):($5 - floor_at($4, y_least)) with vectors nohead ls Of[k] dt 1 notitle, \
	for [k = 1:blocks] TABLE index k - 1 every ::1 using (beside($2, k)):(positive($3)) \
		smooth unique with linespoints ls Of[k] notitle
unset multiplot
