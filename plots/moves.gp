# SPDX-License-Identifier: GPL-3.0-or-later
# How sure a player was of each move of a game, its distance to certainty: the first traced game before
# training, or else the least trained, and after all of it. The grey line is that of equal chances for
# the moves that were legal. For each board and player that tells the chances of its moves. After
# Dedieu and Amar, Deep Reinforcement Learning for 2048, figure 6.
#     gnuplot -d -c moves.gp svg|pdf|png OUT moves.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "moves." . TERM
TABLE = ARGC > 2 ? ARG3 : "moves.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("moves.gp")] . "style.gp"

eval blocks_need
eval players_need
eval blocks_group

# Columns: trained, game, move; doubt; legal.
DOUBT = 10
LEGAL = 11

# Of each block the first and the last stage of training, the first game of these, and who tells.
array First[|Block|]
array Last[|Block|]
array Game[|Block|]
shown = ""
IN_KEY = ""
set table $Null
do for [k = 1:blocks] {
	First[k] = -1
	Last[k] = -1
	Game[k] = -1
	eval range_reset
	plot TABLE index (k - 1) every ::1 using (see(column(DOUBT)), \
		First[k] = First[k] < 0 ? $1 : First[k], Game[k] = Game[k] < 0 ? $2 : Game[k], \
		Last[k] = $1) with table
	if (seen > 0) {
		shown = shown . sprintf(" %d", k)
		if ((sum [i = 1:words(IN_KEY)] (key_label(i) == Of[k])) == 0) {
			IN_KEY = IN_KEY . sprintf(" %d", Of[k])
		}
	}
}
unset table
if (shown eq "") { exit error TABLE . ": no player tells the chances of its moves" }
equal = label_number("equal chances")
set style line equal lc rgb 0xc0c0c0 pt 0 lw 1
IN_KEY = IN_KEY . sprintf(" %d", equal)

# A panel for each stage that is shown: its block, and its training.
array Of_panel[2 * |Block|]
array Trained[2 * |Block|]
panels = 0
do for [n = 1:words(shown)] {
	k = word(shown, n) + 0
	do for [stage = 1:(First[k] == Last[k] ? 1 : 2)] {
		panels = panels + 1
		Of_panel[panels] = k
		Trained[panels] = stage == 1 ? First[k] : Last[k]
	}
}

COLUMNS = panels > 1 ? 2 : 1
WIDTH = 3.5 * COLUMNS
LEFT = 0.5
PLOT = 1.1
UNDER = 0.26
BOTTOM = 0.15
SIDE = "distance to certainty"
eval page(panels)

set yrange [0:1.6]
eval tics("y", 1.5)
stage(n) = n == 0 ? ": untrained" : sprintf(": after %s training games", short(n))
named(s) = cut(s, 28) # a panel is 3.5 inches wide
mine(t, k, x) = $1 == t && $2 == Game[k] ? x : NaN
do for [i = 1:panels] {
	k = Of_panel[i]
	trained = Trained[i]
	moves = 1
	set table $Null
	plot TABLE index (k - 1) every ::1 using \
		(mine(trained, k, $3) > moves ? (moves = $3) : 0) with table
	unset table
	set xrange [0:moves]
	eval tics("x", moves)
	eval margins(i)
	set title board_part(Block[k]) . " " . named(label_part(Block[k])) . \
		(First[k] == Last[k] && trained == 0 ? "" : stage(trained)) offset 0, -0.5
	if (under(i)) { set xlabel "move" offset 0, XLABEL }
	plot TABLE index (k - 1) every ::1 using 3:(mine(trained, k, 2 - 2. / column(LEGAL))) \
			with lines ls equal notitle, \
		TABLE index (k - 1) every ::1 using 3:(mine(trained, k, column(DOUBT))) \
			with points ls Of[k] ps 0.3 notitle
}
unset multiplot
