#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures and tables of the papers (docs/paper.md): the experiments that show them, with few games, made
# into a bundle by one command in an empty folder; what is drawn has the rows, columns and curves of the
# paper, and the numbers are those of the games that were logged. Parameters of the full size: cli_run.sh;
# groups of tuples: tests/agents/ntuple/test_patterns.c.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# Drawn is what is looked at below.
gnuplot_idle "svg:*/paper/[tsc]*.gp | svg:*/figure8/curve.gp | svg:*/boards.gp | svg:*/learning.gp | \
*/figure9/*.gp | */policy-figures/* | */tuning.gp | svg:seventy*/means.gp | svg:equal*/sizes.gp | svg:*plots/means.gp"

# small NAME: the experiment NAME with little training, few games and shallow searches, under the same name.
small()
{
	sed 's/train: [0-9]*/train: 4/; s/evaluate: [0-9]*/evaluate: 3/; s/repeat: [0-9]*/repeat: 2/
		s/ games: [0-9]*/ games: 3/; s/depth=[2-9],/depth=1,/; s/sims=1000/sims=8/; s/sims=100/sims=4/
		s/positions: .*/positions: 2/; s/depths: .*/depths: 1-5/' "$source/analysis/experiments/$1.yaml"
}

for name in paper figure9 policy-figures; do
	small $name >$name.yaml
done
small figure8 | sed '/boards: 6x6/d' >figure8.yaml
small figure10 | sed 's/depths: .*/depths: 1-4/; s/, 6x6//' >figure10.yaml
# Tuples with little memory in place of each group: labels name the groups.
for name in td-rates ${all:+td-groups}; do
	small $name | sed 's/group0\([+,]\)/lines\1/; s/group1,/rectangles=2x2,/; s/group2,/rectangles=1x3,/' >$name.yaml
done
# What goes beyond these papers, their parameters on larger boards, is left out.
for name in mcts adp relative cross-entropy; do
	small $name | sed '/boards: [56]x/d; s/\[4x4, 5x5.*\], a/4x4, a/' >$name.yaml
done
gives 0 "nxn tune --agent expectimax:depth=1,leaf=after,value=linear9,rewards=0,cutoff=0,tt=0 --params 'w?' \
	--board 4x4 --population 4 --elite 2 --games 2 --held-out 2 --generations 2 --out tune.tsv"
for experiment in ./*.yaml; do
	gives 0 "nxn compare $experiment --no-figures"
done
gives 0 'nxn report out/* tune.tsv --out papers'
[ "$bad" -eq 0 ] || exit 1

# drawn NAME: what there is in a figure, but for frames, grids and whiskers: the title of its panel, its
# name in the key, "line", "area" (a bar, a band) or "marks", and how many points it has. Panels have their
# title behind what they plot; the key is panel a, which has a sample in each colour.
drawn()
{
	tr -s '\n\t ' ' ' <"papers/figures/$1.svg" |
		sed 's/<g id="gnuplot_plot_\|<text>\|<path\|<polygon\|<use/\n&/g' | awk -v OFS='\t' '
		function keep(what, points) { if (colour in name) line[++n] = name[colour] OFS what OFS points }
		{ colour = $0; sub(/.>.*/, "", colour); sub(/.*rgb\(/, "", colour); sub(/\).*/, "", colour) }
		/^<g id/ {
			if (marks > 0) { colour = marked; keep("marks", marks) }
			marks = 0
			panel = title = $0
			sub(/^[^_]*_plot_[0-9]*/, "", panel); sub(/".*/, "", panel)
			sub(/.*<title>/, "", title); sub(/<.title>.*/, "", title)
			sampled = 0
		}
		/^<p/ && panel == "a" && !sampled { name[colour] = title; sampled = 1 }
		panel == "" || panel == "a" { next }
		/^<path/ { if (gsub(/M/, "M") == 1) keep("line", gsub(/ L/, " L") + 1) }
		/^<polygon/ { sub(/.*points = ./, ""); sub(/ .\/.*/, ""); keep("area", split($0, points, " ")) }
		/^<use/ { marks++; marked = colour }
		/^<text>/ {
			if (marks > 0) { colour = marked; keep("marks", marks) }
			marks = 0
			sub(/<.text>.*/, ""); gsub(/<[^>]*>/, "")
			for (i = 1; i <= n; i++) print $0, line[i]
			n = 0
		}' | sort
}

