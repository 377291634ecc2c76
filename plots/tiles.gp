# SPDX-License-Identifier: GPL-3.0-or-later
# The share of games by their largest tile, with Wilson 95% intervals; one panel a board.
#     gnuplot -d -c tiles.gp svg|pdf|png|tex OUT tiles.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "tiles." . TERM
TABLE = ARGC > 2 ? ARG3 : "tiles.tsv"
load ARG0[1:strlen(ARG0) - strlen("tiles.gp")] . "style.gp"

# Players of board b are in the columns 2, 5, ... with their bounds behind them.
eval blocks_need
array Series[|Block| * |Label|]
series(b, p) = (b - 1) * |Label| + p
array Columns[|Block|]
do for [b = 1:blocks] {
	stats TABLE index b - 1 using (0) nooutput
	Columns[b] = STATS_columns
}
set table $Null
do for [b = 1:blocks] {
	do for [p = 1:(Columns[b] - 1) / 3] {
		plot TABLE index b - 1 every ::0::0 using \
			(Series[series(b, p)] = label_number(stringcolumn(3 * p - 1))) with table
	}
}
eval range_reset
top = 0
do for [b = 1:blocks] {
	do for [p = 1:(Columns[b] - 1) / 3] {
		plot TABLE index b - 1 using (column(3 * p - 1) > 0 ? (see($1), \
			top = top < column(3 * p + 1) ? column(3 * p + 1) : top) : 0) with table
	}
}
unset table
if (seen == 0) { least = 2; most = 2048; top = 1 }

WIDTH = labels > 3 ? 7. : WIDTH
PLOT = blocks > 4 ? 0.75 : 1.0
# So many colours are too many to tell apart, above all in grey: bars have numbers, too.
numbered = labels > 7
if (numbered) { do for [s = 1:labels] { Label[s] = sprintf("%d  %s", s, Label[s]) } }
KIND = "boxes"
SIDE = "share of games"
eval page(blocks)

bar = 0.84 / labels
place(tile, s) = log(tile) / log(2) + bar * (s - 0.5 * (labels + 1))
shown(share, y) = share > 0 ? y : NaN
set xrange [log(least) / log(2) - 0.6 : log(most) / log(2) + 0.6]
tiles = log(most) / log(2) - log(least) / log(2) + 1
tiny = between(2.5, 72 * bar * (WIDTH - LEFT - RIGHT) / (tiles + 0.2), 5) # points: as wide as a bar
number(s, share) = share > 0 ? sprintf("%d", s) : "" # gnuplot 5.4 crashes on labels without any place
set yrange [0:ceil(4 * (numbered ? top + 0.1 : top)) / 4.]
set ytics 0.25
set mxtics 2
set grid noxtics mxtics # between the tiles
set boxwidth 0.92 * bar

do for [b = 1:blocks] {
	eval margins(b)
	set title Block[b] offset 0, -0.5
	set xtics 1 scale 0, 0.001 format (b < blocks ? "" : power("2", "%g"))
	if (b == blocks) { set xlabel "largest tile (" . power("2", "11") . " is 2048)" offset 0, 0.5 }
	plot for [p = 1:(Columns[b] - 1) / 3] TABLE index b - 1 using \
			(place($1, Series[series(b, p)])):(shown(column(3 * p - 1), column(3 * p - 1))) \
			with boxes ls Series[series(b, p)] notitle, \
		for [p = 1:(Columns[b] - 1) / 3] TABLE index b - 1 using \
			(place($1, Series[series(b, p)])):(shown(column(3 * p - 1), column(3 * p))):(0): \
			(column(3 * p + 1) - column(3 * p)) \
			with vectors nohead lc rgb "#222222" lw 0.8 notitle, \
		for [p = 1:numbered * (Columns[b] - 1) / 3] TABLE index b - 1 every ::1 using \
			(place($1, Series[series(b, p)])):(column(3 * p - 1) > 0 ? column(3 * p + 1) : 0): \
			(number(Series[series(b, p)], column(3 * p - 1))) \
			with labels font small_font(tiny) tc rgb "#222222" offset 0, 0.3 notitle
}
unset multiplot
