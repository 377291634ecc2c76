#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn gap from the outside: examples, exact values of an independent program, estimates against them,
# files, killed at any moment, learners, targets, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:* | pdf:*/gap-phase.gp'

examples gap

vectors=$source/tests/vectors/exact.txt

# fact SHAPE KEY: a value of the vectors.
fact()
{
	awk -v shape="$1" -v key="$2" '$1 == shape && $2 == key { print $3 }' "$vectors"
}

# number FOLDER AGENT COLUMN: out of its table gap.tsv.
number()
{
	column "$1/tables/gap.tsv" "$3" agent "$2"
}

# near WHAT X Y REACH: whether X and Y are that near to each other.
near()
{
	awk -v x="$2" -v y="$3" -v reach="$4" 'BEGIN { d = x - y; exit !(x != "" && y != "" && d <= reach && -d <= reach) }' ||
		complain "$1: $2 instead of $3"
}

# rows FOLDER: the games of its log.
rows()
{
	grep -v '^#\|^config' "$1/gap.tsv" | sort
}

# Exact values are those of the vectors; greedy breaks ties by up, right, down, left.
for shape in 2x2 2x3; do
	gives 0 "nxn gap -b $shape -a random,greedy -o exact$shape --no-figures"
	gives 0 "nxn gap -b $shape -a random,greedy -o exact$shape --no-figures --full"
	grep -q '^random .* exact  ' stdout || complain "not printed that random on $shape is exact"
	near "optimum on $shape" "$(number exact$shape random optimum)" "$(fact $shape optimal_score)" 1e-6
	for player in random=random greedy=greedy_URDL; do
		score=$(fact $shape "policy.${player#*=}.score")
		near "$player on $shape" "$(number exact$shape "${player%=*}" value)" "$score" 1e-6
		near "$player on $shape, share" "$(number exact$shape "${player%=*}" fraction)" \
			"$(awk -v a="$score" -v b="$(fact $shape optimal_score)" 'BEGIN { printf "%.10g", a / b }')" 1e-8
		near "$player on $shape, moves" "$(number exact$shape "${player%=*}" moves)" \
			"$(fact $shape "policy.${player#*=}.moves")" 1e-6
	done
	[ "$(number exact$shape random exact)" = 1 ] || complain "random on $shape is not exact"
	# What moves lose is what is missing of the optimum.
	for player in random greedy; do
		near "loss of $player on $shape" "$(awk -v l="$(number exact$shape $player lost)" \
			-v m="$(number exact$shape $player moves)" 'BEGIN { printf "%.10g", l * m }')" \
			"$(awk -v a="$(number exact$shape $player value)" -v b="$(fact $shape optimal_score)" 'BEGIN { printf "%.10g", b - a }')" 1e-5
	done
done

# Estimates are within 4 standard errors of them, which is some width of an interval.
for shape in 2x2 2x3; do
	gives 0 "nxn gap -b $shape -a random,greedy,corners -g 2000 --exact never -o games$shape --no-figures"
	gives 0 "nxn gap -b $shape -a corners --exact always -o exact$shape --no-figures"
	near "corners on $shape" "$(number games$shape corners value)" "$(number exact$shape corners value)" \
		"$(awk -v a="$(number games$shape corners value_low)" -v b="$(number games$shape corners value_high)" 'BEGIN { print b - a }')"
	for player in random=random greedy=greedy_URDL; do
		for what in value result; do
			near "$what of $player on $shape" "$(number games$shape "${player%=*}" $what)" \
				"$(fact $shape "policy.${player#*=}.score")" \
				"$(awk -v a="$(number games$shape "${player%=*}" ${what}_low)" \
					-v b="$(number games$shape "${player%=*}" ${what}_high)" 'BEGIN { print b - a }')"
		done
	done
	for player in random greedy corners; do
		near "luck of $player on $shape in standard errors" "$(number games$shape $player luck_z)" 0 4
		awk -v gain="$(number games$shape $player gain)" 'BEGIN { exit !(gain >= 1) }' ||
			complain "less luck is less certain: $player on $shape"
		[ "$(number games$shape $player games)" = 2000 ] || complain "not 2000 games of $player"
	done
done

# Intervals of a mean share are within 0 and 1, however few the games.
gives 0 'nxn gap -b 2x3 -a ntuple -t 300 -g 3 -o few --no-figures'
grep -q '^ntuple .*% \[0\.00, 100\.00\] ' stdout || complain 'printed: an interval other than from 0% to 100%'
gives 0 'nxn gap -b 2x3 -a ntuple -t 300 -g 3 -o few --no-figures --format=tsv'
for bound in fraction_low=0 fraction_high=1; do
	near "few games, $bound" "$(column stdout "${bound%=*}" agent ntuple)" "${bound#*=}" 0
done
gives 0 'nxn gap -b 2x3 -a ntuple -t 300 -g 3 -o few --no-figures --format=json'
has '"fraction_low":0.0,"fraction_high":1.0,'

# A report of it, which has no game log, is a bundle; a report of the bundle is refused.
fails 2 'few: has gap.tsv but no games.tsv to print; --out DIR draws its figures' 'nxn report few'
gives 0 'nxn report few --out bundle'
[ -s bundle/figures/few/gap.svg ] || complain 'the bundle has no figure'
fails 2 'bundle: is a bundle of nxn report; name the runs that it is of' 'nxn report bundle'

# Files; a row a game; figures that can be drawn again.
gives 0 'nxn gap -b 2x2 -a random,mcts:sims=20,qlearn -g 50 -t 300 --curve 3 -o made'
has 'Optimum on 2x2: 66.964'
has 'Page made/index.html; beside it gap.tsv, tables/ and figures/.'
for file in gap.tsv optimal-2x2.nxo tables/gap.tsv tables/gap-phase.tsv tables/gap-learning.tsv \
	figures/gap.svg figures/gap.pdf figures/gap-phase.svg figures/gap-phase.pdf \
	figures/gap-learning.svg figures/gap-learning.pdf figures/gap.gp; do
	[ -s made/$file ] || complain "no made/$file"
done
[ "$(rows made | wc -l)" -eq 201 ] || complain 'not 50 games of mcts, 3 * 50 of qlearn, and random'
[ "$(rows made | awk -F '\t' '$3 == "qlearn" { print $4 }' | sort -nu | tr '\n' ' ')" = '1 9 300 ' ] ||
	complain 'points of training are not 1, 9 and 300'
[ "$(ls made/models | wc -l)" -eq 3 ] || complain 'not a model a point'
for line in '# nxn ' '# command: nxn gap -b 2x2 ' '# seed: 1' '# optimum on 2x2: 66.96'; do
	has "$line" made/tables/gap.tsv
done
[ "$(grep -v '^#' made/tables/gap-phase.tsv | tail -n +2 | cut -f 1 | sort -u | wc -l)" -eq 3 ] || complain 'not rows of each player'
[ "$(grep -v '^#' made/tables/gap-learning.tsv | tail -n +2 | wc -l)" -eq 3 ] || complain 'not a row a point of training'
cp -r made/figures again && rm again/*.svg && (cd again && gnuplot gap.gp && gnuplot gap-phase.gp && gnuplot gap-learning.gp)
for figure in gap gap-phase gap-learning; do
	cmp again/$figure.svg made/figures/$figure.svg || complain "$figure.gp draws another figure"
done

# Shares of a phase and in all are those of the log.
rows made | awk -F '\t' '$3 == "mcts:sims=20" { n = split($8, phase, ","); for (i = 1; i <= n; i++) { split(phase[i], x, ":"); m += x[2]; o += x[3]; l += x[4] } }
END { printf "%.8f %.8f %.8f\n", o / m, l / m, m / 50 }' >want
awk -v o="$(number made mcts:sims=20 optimal)" -v l="$(number made mcts:sims=20 lost)" -v m="$(number made mcts:sims=20 moves)" \
	'BEGIN { printf "%.8f %.8f %.8f\n", o, l, m }' | cmp - want || complain 'other shares than those of the log'

# Nothing is done twice; more games are added.
cp made/gap.tsv before
touch -r made/optimal-2x2.nxo stamp
gives 0 'nxn gap -b 2x2 -a random,mcts:sims=20,qlearn -g 50 -t 300 --curve 3 -o made --no-figures'
cmp before made/gap.tsv || complain 'played again'
[ made/optimal-2x2.nxo -nt stamp ] && complain 'solved again'
gives 0 'nxn gap -b 2x2 -a mcts:sims=20 -g 60 -o made --no-figures'
[ "$(rows made | wc -l)" -eq 211 ] || complain 'not 10 games more'
head -c "$(wc -c <before)" made/gap.tsv | cmp - before || complain 'the log was rewritten'
ls -i made/models >models
gives 0 'nxn gap -b 2x2 -a qlearn -g 55 -t 300 --curve 3 -o made --no-figures'
[ "$(rows made | wc -l)" -eq 226 ] || complain 'not 5 games more at each point'
ls -i made/models | cmp - models || complain 'trained again for more games'

# The same for any number of threads.
for threads in 1 3; do
	gives 0 "nxn gap -b 2x2 -a random,greedy,mcts:sims=20,qlearn,ntuple -g 40 -t 300 --curve 3 --exact never -j $threads -o j$threads --no-figures"
	rows j$threads >rows$threads
done
cmp rows1 rows3 || complain 'games depend on the number of threads'
gives 0 "nxn gap -b 2x2 -a random -g 40 --exact never -s 2 -o s2 --no-figures"
rows s2 | cut -f 7- | head -n 40 >other
awk -F '\t' '$3 == "random"' rows1 | cut -f 7- | cmp -s - other && complain 'another seed gives the same games'

# Killed at any moment, in training and in games: the same games as without.
slow='gap -b 2x3 -a mcts:sims=500,ntuple,qlearn -g 60 -t 10000 --curve 3 --no-figures -j 2'
gives 0 "nxn $slow -o whole"
for more in 9 20 35; do
	at_work killed/gap.tsv $more "nxn $slow -o killed"
	signalled KILL
done
at_work killed/gap.tsv 70 "nxn $slow -o killed"
if stops INT 'gap: stopped after [0-9]* of 420 games' late; then
	has "nxn $slow -o killed" resume
	has ' of 420 games' killed/tables/gap.tsv
fi
gives 0 "nxn $slow -o killed"
rows whole >want
rows killed | cmp - want || complain 'a killed run has other games'
[ -z "$(rows killed | cut -f 1,6 | uniq -d)" ] || complain 'a game was played twice'

# Killed and stopped in the midst of training: the same models and games as without.
learners='gap -b 2x3 -a policy,qlearn,relative -g 5 -t 5000 --curve 2 --no-figures -j 2'
# models_wait N: until that many are saved.
models_wait()
{
	wanted=$1
	waits 300 '[ "$(ls cut/models 2>/dev/null | grep -c "[0-9]-[0-9]*\.nxn\$\|-[0-9a-f]*\.nxn\$")" -ge "$wanted" ]' 'no models come'
}
gives 0 "nxn $learners -o straight"
nxn $learners -o cut >/dev/null 2>&1 &
pid=$!
models_wait 2
signalled KILL
nxn $learners -o cut >stdout 2>stderr &
pid=$!
signals_wait $pid
stops INT 'gap: stopped .*[0-9]* of 30 games.*' late
gives 0 "nxn $learners -o cut"
rows straight >want
rows cut | cmp - want || complain 'interrupted training gives other games'
[ "$(ls straight/models)" = "$(ls cut/models)" ] || complain 'interrupted training leaves other files'
for model in straight/models/*; do
	cmp "$model" "cut/models/${model##*/}" || complain "another model: $model"
done

# A torn last line is cut off and its game played again.
truncate -s -3 made/gap.tsv
gives 0 'nxn gap -b 2x2 -a qlearn -g 55 -t 300 --curve 3 -o made --no-figures'
has 'nxn: made/gap.tsv: cut off a torn last line of' stderr
[ "$(rows made | wc -l)" -eq 226 ] || complain 'not all games after a torn line'

# A table that is given; the optimum itself loses nothing.
gives 0 'nxn solve -b 2x3 --out t23.nxo'
gives 0 'nxn gap -b 2x3 --table t23.nxo -a optimal:t23.nxo,random --exact never -g 100 -o tabled --no-figures'
[ ! -e tabled/optimal-2x3.nxo ] || complain 'solved beside a table'
near 'share of the optimum' "$(number tabled optimal:t23.nxo fraction)" 1 1e-9
near 'optimal moves of the optimum' "$(number tabled optimal:t23.nxo optimal)" 1 0
near 'loss of the optimum' "$(number tabled optimal:t23.nxo lost)" 0 1e-9

# A target: the share of the probability that there is; games that reach it are over.
gives 0 'nxn solve -b 2x2 --target 16 --out t16.nxo'
gives 0 'nxn gap -b 2x2 --table t16.nxo -a random,greedy -g 2000 -o target --no-figures'
has '(probability of a tile of 16)'
near 'probability of 16' "$(number target random optimum)" "$(fact 2x2 p_reach.16)" 1e-9
p=$(awk -v a="$(fact 2x2 policy.random.p_max_tile.16)" -v b="$(fact 2x2 policy.random.p_max_tile.32)" 'BEGIN { printf "%.10g", a + b }')
for what in value result; do
	near "$what of 16" "$(number target random $what)" "$p" \
		"$(awk -v a="$(number target random ${what}_low)" -v b="$(number target random ${what}_high)" 'BEGIN { print b - a }')"
done
rows target | awk -F '\t' '$7 != 0 && $7 != 1 { bad = 1 } $8 ~ /(^|,)[4-9]:/ { bad = 1 } END { exit bad }' ||
	complain 'games to a target go on behind it'
fails 2 "board '2x2,2x3': expected one board, ROWSxCOLUMNS from 2x2 to 6x6" 'nxn gap -b 2x2,2x3 -a random -o x'
fails 2 '--exact: always is for expected scores' 'nxn gap -b 2x2 --table t16.nxo -a random --exact always -o x'

# Another start and spawn.
gives 0 'nxn gap -b 2x2 --spawn 2:1 --start-tiles 1 -a random,expectimax --exact always -o spawned --no-figures'
near 'unlimited search with spawns of 2' "$(number spawned expectimax fraction)" 1 1e-6
gives 0 'nxn gap --start 4,2/0,0 -a random --exact never -g 50 -o started --no-figures'
near 'value of a start' "$(number started random optimum)" "$(fact 2x2 start_value.4,2/0,0)" 1e-6

# Learners that come from a file are not trained.
gives 0 'nxn train qlearn -b 2x2 -e 50 -o q22.nxn'
# Learners that are not trained here, as the prior of a search; searches that differ in their table alone.
fails 2 'policy has not been trained' 'nxn gap -b 2x2 -a mcts:prior=policy -g 3 -o prior --no-figures'
gives 0 'nxn gap -b 2x2 -a mcts:prior=policy,sims=5 -g 3 -o prior --no-figures --untrained'
has '(untrained)'
gives 0 "nxn gap -b 2x2 -a 'expectimax:depth=2;expectimax:depth=2,tt=1M' -o tables --no-figures"
has 'differ in tt or threads alone, which change no move: they play the same games' stderr
gives 0 'nxn gap -b 2x2 -a qlearn:q22.nxn --exact never -g 20 -o filed --no-figures'
[ "$(number filed qlearn:q22.nxn trained)" = 50 ] || complain 'not the training of the file'
[ ! -e filed/models ] || complain 'a learner from a file was trained'
gives 0 'nxn gap -b 2x2 -a qlearn -t 50 --curve 2 --exact always -o learned --no-figures'
[ "$(number learned qlearn exact)" = 1 ] || complain 'a learner is not exact'
near 'qlearn after 50 games' "$(number learned qlearn value)" "$(number filed qlearn:q22.nxn value)" \
	"$(awk -v a="$(number filed qlearn:q22.nxn value_low)" -v b="$(number filed qlearn:q22.nxn value_high)" 'BEGIN { print 2 * (b - a) }')"

# Players by the clock are said to be so; progress is shown where it is asked for.
gives 0 'nxn gap -b 2x2 -a expectimax:ms=0.05 -g 5 -o clock --no-figures --progress'
has 'Note: agents with ms= decide by the clock'
has 'positions' stderr
grep -q 'by the clock' made/tables/gap.tsv && complain 'a note on clocks without one'

# Without agents: all that a name makes.
gives 0 'nxn gap -b 2x2 -g 5 -t 20 --curve 1 -o all --no-figures'
for agent in random greedy corners expectimax mcts qlearn ntuple policy relative adp; do
	[ -n "$(number all $agent fraction)" ] || complain "$agent is not among all agents"
done

# Errors.
fails 2 't23.nxo: ' 'nxn gap -b 2x2 --table t23.nxo -a random -o x'
fails 2 't23.nxo: a table of other games (2x3, 2:0.9,4:0.1, 2 start tiles), expected one of 2x3, 2:0.9,4:0.1, 3 start' \
	'nxn gap -b 2x3 --start-tiles 3 --table t23.nxo -a random -o x'
fails 2 't23.nxo: a table of other games' 'nxn gap --start 2,0,0/0,0,2 --table t23.nxo -a random -o x'
fails 2 't23.nxo: ' 'nxn gap -b 2x3 --spawn 2:1 --table t23.nxo -a random -o x'
gives 0 'nxn solve -b 2x2 --goal moves --out moves.nxo'
fails 2 'moves.nxo: its goal is moves; games are compared with score or target' 'nxn gap -b 2x2 --table moves.nxo -a random -o x'
gives 0 'nxn solve -b 2x2 --max-sum 20 --out short.nxo'
fails 2 'short.nxo: a table with the largest sum 20, expected one with 0 (0: none)' 'nxn gap -b 2x2 --table short.nxo -a random -o x'
fails 2 'nowhere.nxo: ' 'nxn gap -b 2x2 --table nowhere.nxo -a random -o x'
fails 2 'before: ' 'nxn gap -b 2x2 --table before -a random -o x'
fails 2 '--table: must not be empty' "nxn gap -b 2x2 --table= -o x"
fails 2 'made/optimal-2x2.nxo: ' 'nxn gap -b 2x2 --spawn 2:1 -a random -o made'
fails 2 '--board is missing: one that can be solved, such as 2x2' 'nxn gap -a random -o x'
fails 2 '--board: 4x4 cannot be solved in full; expected one such as' 'nxn gap -b 4x4 -o large'
[ -e large ] && complain 'a board that cannot be solved leaves a folder'
fails 2 'tiles of 2^24 and more' 'nxn gap -b 6x6 -a random -o x --table t16.nxo'
fails 2 '--exact: not known how mcts moves: only playing tells' 'nxn gap -b 2x2 -a mcts --exact always -o x'
fails 2 'random plays on 2x2 already' 'nxn gap -b 2x2 -a random,random -o x'
fails 2 'nobody' 'nxn gap -b 2x2 -a nobody -o x'
fails 2 'optimal' 'nxn gap -b 2x2 -a optimal -o x'
[ ! -e x ] || complain 'a folder for what is refused'
fails 2 'memory' 'nxn gap -b 3x3 -a random --memory 1M -o small'
fails 2 "--exact: 'maybe' is none of auto, always, never" 'nxn gap -b 2x2 --exact maybe -o x'
fails 2 "--games: '1' is not a whole number from 2" 'nxn gap -b 2x2 -g 1'
fails 2 "--train: '0' is not a whole number from 1" 'nxn gap -b 2x2 -t 0'
fails 2 "--curve: '51' is not a whole number from 1 to 50" 'nxn gap -b 2x2 --curve 51'

figures_open .

# The legend has what the table has.
gives 0 'nxn gap -b 2x2 -a corners -g 20 --exact never --no-figures -o played'
grep -q 'exact: worked out' stdout && complain 'a legend of exact values without any'
gives 0 'nxn gap -b 2x2 -a corners -g 20 --exact always --no-figures -o worked'
has 'exact: worked out'
exit $bad