# shows FIGURE WORDS...: all of these are among its texts.
shows()
{
	figure=$1
	shift
	sed -n '/<text>/s/<[^>]*>//gp' "papers/figures/$figure.svg" | tr -d '\t' >texts
	for words; do
		grep -qxF -e "$words" texts || complain "$figure does not say '$words'"
	done
}

# same WHAT: the files `expected` and `got` have the same lines.
same()
{
	[ -s expected ] || complain "nothing expected: $1"
	cmp -s expected got || { complain "$1: $(diff expected got | head -5)"; : >"$work/differs"; } # perhaps in a subshell
}

# lines FIGURE POINTS: the curves of so many points that it has are those on standard input, "panel<TAB>name".
lines()
{
	sort >expected
	drawn "$1" | awk -F '\t' -v n="$2" '$3 == "line" && $4 == n' | cut -f 1,2 >got
	same "curves of $1"
}

# cells TABLE NAME...: these columns, behind the title of their block: of the table that a figure was drawn
# of, if there is one.
cells()
{
	cells_table=papers/figures/$1.tsv
	[ -e "$cells_table" ] || cells_table=papers/tables/$1.tsv
	shift
	awk -F '\t' -v OFS='\t' -v names="$(printf '%s\t' "$@")" '
		BEGIN { n = split(names, name, "\t") - 1; header = 1 }
		/^# block/ { title = $0; sub(/^# block [0-9]*: /, "", title); header = 1 }
		/^#/ || /^$/ { next }
		{ gsub(/"/, "") }
		header { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; header = 0; next }
		{ row = title; for (i = 1; i <= n; i++) row = row OFS (name[i] in at ? $at[name[i]] : "?"); print row }
		' "$cells_table"
}

# shares TABLE: what is in a table of shares of tiles: board, player, tile, share; not those that are 0.
shares()
{
	awk -F '\t' -v OFS='\t' '
		/^#/ { next }
		{ gsub(/"/, "") }
		$1 == "board" { next }
		$1 OFS $3 == player && $4 != 2 * before { print "tile", $4, "follows", before }
		{ player = $1 OFS $3; before = $4; if ($5 > 0) print $1, $3, $4, sprintf("%.4f", $5) }
		' "papers/tables/$1.tsv" | sort
}

# finals RUN: board, player, score, largest tile of the games after all training, or of those without any.
finals()
{
	grep -v '^#\|^config' "papers/data/$1/games.tsv" | awk -F '\t' -v OFS='\t' '
		{ key = $2 OFS $3; row[NR] = key OFS $8 OFS $9; of[NR] = key; trained[NR] = $5; if ($5 > most[key]) most[key] = $5 }
		END { for (i = 1; i <= NR; i++) if (trained[i] == most[of[i]] + 0) print row[i] }'
}

# of_games RUN WHAT: of these games by board and player the `tiles` that they ended with and that they
# `reach`ed, as shares; the `mean` score, and the `best`.
of_games()
{
	finals "$1" | awk -F '\t' -v OFS='\t' -v what="$2" '
		{ key = $1 OFS $2; n[key]++; sum[key] += $3; best[key] = $3 > best[key] ? $3 : best[key]; ended[key, $4]++
			if (!($1 in least) || $4 < least[$1]) least[$1] = $4
			if ($4 > most[$1]) most[$1] = $4; board[key] = $1 }
		END {
			for (key in n) {
				if (what == "mean") print key, sprintf("%.2f", sum[key] / n[key])
				if (what == "best") print key, best[key]
				if (what != "tiles" && what != "reach") continue
				reached = 0
				for (tile = most[board[key]]; tile >= least[board[key]]; tile /= 2) {
					here = ended[key, tile] + 0
					reached += here
					shown = what == "tiles" ? here : reached
					if (shown > 0) print key, tile, sprintf("%.4f", shown / n[key])
				}
			}
		}' | sort
}

# rounded: the last of the columns with two digits.
rounded()
{
	awk -F '\t' -v OFS='\t' '{ $NF = sprintf("%.2f", $NF); print }'
}

# captioned RUN NAME WORDS: the caption of a figure or table says that it shows this of a paper.
captioned()
{
	grep -F -e "(figures/$1/$2.pdf)" -e "(tables/$1/$2.tsv)" papers/README.md | grep -qF -e "It shows $3" ||
		complain "the caption of $1/$2 does not say: It shows $3"
}

boards='4x4 5x5 6x6'

# ---- Mayer-Hirshfeld, Navarro, Saleh.

# Table 1: on each board a search and Q-learning, with all their parameters.
cells paper/parameters label parameter 4x4 5x5 6x6 | cut -f 2- >got
for row in 'expectimax	depth	1	1	1' 'expectimax	cutoff	1e-06	5e-05	0.0001' 'qlearn	training games	8	8	8'; do
	grep -qx "$row" got || complain "table 1: no $row"
done
captioned paper parameters 'what table 1 of Mayer'

# Table 2: mean scores, their ratio, median largest tiles.
of_games paper mean >expected
cells paper/results board label mean | cut -f 2- | rounded | sort >got
same 'table 2: mean scores'
for board in $boards; do
	finals paper | grep "^$board	\(expectimax\|qlearn\)	" | sort -t '	' -k 2,2 -k 4,4n |
		awk -F '\t' -v OFS='\t' 'NR % 3 == 2 { print $1, $2, $4 }' # of three games
done >expected
cells paper/results board label median_tile | cut -f 2- | grep '	expectimax\|	qlearn' |
	sort -k 1,1 -k 2,2 >got
same 'table 2: median largest tiles'
of_games paper mean | awk -F '\t' -v OFS='\t' '
	$2 == "expectimax" { search = $3 }
	$2 == "qlearn" { print "expectimax / qlearn", $1, sprintf("%.2f", search / $3) }' >expected
cells paper/ratios a b board ratio | awk -F '\t' -v OFS='\t' '$2 == "expectimax" && $3 == "qlearn" { print $2 " / " $3, $4, $5 }' |
	rounded >got
same 'table 2: ratios'
captioned paper results 'what table 2 of Mayer'
captioned paper ratios 'what table 2 of Mayer'

# Figures 2, 4, 6: on each board a bar for each tile that games of a player ended with.
of_games paper tiles >expected
shares paper/tiles >got
same 'figures 2, 4, 6: shares'
cut -f 1,2 expected | uniq -c | awk -v OFS='\t' '{ print $2, $3, $1 }' >bars
drawn paper/tiles | awk -F '\t' '$3 == "area" && $4 == 4' | cut -f 1,2 | uniq -c |
	awk -v OFS='\t' '{ print $2, $3, $1 }' >got
mv bars expected
same 'figures 2, 4, 6: bars'
shows paper/tiles expectimax qlearn $boards 'largest tile' 'share of games'
captioned paper tiles 'what figures 2, 4 and 6 of Mayer'

# Figures 3, 5, 7: a curve of the scores of each player.
finals paper | awk -F '\t' -v OFS='\t' '{ print $1 " " $2, $3 }' | sort -k 1,2 -k 3,3n >expected
cells paper/scores score | sort -k 1,2 -k 3,3n >got
same 'figures 3, 5, 7: scores'
for board in $boards; do
	for player in random greedy corners expectimax qlearn; do
		printf '%s\t%s\n' $board $player
	done
done | lines paper/scores 6 # three steps, each up and on
shows paper/scores 'score (points)' 'cumulative share'
captioned paper scores 'what figures 3, 5 and 7 of Mayer'

# Figure 8: scores over training games, three boards.
for run in paper figure8; do
	curves=$boards
	[ $run = paper ] || curves='4x4 5x5'
	for board in $curves; do
		printf '%s\tqlearn\n' $board
	done | lines $run/curve 2
	shows $run/curve 'training games' 'mean score (points)'
	captioned $run curve 'what figure 8 of Mayer'
	for board in $curves; do
		printf "$board qlearn\t%s\n" 4 8
	done >expected
	cells $run/curve trained >got
	same "$run: points of figure 8"
done

# Figure 9: time against depth on 4x4, a curve for each cutoff. The cutoff makes no difference as long as
# nothing is that improbable, and all the more the deeper the search.
for cutoff in 1e-2 1e-3 1e-4 1e-5 1e-6; do
	printf '4x4\tcutoff=%s\n' $cutoff
done | lines figure9/sweep 5
shows figure9/sweep 'depth (own moves)' 'time per move (ms)' 1 5
captioned figure9 sweep 'what figure 9 of Mayer'
cells figure9/sweep depth nodes | awk -F '\t' '
	$2 <= 2 && $2 in shallow && $3 != shallow[$2] { print "shallow: " $0; bad = 1 }
	$2 <= 2 { shallow[$2] = $3 }
	$2 == 5 && $3 <= deep { print "deep: " $0; bad = 1 }
	$2 == 5 { deep = $3; cutoffs++ }
	END { exit bad || cutoffs != 5 }' || complain 'figure 9: nodes by depth and cutoff'

# Figure 10: the same for one cutoff, a curve for each board, of which two are here.
for board in 4x4 5x5; do
	printf 'cutoff=1e-4\t%s\n' $board
done | lines figure10/boards 4
shows figure10/boards 'depth (own moves)' 'time per move (ms)'
captioned figure10 boards 'what figure 10 of Mayer'

# ---- Dedieu, Amar.

# Figures 3 to 5: sums of the tiles and distance to certainty over training, by both ways to learn.
for panel in 'sum of the tiles in the end' 'distance to certainty'; do
	for player in probabilistic 'probabilistic, argmax' e-greedy; do
		printf '4x4: %s\t%s\n' "$panel" "$player"
	done
done | lines policy-figures/certainty 2
shows policy-figures/certainty 'training games'
captioned policy-figures certainty 'what figures 3, 4 and 5 of Dedieu'

# Figure 6: each move of one game, before training and after.
for player in probabilistic 'probabilistic, argmax' e-greedy; do
	for trained in 0 8; do
		stage=untrained
		[ $trained -eq 0 ] || stage="after $trained training games"
		moves=$(awk 'NR > 1' "papers/data/policy-figures/traces/4x4-$(echo "$player" | sed 's/[ ,]/_/g')-$trained-0-"*.tsv | wc -l)
		printf '4x4 %s: %s\t%s\tmarks\t%s\n' "$player" "$stage" "$player" "$moves"
	done
done >expected
# A random player's chances are known as well.
printf '4x4 random\trandom\tmarks\t%s\n' \
	"$(awk 'NR > 1' papers/data/policy-figures/traces/4x4-random-0-0-*.tsv | wc -l)" >>expected
drawn policy-figures/moves | grep '	marks	' >got
sort -o expected expected
same 'figure 6'
shows policy-figures/moves 'distance to certainty' move
captioned policy-figures moves 'what figure 6 of Dedieu'
[ "$(ls papers/data/policy-figures/traces | wc -l)" -eq 10 ] || complain 'traces of 3 learners, 3 stages, and of random'
# First weights are no equal chances, nor is anything certain yet.
awk -F '\t' 'NR > 1 { sum += $10; equal += 2 - 2 / $11 } END { exit !(sum < 0.99 * equal && sum > 0.3 * equal) }' \
	papers/data/policy-figures/traces/4x4-probabilistic-0-0-*.tsv || complain 'chances of an untrained network'

# Sections 4.2 and 5.2 have no figures. Rules as printed are among those that play.
cells adp/players label agent >got
grep -q '	printed, plain rewards	adp:.*update=printed' got || complain 'adp: not as printed'
cells mcts/players label agent >got
grep '	tree 100, as printed	mcts:.*reward=max' got | grep 'select=printed' | grep -q 'norm=none' ||
	complain 'mcts: not as printed'
for run in adp mcts; do
	of_games $run mean | cut -f 2 >expected
	cells $run/results label | cut -f 2 | sort >got
	same "$run: players"
done

# ---- 2048-Temporal Difference Learning.

rates='alpha 0.1,alpha 0.05,alpha 0.01,alpha 0.0025'
groups='group 0,group 1,group 2,groups 0 and 1'
for run in td-rates ${all:+td-groups}; do
	case $run in
	td-rates) settings=$rates origin='figures 2 and 10' half=first ;;
	td-groups) settings=$groups origin='figure 11' half=second ;;
	esac
	echo "$settings" | tr ',' '\n' >settings

	# Figure 1: the shares of games that reached a tile, and of those that ended with it.
	for what in tiles reach; do
		of_games $run $what >expected
		shares $run/$what >got
		same "$run: figure 1, $what"
	done
	captioned $run reach 'what figure 1 of the report'

	# Figures 2, 10, 11: mean, maximum and rate of 2048 over training, a curve for each setting.
	part=0
	for values in positions after-states; do
		part=$((part + 1))
		for panel in 'mean score (points)' 'best score (points)' 'share reaching 2048'; do
			sed "s|^|4x4, $part/2: $panel	$values, |" settings
		done
	done | lines $run/learning 2
	shows $run/learning 'training games'
	captioned $run learning "what $origin of the report"

	# Table 2: mean, maximum, rate of 2048.
	for column in mean best; do
		of_games $run $column | rounded >expected
		cells $run/results board label $(echo $column | sed s/best/max/) | cut -f 2- | rounded | sort >got
		same "$run: table 2, $column"
	done
	finals $run | awk -F '\t' -v OFS='\t' '{ n[$1 OFS $2]++; won[$1 OFS $2] += $4 >= 2048 }
		END { for (key in n) print key, sprintf("%.2f", won[key] / n[key]) }' | sort >expected
	cells $run/results board label reach_2048 | cut -f 2- | rounded | sort >got
	same "$run: table 2, rate of 2048"
	cells $run/results label | cut -f 2 | sort >got
	sed 's/^/positions, /; p; s/^positions/after-states/' settings | sort >expected
	same "$run: rows of table 2"
	captioned $run results "what the $half half of table 2 of the report"
done

# ---- Math for reinforcement learning, part 2, and IeorIITB2048: no figures.

# Each value that the article's list of parameters has, but for defaults and numbers.
cells relative/players agent | sed 's/[^:]*://' | tr ',' '\n' >got
for setting in game_type=mini_random game_type=mini_iterative random_games=true random_frac=0.1 batch_size=100 \
	move_penalty_type=nonzero move_penalty_type=linear_move_num move_penalty_type=exponential_move_num \
	game_penalty_type=scores game_penalty_type=max game_penalty_type=log2_max game_penalty_type=tile_sums; do
	grep -qx -e "$setting" got || complain "relative: nothing with $setting"
done

# The nine weights, before and after tuning; steps i to iv, a row for each generation.
cells cross-entropy/players label agent >got
for label in 'by hand' tuned; do
	grep -q "	$label	expectimax:depth=1,cutoff=0,leaf=after,rewards=0,.*value=linear9" got ||
		complain "cross-entropy: no player $label"
done
printf '\t%s\n' 0 1 2 >expected
cells tune/tuning generation >got
same 'generations'
for weight in w1 w2 w3 w4 w5 w6 w7 w8 w9; do
	cells tune/tuning $weight ${weight}_sd | awk -F '\t' '!($2 != 0 && $3 > 0) { exit 1 }' ||
		complain "tuning: $weight has no mean or deviation"
	shows tune/tuning $weight
done
shows tune/tuning generation 'score of a generation (points)' 'best candidate' elite 'all candidates'

# docs/paper.md lists every figure and table under its paper, with experiments that there are.
{
	for n in 1 2 3 4 5 6 7 8 9 10; do echo "Mayer-Hirshfeld, figure $n"; done
	for n in 1 2; do echo "Mayer-Hirshfeld, table $n"; done
	for n in 1 2 3 4 5 6 7; do echo "Dedieu, figure $n"; done
	for n in 1 2 3 4 5 6 7 8 9 10 11; do echo "2048-Temporal figure $n"; done
	for n in 1 2; do echo "2048-Temporal table $n"; done
} | sort >expected
awk -F ' *[|] *' '
	/^## / { paper = "" }
	/^### / { split($0, word, " "); paper = word[2] }
	!paper || $2 !~ /^(figure|table)s? [0-9, to]*$/ || NF != 7 { next }
	{ what = $2; sub(/s? .*/, "", what); sub(/^[a-z]* /, "", $2); n = split($2, number, /,? /) }
	number[2] == "to" { for (i = number[1]; i <= number[3]; i++) print paper, what, i; next }
	{ for (i = 1; i <= n; i++) print paper, what, number[i] }' "$source/docs/paper.md" | sort >got
same 'figures and tables in docs/paper.md'
awk -F ' *[|] *' 'NF == 7 { print $4 }' "$source/docs/paper.md" | grep -o '`[^`]*`' | tr -d '`' |
	sed 's/^--dry-run //; /^nxn compare/d' | sort -u >named
[ "$(wc -l <named)" -ge 8 ] || complain "experiments in docs/paper.md: $(cat named)"
while read -r name; do
	gives 0 "nxn compare --dry-run --no-times $name"
done <named

# The numbers of a logarithmic axis are those of their places, with few of them and with many.
gnuplot -e "TERM = 'svg'; load '$source/plots/style.gp'" -e "do for [few = 0:1] { do for [d = -7:13] {
	do for [m in '1 2 5'] { print sprintf('%g ', m * 10. ** d), log_number(m * 10. ** d, few) } } }" 2>numbers
