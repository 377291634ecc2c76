# SPDX-License-Identifier: GPL-3.0-or-later
# The share of games by their largest tile, with Wilson 95% intervals; one panel a board. Many players have
# a row each.
#     gnuplot -d -c tiles.gp svg|pdf|png OUT tiles.tsv
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

xlabel = "largest tile"
log2(x) = log(x) / log(2)
# A tic for each tile, with its number if NAMED, as far as these have room.
named_step = '_room = (WIDTH - LEFT - RIGHT) / (log2(most / least) + 1); ' . \
	'NAMED_STEP = ceil((most > 8192 ? 0.052 : 0.062) * (strlen(sprintf("%.0f", most)) + 0.5) / _room)'
tile_font = most > 8192 ? small_font(6) : small_font(8)
tile_tics(named) = sprintf("set xtics () scale 0, 0.001 font '%s'; do for [_e = %d:%d] { " . \
	"set xtics add (%s _e) }", tile_font, log2(least) + 0.5, log2(most) + 0.5, \
	named ? "(_e % NAMED_STEP ? '' : sprintf('%.0f', 2. ** _e))" : "''")
if (labels > MANY) {
	# Bars in rows: in each column of a tile the whole width is all games.
	WIDTH = 7.
	UNDER = 0.1
	do for [b = 1:blocks] { ROWS[b] = (Columns[b] - 1) / 3 }
	eval rows_page(blocks)
	eval named_step
	set xrange [log2(least) - 0.5:log2(most) + 0.5]
	set grid noxtics noytics
	wide_label = WIDTH > 5 ? xlabel . "; a column is as wide as all games" : "tile; full width: 100%"
	at(tile, share) = log2(tile) - 0.46 + 0.92 * share
	wide(share, x) = share > 0 ? x : NaN
	do for [b = 1:blocks] {
		eval rows_margins(b, LEFT, WIDTH - RIGHT)
		set title Block[b] offset 0, -0.5
		eval tile_tics(b == blocks)
		if (b == blocks) { set xlabel wide_label offset 0, XLABEL }
		do for [p = 1:ROWS[b]] { _s = Label[Series[series(b, p)]]; _r = p; eval rows_name }
		plot for [p = 1:ROWS[b]] TABLE index b - 1 every ::1 using \
				(at($1, 0)):(wide(column(3 * p - 1), p)):(at($1, 0)): \
				(at($1, column(3 * p - 1))):(p - 0.36):(p + 0.36) \
				with boxxyerror ls Series[series(b, p)] dt 1 notitle, \
			for [p = 1:ROWS[b]] TABLE index b - 1 every ::1 using \
				(at($1, column(3 * p))):(wide(column(3 * p - 1), p)): \
				(at($1, column(3 * p + 1)) - at($1, column(3 * p))):(0) \
				with vectors nohead lc rgb 0x222222 lw 0.8 notitle
		eval rows_unname
	}
	unset multiplot
	exit
}

WIDTH = labels > 3 || log2(most / least) > 7 ? 7. : WIDTH
PLOT = blocks > 4 ? 0.75 : 1.0
KIND = "boxes fs solid fill(key_label(i)) border"
SIDE = "share of games"
eval page(blocks)
eval named_step

bar = 0.84 / labels
place(tile, s) = log2(tile) + bar * (s - 0.5 * (labels + 1))
shown(share, y) = share > 0 ? y : NaN
set xrange [log2(least) - 0.6:log2(most) + 0.6]
set yrange [0:ceil(4 * top) / 4.]
set ytics 0.25
set grid noxtics
set boxwidth 0.92 * bar

do for [b = 1:blocks] {
	eval margins(b)
	set title Block[b] offset 0, -0.5
	eval tile_tics(b == blocks)
	if (b == blocks) { set xlabel xlabel offset 0, XLABEL }
	plot for [p = 1:(Columns[b] - 1) / 3] TABLE index b - 1 using \
			(place($1, Series[series(b, p)])):(shown(column(3 * p - 1), column(3 * p - 1))) \
			with boxes fs solid fill(Series[series(b, p)]) border ls Series[series(b, p)] notitle, \
		for [p = 1:(Columns[b] - 1) / 3] TABLE index b - 1 using \
			(place($1, Series[series(b, p)])):(shown(column(3 * p - 1), column(3 * p))):(0): \
			(column(3 * p + 1) - column(3 * p)) \
			with vectors nohead lc rgb 0x222222 lw 0.8 notitle
}
unset multiplot
