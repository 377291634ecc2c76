# SPDX-License-Identifier: GPL-3.0-or-later
# Learners against players that do not learn, over their training: ratios of mean scores with their 95% intervals,
# which contain how far trainings differ; the axes are logarithmic. One panel a board and learner, one line a rival.
#     gnuplot -d -c crossover.gp svg|pdf|png OUT crossover.tsv means.tsv
TERM = ARGC > 0 ? ARG1 : "svg"
OUT = ARGC > 1 ? ARG2 : "crossover." . TERM
TABLE = ARGC > 2 ? ARG3 : "crossover.tsv"
PLAYERS = ARGC > 3 ? ARG4 : "means.tsv"
load ARG0[1:strlen(ARG0) - strlen("crossover.gp")] . "style.gp"
eval players_need
eval blocks_need

# Blocks are named "BOARD LEARNER / RIVAL"; Learner[1..learners], and of each block its two and its panel.
array Learner[|Label|]
array Of_learner[|Block|]
array Panel[|Block|]
array Timed[|Block|]
learners = 0
learner_number(s) = (_k = 0, sum [_i = 1:learners] (Learner[_i] eq s ? (_k = _i) : 0), _k > 0) ? _k : \
	(learners = learners + 1, Learner[learners] = s, learners)
do for [k = 1:blocks] {
	_b = board_number(board_part(Block[k]))
	_s = label_part(Block[k])
	_at = strstrt(_s, " / ")
	Of_learner[k] = learner_number(_s[1:_at - 1])
	Of[k] = label_number(_s[_at + 3:*])
}
rivals = 0
do for [s = 1:labels] {
	if (sum [k = 1:blocks] (Of[k] == s)) { IN_KEY = IN_KEY . sprintf(" %d", s); rivals = rivals + 1 }
}
do for [k = 1:blocks] { Panel[k] = (board_number(board_part(Block[k])) - 1) * learners + Of_learner[k] }

# A row a board, where learners are many and fit.
COLUMNS = learners < 3 ? learners : learners < 6 ? learners : 4
WIDTH = learners < 3 ? WIDTH : 7.
LEFT = 0.55
RIGHT = 0.2
PLOT = learners < 2 ? 1.5 : 1.1
UNDER = 0.24
BOTTOM = 0.12
SIDE = "ratio of mean scores" . (learners < 2 ? ", " . cut(Learner[1], 18) : "") . " to each rival"
eval page(boards * learners)

digit(x) = 10. ** (floor(log10(x) + 1e-9) - 2)
in_games(x) = short(floor(x / digit(x) + 0.5) * digit(x)) # three digits
in_time(x) = x < 59.5 ? sprintf("%.2g s", x) : x < 3570 ? sprintf("%.2g min", x / 60) : \
	x < 3.58e5 ? sprintf("%.2g h", x / 3600) : sprintf("%.0f h", x / 3600)
positive(y) = y > 0 ? y : NaN
# Rivals side by side; of the tics, which are the points of training, those are named that have room.
rank(i) = (sum [_j = 1:words(IN_KEY)] (key_label(_j) <= i))
beside(x, k) = x * (last / first) ** (0.06 * ((rank(Of[k]) - 0.5) / rivals - 0.5))
tic_add = '_shown = log(_x) - 0.5 * room * strlen(_name) > tic_end; ' . \
	'set xtics add ((_shown ? _name : "") _x); tic_end = _shown ? log(_x) + 0.5 * room * strlen(_name) : tic_end'
array Point_at[64]
do for [b = 1:boards] {
	eval range_reset
	first = 1e300
	last = 0
	set table $Null
	do for [k = 1:blocks] {
		if (board_part(Block[k]) eq Board[b]) {
			plot TABLE index (k - 1) every ::1 using (Timed[k] = stringcolumn(12) eq "seconds" ? 5 : 4, \
				_x = column(Timed[k]), first = _x < first ? _x : first, last = _x > last ? _x : last, \
				see(positive($6)), see(positive($7)), see(positive($8))) with table
		}
	}
	unset table
	_y = see(1)
	if (last <= first) { first = 0.5 * first; last = 2 * last }
	y_least = round_below(0.999 * least)
	y_most = round_above(1.001 * most)
	do for [l = 1:learners] {
		panel = (b - 1) * learners + l
		if (!(sum [k = 1:blocks] (Panel[k] == panel))) { continue }
		eval margins(panel)
		set title Board[b] . (learners < 2 ? "" : ": " . cut(Learner[l], 18)) offset 0, -0.5
		eval log_axis("y", y_least, y_most, 1)
		set logscale x
		set xrange [first * (last / first) ** -0.06:last * (last / first) ** 0.06]
		room = log(last / first) * 0.07 / (WIDTH / COLUMNS - LEFT - RIGHT)
		tic_end = -1e300
		points = 0
		timed = 0
		do for [k = 1:blocks] {
			if (Panel[k] == panel && points == 0) {
				timed = Timed[k] == 5
				set table $Null
				plot TABLE index (k - 1) every ::1 using (points = points < 64 ? points + 1 : 64, \
					Point_at[points] = column(Timed[k])) with table
				unset table
			}
		}
		set xtics ()
		do for [i = 1:points] {
			_x = Point_at[i]
			_name = timed ? in_time(_x) : in_games(_x)
			eval tic_add
		}
		unset xlabel
		if (under(panel)) { set xlabel "training" . (timed ? "" : " games") offset 0, XLABEL }
		plot 1 notitle lc rgb 0x444444 lw 1, \
			for [k = 1:blocks] TABLE index (k - 1) every ::1 using (Panel[k] == panel ? \
				beside(column(Timed[k]), k) : NaN):(positive($7)):(0):($8 - $7) \
				with vectors nohead ls Of[k] dt 1 lw 0.8 notitle, \
			for [k = 1:blocks] TABLE index (k - 1) every ::1 using (Panel[k] == panel ? \
				beside(column(Timed[k]), k) : NaN):(positive($6)) with linespoints ls Of[k] notitle
	}
}
unset multiplot
