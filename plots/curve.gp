# SPDX-License-Identifier: GPL-3.0-or-later
# The mean score of learners over their training, with the band of its 95% interval; one panel a
# board. Training is counted in games, or in seconds where that is what learners have in common.
# Curves of nxn train have a table of their own, which knows no other players; this is called curves.gp beside it.
#     gnuplot -d -c curve.gp svg|pdf|png OUT curve.tsv means.tsv
#     gnuplot -d -c curve.gp svg|pdf|png OUT curves.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
NAME = ARG0[strlen(ARG0) - strlen("curves.gp") + 1:*] eq "curves.gp" ? "curves" : "curve"
OUT = ARGC > 1 ? ARG2 : NAME . "." . TERM
TABLE = ARGC > 2 ? ARG3 : NAME . ".tsv"
PLAYERS = ARGC > 3 ? ARG4 : ARGC > 2 || NAME eq "curves" ? "" : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("curve.gp")] . "style.gp"

eval blocks_need
if (PLAYERS ne "") { eval players_need }
eval blocks_group
set table $Null
plot TABLE index 0 every ::0::0 using (stringcolumn(7) eq "seconds" ? (SECONDS = 7) : 0) with table
unset table
eval learners_see

do for [b = 1:boards] { Shown[b] = Members[b] }
eval parts_make

COLUMNS = parts > 3 ? 2 : 1
WIDTH = 3.5 * COLUMNS
LEFT = 0.6
PLOT = 1.1
UNDER = 0.26
BOTTOM = 0.15
SIDE = "mean score (points)"
eval ends_plan
eval page(parts)

set style fill transparent solid 0.25 noborder
do for [i = 1:parts] {
	b = Whose[i]
	eval range_reset
	last = 0
	set table $Null
	do for [k in Members[b]] {
		plot TABLE index (k - 1) every ::1 using \
			(see($3), see($5), last = column(TIME) > last ? column(TIME) : last) with table
	}
	unset table
	if (seen == 0 || most <= 0) { most = 1 }
	if (last <= 0) { last = 1 }
	set xrange [0:last]
	set yrange [0:1.05 * most]
	eval tics("x", last)
	eval tics("y", 1.05 * most)

	eval ends_reset
	set table $Null
	do for [k in Part[i]] {
		final = NaN
		plot TABLE index (k - 1) every ::1 using (final = $3 == $3 ? $3 : final) with table
		_y = end_see(Of[k + 0], final / (1.05 * most))
	}
	unset table
	eval ends_draw

	eval margins(i)
	set title part_title(i) offset 0, -0.5
	if (i > parts - COLUMNS) { set xlabel TIME_LABEL offset 0, XLABEL }
	plot for [k in Part[i]] TABLE index (k - 1) every ::1 using TIME:4:5 \
			with filledcurves ls Of[k + 0] notitle, \
		for [k in Part[i]] TABLE index (k - 1) every ::1 using TIME:3 \
			with lines ls Of[k + 0] notitle, \
		for [k in Part[i]] TABLE index (k - 1) every mark_step(k + 0)::mark_first(k + 0) \
			using TIME:3 with points ls Of[k + 0] notitle
}
unset multiplot
