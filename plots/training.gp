# SPDX-License-Identifier: GPL-3.0-or-later
# One learner over its training games, out of the table of `nxn train --curve`: above, the mean and
# the best score of each block, below, the share of its games that reached a tile, for the largest
# six that were reached; and of a learner that tells the chances of its moves, the sum of the tiles in
# the end and the distance to certainty. Bands are 95% intervals. A last block that did not end is in the table
# alone, for the best of fewer games is lower.
#     gnuplot -d -c training.gp svg|pdf|png OUT training.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "training." . TERM
TABLE = ARGC > 2 ? ARG3 : "training.tsv"
load ARG0[1:strlen(ARG0) - strlen("training.gp")] . "style.gp"

FIRST = 9 # column of the share that reached the first tile; there are four a tile
SHOWN = 6 # tiles
LATE = 6  # columns behind those, in newer tables: sum and doubt with their bounds

# The first tile is in its column's name; tiles double from there.
first_tile = 0
rows = 0
tile_note(s) = s[1:6] eq "reach_" && strstrt(s[7:*], "_") == 0 ? (first_tile = s[7:*] + 0) : 0
set table $Null
plot TABLE every ::0::0 using (tile_note(stringcolumn(FIRST))) with table
if (first_tile == 0) { exit error TABLE . ": not a learning curve of nxn train" }
plot TABLE using (rows = rows + 1) with table
if (rows == 1) { exit error TABLE . ": no block of training games has ended" }
whole = 0
END = rows - 1
plot TABLE every ::1 using (whole = $2 > whole ? $2 : whole) with table
plot TABLE every ::END::END using (END = $2 < whole ? END - 1 : END) with table
unset table
stats TABLE every ::1 using 1 nooutput
has_late = (STATS_columns - FIRST + 1) % 4 != 0
tiles = (STATS_columns - FIRST + 1 - (has_late ? LATE : 0)) / 4
SUM = FIRST + 4 * tiles
DOUBT = SUM + 3
set table $Null
eval range_reset
if (has_late) { plot TABLE every ::1::END using (see(column(DOUBT))) with table }
tells = seen > 0
eval range_reset
last = 0
plot TABLE every ::1::END using (see($5), see($7), see($8), last = $1 > last ? $1 : last) with table
top_tile = 0
do for [t = 0:tiles - 1] {
	plot TABLE every ::1::END using (column(FIRST + 4 * t) > 0 ? (top_tile = t) : 0) with table
}
unset table
if (seen == 0 || most <= 0) { most = 1 }
if (last <= 0) { last = 1 }
low_tile = top_tile - SHOWN + 1 > 0 ? top_tile - SHOWN + 1 : 0

mean = label_number("mean")
best = label_number("best")
tile_text(t) = sprintf("%.0f reached", first_tile * 2. ** t)
tile_line(t) = label_number(tile_text(t))
do for [t = low_tile:top_tile] { line = tile_line(t) }

LEFT = 0.6
PLOT = 1.3
UNDER = 0.26
BOTTOM = 0.15
COLUMNS = tells ? 2 : 1
WIDTH = 3.5 * COLUMNS
eval page(tells ? 4 : 2)
set style fill transparent solid 0.25 noborder
set xrange [0:last]
eval tics("x", last)
set style data lines

eval margins(1)
set title "score (points)" offset 0, -0.5
set yrange [0:1.05 * most]
eval tics("y", 1.05 * most)
plot TABLE every ::1::END using 1:6:7 with filledcurves ls mean notitle, \
	TABLE every ::1::END using 1:5 with linespoints ls mean notitle, \
	TABLE every ::1::END using 1:8 with linespoints ls best notitle

eval margins(2)
set title "share of the games of a block" offset 0, -0.5
set_xlabel = 'set xlabel "training games" offset 0, XLABEL'
if (under(2)) { eval set_xlabel }
set yrange [0:1]
eval tics("y", 1)
at(t) = FIRST + 4 * t
plot for [t = low_tile:top_tile] TABLE every ::1::END using 1:at(t) + 1:at(t) + 2 \
		with filledcurves ls tile_line(t) notitle, \
	for [t = low_tile:top_tile] TABLE every ::1::END using 1:at(t) \
		with linespoints ls tile_line(t) notitle
if (tells) {
	do for [panel = 3:4] {
		value = panel == 3 ? SUM : DOUBT
		set table $Null
		eval range_reset
		plot TABLE every ::1::END using (see(column(value)), see(column(value + 2))) with table
		unset table
		eval margins(panel)
		if (under(panel)) { eval set_xlabel }
		set title panel == 3 ? "sum of the tiles in the end" : "distance to certainty" \
			offset 0, -0.5
		top = panel == 3 ? 1.05 * most : 1.5
		set yrange [0:top]
		eval tics("y", top)
		plot TABLE every ::1::END using 1:value + 1:value + 2 with filledcurves ls mean notitle, \
			TABLE every ::1::END using 1:value with linespoints ls mean notitle
	}
}
unset multiplot
