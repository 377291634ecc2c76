# SPDX-License-Identifier: GPL-3.0-or-later
# Learners that tell the chances of their moves, over their training: beside each other the mean sum of
# the tiles in the end of a game, and the mean distance to certainty, 0 for sure moves and 1.5 for four
# equal chances, with the band of their 95% intervals; one row a board. Training is counted as in
# curve.gp. After Dedieu and Amar, Deep Reinforcement Learning for 2048, figures 3, 4 and 5.
#     gnuplot -d -c certainty.gp svg|pdf|png OUT curve.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "certainty." . TERM
TABLE = ARGC > 2 ? ARG3 : "curve.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("certainty.gp")] . "style.gp"

eval blocks_need
eval players_need
eval blocks_group
eval learners_see

# What a panel shows: column, those of its interval, heading, the least top of its axis.
array Value[2] = [16, 19]
array Low[2] = [17, 20]
array High[2] = [18, 21]
array Heading[2] = ["sum of the tiles in the end", "distance to certainty"]
array Top[2] = [0, 1.5]

# Who tells chances: others are in no key here.
IN_KEY = ""
set table $Null
do for [b = 1:boards] {
	Shown[b] = ""
	do for [k in Members[b]] {
		eval range_reset
		plot TABLE index (k - 1) every ::1 using (see(column(Value[2]))) with table
		if (seen > 0) {
			Shown[b] = Shown[b] . " " . k
			if ((sum [i = 1:words(IN_KEY)] (key_label(i) == Of[k + 0])) == 0) {
				IN_KEY = IN_KEY . sprintf(" %d", Of[k + 0])
			}
		}
	}
}
unset table
eval parts_make
if (parts == 0) { exit error TABLE . ": no learner tells the chances of its moves" }

COLUMNS = 2
WIDTH = 7.
LEFT = 0.5
PLOT = 1.4
UNDER = 0.26
BOTTOM = 0.15
eval page(2 * parts)

set style fill transparent solid 0.25 noborder
do for [i = 1:parts] {
	b = Whose[i]
	do for [panel = 1:2] {
		eval range_reset
		last = 0
		set table $Null
		do for [k in Shown[b]] {
			plot TABLE index (k - 1) every ::1 using (see(column(Value[panel])), \
				see(column(High[panel])), \
				last = column(TIME) > last ? column(TIME) : last) with table
		}
		unset table
		if (last <= 0) { last = 1 }
		top = Top[panel] > 0 ? Top[panel] : 1.05 * most
		set xrange [0:last]
		set yrange [0:top]
		eval tics("x", last)
		eval tics("y", top)

		eval margins(2 * (i - 1) + panel)
		set title part_title(i) . ": " . Heading[panel] offset 0, -0.5
		if (under(2 * (i - 1) + panel)) { set xlabel TIME_LABEL offset 0, XLABEL }
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
