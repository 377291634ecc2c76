# SPDX-License-Identifier: GPL-3.0-or-later
# Learners over their training: beside each other the mean score, the best score and the share of
# games that reached a tile, means and shares with the band of their 95% intervals; one row a board.
# Training is counted as in curve.gp.
#     gnuplot -d -c learning.gp svg|pdf|png OUT curve.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "learning." . TERM
TABLE = ARGC > 2 ? ARG3 : "curve.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("learning.gp")] . "style.gp"

eval blocks_need
eval players_need
eval blocks_group
eval learners_see

do for [b = 1:boards] { Shown[b] = Members[b] }
eval parts_make

COLUMNS = 3
WIDTH = 7.
LEFT = 0.45
PLOT = 1.2
UNDER = 0.26
BOTTOM = 0.15
eval page(3 * parts)

# What a panel shows: column, those of its interval (its own where it has none), heading.
array Value[3] = [3, 7, 13]
array Low[3] = [4, 7, 14]
array High[3] = [5, 7, 15]
array Heading[3] = ["mean score (points)", "best score (points)", ""]

set style fill transparent solid 0.25 noborder
do for [i = 1:parts] {
	b = Whose[i]
	goal = 0
	do for [panel = 1:3] {
		eval range_reset
		last = 0
		most_value = 0
		set table $Null
		do for [k in Members[b]] {
			plot TABLE index (k - 1) every ::1 using (goal = $12, \
				value = column(Value[panel]), \
				most_value = value > most_value ? value : most_value, \
				see(column(Value[panel])), see(column(High[panel])), \
				last = column(TIME) > last ? column(TIME) : last) with table
		}
		unset table
		if (seen == 0 || most <= 0) { most = 1 }
		if (last <= 0) { last = 1 }
		top = panel < 3 ? 1.05 * most : most > 0.5 ? 1 : round_above(most_value > 0 ? most : 1.5 * most)
		Heading[3] = "share reaching " . sprintf("%d", goal)
		set xrange [0:last]
		set yrange [0:top]
		eval tics("x", last)
		eval tics("y", top)

		eval margins(3 * (i - 1) + panel)
		set title part_title(i) . ": " . Heading[panel] offset 0, -0.5
		unset label 2
		if (most_value == 0) { set label 2 "in no game" at graph 0.5, 0.9 center tc rgb 0x444444 }
		if (under(3 * (i - 1) + panel)) { set xlabel TIME_LABEL offset 0, XLABEL }
		plot for [k in Part[i]] TABLE index (k - 1) every ::1 \
				using TIME:Low[panel]:High[panel] \
				with filledcurves ls Of[k + 0] notitle, \
			for [k in Part[i]] TABLE index (k - 1) every ::1 using TIME:Value[panel] \
				with lines ls Of[k + 0] notitle, \
			for [k in Part[i]] TABLE index (k - 1) every mark_step(k + 0)::mark_first(k + 0) \
				using TIME:Value[panel] with points ls Of[k + 0] notitle
	}
}
unset multiplot
