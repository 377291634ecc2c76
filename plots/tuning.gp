# SPDX-License-Identifier: GPL-3.0-or-later
# A search for better numbers by the cross-entropy method, out of the table of `nxn tune`: over its
# generations the score of the best candidate, of the elite (what the next generation is fitted to) and
# of all, and the mean of the games held out with its 95% interval; below, for each parameter, the mean
# that candidates are drawn around, with a band of one standard deviation.
#     gnuplot -d -c tuning.gp svg|pdf|png OUT tuning.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "tuning." . TERM
TABLE = ARGC > 2 ? ARG3 : "tuning.tsv"
load ARG0[1:strlen(ARG0) - strlen("tuning.gp")] . "style.gp"

FIRST = 11 # column of the first parameter; its standard deviation is behind it
stats TABLE every ::1 using 1 nooutput
parameters = (STATS_columns - FIRST + 1) / 2
array Name[64]
set table $Null
do for [p = 1:parameters] {
	plot TABLE every ::0::0 using (Name[p] = stringcolumn(FIRST + 2 * p - 2), 0) with table
}
rows = 0
last = 0
eval range_reset
plot TABLE every ::1 using (rows = rows + 1, last = $1 > last ? $1 : last, \
	see($2), see($3), see($4), see($5), see($6), see($7)) with table
unset table
if (rows == 0) { exit error TABLE . ": no generation has ended" }
if (seen == 0) { least = 0; most = 1 }
if (last <= 0) { last = 1 }

best = label_number("best candidate")
elite = label_number("elite")
all = label_number("all candidates")
held = label_number("held-out games")

COLUMNS = 2
WIDTH = 7.
LEFT = 0.6
PLOT = parameters > 4 ? 0.8 : 1.1
UNDER = 0.26
BOTTOM = 0.15
eval page(1 + parameters)
set style fill transparent solid 0.25 noborder
set xrange [-0.5:last + 0.5]
eval tics("x", last < 5 ? 5 : last) # generations are whole

eval margins(1)
set title "score of a generation (points)" offset 0, -0.5
if (under(1)) { set xlabel "generation" offset 0, XLABEL }
set yrange [0:1.05 * most]
eval tics("y", 1.05 * most)
plot TABLE every ::1 using 1:2 with linespoints ls best notitle, \
	TABLE every ::1 using 1:3 with linespoints ls elite notitle, \
	TABLE every ::1 using 1:4 with linespoints ls all notitle, \
	TABLE every ::1 using ($5 == $5 ? $1 : NaN):6:(0):($7 - $6) \
		with vectors nohead ls held notitle, \
	TABLE every ::1 using 1:5 with points ls held notitle

set ytics autofreq
set yrange [*:*]
do for [p = 1:parameters] {
	mean = FIRST + 2 * p - 2
	eval margins(p + 1)
	set title Name[p] offset 0, -0.5
	if (under(p + 1)) { set xlabel "generation" offset 0, XLABEL }
	plot TABLE every ::1 using 1:(column(mean) - column(mean + 1)):(column(mean) + column(mean + 1)) \
			with filledcurves ls all notitle, \
		TABLE every ::1 using 1:mean with linespoints ls all notitle
}
unset multiplot