sed 's/[{}]//g; s/·10^/e/; s/ 10^/ 1e/; s/k$/e3/; s/M$/e6/; s/G$/e9/' numbers |
	awk '{ seen++ } $2 / $1 < 0.9999 || $2 / $1 > 1.0001 { print; bad = 1 } END { exit bad || seen != 126 }' ||
	complain 'another number at an axis'

# Seventy players, whose command is a line of 2 KiB in each table; and more series than a figure has room for.
seventy=$(seq 70 | sed 's/.*/P&=expectimax:depth=1,terminal=-&/' | paste -sd ';' -)
gives 0 "nxn compare -b 2x2 -g 2 -o seventy -a '$seventy'"
grep -q '>P70<' seventy/figures/means.svg || complain 'no figure of seventy players'
seq 1025 | awk '{ printf "# block %d: P%d\n\"board\"\n\"2x2\"\t4\t9\t8\t10\t5\n\n\n", $1, $1 }' >many.tsv
gnuplot -d -c "$source/plots/means.gp" svg many.svg many.tsv 2>&1 |
	grep -q 'many.tsv: more than 1024 series are too many for a figure; --no-figures draws none' || complain 'no message on 1025 series'
gives 0 'nxn compare -b 2x3,3x2 -g 20 -a random,corners -o equal'
grep -q '>2x3, 3x2<' equal/figures/sizes.svg || complain 'no figure of boards with as many cells'
# Kinds of figures.
for run in policy-figures figure9 tune; do
	figures_open papers/figures/$run
done
[ ! -e "$work/differs" ] || bad=1
exit $bad
