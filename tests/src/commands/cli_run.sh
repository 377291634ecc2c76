#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn compare and train from the outside: experiment files, their errors, threads; the examples of
# nxn train. Resuming is tested by cli_resume.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*/training.gp'

examples train

# The experiments that come with nxn are sound, and found by their bare names.
# dry NAME: its dry run, made once, without the time that it takes, since every player plays for that.
dry()
{
	[ -e "dry-$1" ] || { gives 0 "nxn compare $1 --dry-run --no-times" && cp stdout "dry-$1"; }
	cp "dry-$1" stdout
}
for file in "$source"/analysis/experiments/*.yaml; do
	name=${file##*/}
	dry "${name%.yaml}"
	[ -s stderr ] && complain "complaints about $file"
done
for name in quickstart paper paper-scaled figure8 figure8-scaled ablation ablation-more \
	learning-rules learning-rules-full; do
	dry "$name"
	has 'board	label	agent	train	evaluate	repeat	games	parameters'
	for board in 4x4 5x5 6x6; do
		grep -q "^$board	" stdout || complain "$name lacks $board"
	done
done
gives 0 'nxn compare quickstart.yaml --dry-run --no-times'
[ ! -e out/quickstart ] || complain 'a dry run left something behind'

# The seed paper's Table 1.
dry paper
for row in '4x4	expectimax	expectimax:depth=9,cutoff=1e-06' \
	'5x5	expectimax	expectimax:depth=7,cutoff=5e-05' \
	'6x6	expectimax	expectimax:depth=6'; do
	has "$row"
done
# With the parameters that are the defaults.
for row in '4x4 depth=9,cutoff=1e-06' '5x5 depth=7,cutoff=5e-05' '6x6 depth=6,cutoff=0.0001'; do
	awk -v board="${row% *}" -v parameters="${row#* }," -F '\t' \
		'$1 == board && $2 == "expectimax" && index($8, parameters) == 1 { found = 1 } END { exit !found }' stdout ||
		complain "not all parameters of expectimax on $row"
done
# What auto stands for on the board is told: weights of agents/values/weights.def, rules that the help has.
[ "$(grep -c '	expectimax	.*,leaf=state,rewards=0,.*,w_empty=10,w_corner=20,w_monotone=10,w_merge=5,' stdout)" -eq 3 ] ||
	complain 'other values of what is auto'
for name in paper players learning-rules figure9; do
	dry "$name"
	grep '[=:,]auto' stdout >&2 && complain "$name: parameters are auto"
done
printf 'boards: [3x3]\nagents: ["expectimax:depth=auto", "expectimax:ms=1", "mcts:ms=1"]\ngames: 1\n' >rules.yaml
gives 0 'nxn compare rules.yaml --dry-run --no-times'
for rule in 'depth=(kinds of tiles - 2, at least 3; with a budget the least depth),cutoff=0.0001,' \
	'depth=2,cutoff=(0.0001, or what suits the budget),' \
	'sims=(1000, or with ms as many as fit),'; do
	has "$rule"
done
for name in paper figure8; do
	dry "$name"
	for row in '4x4 500000' '5x5 100000' '6x6 5000'; do
		awk -v board="${row% *}" -v games="${row#* }" -F '\t' \
			'$1 == board && $4 > 0 && $4 * $6 == games { found = 1 } END { exit !found }' stdout ||
			complain "$name: training on board and games: $row"
	done
done

# All combinations of three parts of a learning rule, and the same training and games for each.
dry ablation
for board in 4x4 5x5 6x6; do
	for error in '' error=linear; do
		for terminal in '' terminal=zero; do
			for scale in '' scale=none; do
				echo "qlearn $error $terminal $scale" |
					sed 's/  */,/g; s/,$//; s/,/:/'
			done
		done
	done | sort >expected
	awk -v board=$board -F '\t' '$1 == board { print $3 }' stdout | sort | cmp -s - expected ||
		complain "ablation: other settings on $board"
	[ "$(awk -v board=$board -F '\t' '$1 == board { print $4, $5, $6, $7 }' stdout | sort -u |
		wc -l)" = 1 ] || complain "ablation: unequal training on $board"
done

# Rules of learning: on a board the same time, games and tuples for each.
for name in learning-rules learning-rules-full; do
	dry "$name"
	for board in 4x4 5x5 6x6; do
		[ "$(awk -v board=$board -F '\t' '$1 == board { print $4, $5, $6, $7 }' stdout |
			sort | uniq -c | wc -l)" = 1 ] || complain "$name: unequal training on $board"
		[ "$(grep "^$board	" stdout | cut -f 3 | grep -o 'tuples=[^,]*' | sort -u | wc -l)" = 1 ] ||
			complain "$name: unequal tuples on $board"
	done
done

# Table 2 of the report on TD(0), with values of positions and of after-states; 500,000 games.
for set in rates groups; do
	dry "td-$set"
	cut -f 2,3 stdout | grep ntuple >scaled
	dry "td-$set-full"
	cut -f 2,3 stdout | grep ntuple | cmp -s - scaled || complain "td-$set: other players in full"
	awk -F '\t' '/^4x4/ && $4 * $6 == 500000 { n++ } END { exit n != 8 }' stdout ||
		complain "td-$set-full: other training"
	for rule in rule=td-state, ''; do
		case $set in
		rates)
			for alpha in ,alpha=0.1 ,alpha=0.05 ,alpha=0.01 ,alpha=0.0025; do
				echo "ntuple:tuples=group0,${rule}update=backward$alpha,lanes=1"
			done
			;;
		groups)
			for group in group0 group1 group2 group0+group1; do
				echo "ntuple:tuples=$group,${rule}update=backward,alpha=0.1,lanes=1"
			done
			;;
		esac
	done >expected
	cut -f 2 scaled | cmp -s - expected || complain "td-$set: other settings"
done

# Every agent that there is plays in players and players-time, there with the same time a move for all
# that can be told it; but not those that need a file or a program (optimal:FILE).
nxn info agents | sed -n '/  stands for /d; s/^\([a-z0-9][a-z0-9]*\)  .*/\1/p' | sort >agents
[ "$(wc -l <agents)" -ge 8 ] || complain "agents: $(cat agents)"
for name in players players-time; do
	dry "$name"
	sed '1,/^board/d; /^#/d' stdout >players
	cut -f 3 players | sed 's/:.*//' | sort -u | cmp -s - agents || complain "not all agents are in analysis/experiments/$name.yaml"
	[ "$(cut -f 7 players | sort -u | wc -l)" -eq 1 ] || complain "$name: unequal games"
done
for agent in $(cat agents); do
	nxn info $agent | grep -q '^  ms=' || continue
	cut -f 3 players | grep "^$agent\>" | grep -qv '[:,]ms=0.2\>' && complain "$agent has other time than the others"
done

# Policy networks: both ways to learn beside a random player.
for name in policy-figures policy-figures-full; do
	dry "$name"
	[ "$(grep '	policy' stdout | cut -f 4,5,6,7 | sort -u | wc -l)" -eq 1 ] || complain "$name: unequal training"
	grep -q '	policy:actions=egreedy	' stdout || complain "$name: no learner with epsilon"
	grep -q '	policy:play=sample	' stdout || complain "$name: no learner by chances"
done
dry policy-sizes
for board in 4x4 5x5 6x6; do
	grep -q "^$board	policy	" stdout || complain "policy-sizes lacks $board"
done
gives 0 'nxn train policy:batch=10 -b 3x3 -e 400 --block 100 -o policy.nxn --curve policy.tsv'
grep -v '^[#"]' policy.tsv | awk -F '\t' '{ bad += !($(NF - 2) > 0 && $(NF - 2) < 1.5 && $(NF - 1) < $(NF - 2) && $(NF - 5) > 20) } END { exit bad || NR != 4 }' ||
	complain 'the curve of a policy network lacks its certainty'
gives 0 'nxn report policy.tsv -o policy'
has '>distance to certainty<' policy/figures/policy/training.svg

# An experiment with a training chain: what is played, threads, the default folder.
cat >tiny.yaml <<'END'
title: A small one
seed: 11
boards: [2x2, 3x3]
agents: [random]
games: 12
sequences:
  - {}
  - agents: qlearn
    label: learner
    train: 150
    evaluate: 6
    repeat: 3
    games: 6
END
gives 0 'nxn compare tiny.yaml --dry-run --no-times'
has '# 72 games and 900 training games with seed 11'
gives 0 'nxn compare tiny.yaml --no-times -j 1'
has 'A small one'
has 'Page out/tiny/index.html; beside it games.tsv, tables/ and figures/.'
[ -s out/tiny/figures/curve.svg ] || complain 'no learning curve'
gives 0 'nxn compare tiny.yaml --no-times -j 2 --no-figures -o two'
games out/tiny/games.tsv >one.games
games two/games.tsv | cmp - one.games || complain 'games depend on the number of threads'
for model in out/tiny/models/*; do
	cmp "$model" "two/models/${model##*/}" || complain 'training depends on the number of threads'
done
[ "$(grep -c '	learner	' one.games)" -eq 48 ] || complain 'expected 2 * (3 * 6 + 6) games of the learner'
for trained in 150 300 450; do
	[ "$(grep -c "^[0-9a-f]*	3x3	learner	qlearn	$trained	11	" one.games)" -ge 6 ] ||
		complain "too few games after $trained training games"
done

# The same player, trained by hand, plays the same games.
gives 0 'nxn train qlearn -b 3x3 -e 450 -s 11 -o hand.nxn'
cmp hand.nxn out/tiny/models/3x3-learner-*.nxn || complain 'nxn train gives another model'
gives 0 'nxn compare -b 3x3 -a qlearn:hand.nxn -g 12 -s 11 -o hand --no-figures --no-times'
games hand/games.tsv | cut -f 5- | sort >hand.games
grep '	3x3	learner	qlearn	450	' one.games | cut -f 5- | sort >chain.games
grep -v seed hand.games | cmp - chain.games || complain 'the trained model plays other games'

# Other training in the same folder does not get in the way.
sed 's/seed: 11/seed: 12/' tiny.yaml >other.yaml
gives 0 'nxn compare other.yaml --no-times --no-figures -o two'
gives 0 'nxn compare other.yaml --no-times --no-figures -o fresh'
games two/games.tsv | grep '	12	[0-9]*	[0-9]*	[0-9]*	[0-9]*	NaN' >shared
games fresh/games.tsv | grep -v seed | cmp - shared || complain 'another seed in the folder changes games'

# Without a name those that come with nxn are listed, each with its duration and title.
gives 0 'nxn info experiments'
(cd "$source/analysis/experiments" && awk '/^duration: ".*"$/ { print FILENAME "	" substr($0, 12, length($0) - 12) }' *.yaml) |
	sed 's/\.yaml	/	/' >durations
[ "$(wc -l <durations)" -eq "$(ls "$source/analysis/experiments" | grep -c '\.yaml$')" ] || complain 'an experiment tells no duration'
awk -F '\t' '
	NR == FNR { split($0, word, " "); line[word[1]] = $0; next }
	!index(line[$1], " " $2 " ") { print "nxn info experiments does not tell the duration of " $1 ": " $2 }
	line[$1] !~ /^[^ ]+  *[^ ].*  [A-Z]/ { print "nxn info experiments does not list " $1 }
	' stdout durations | grep . && complain 'nxn info experiments: the lines above'
[ "$(awk 'length > 80' stdout | wc -l)" -eq 0 ] || complain 'nxn info experiments: lines of more than 80 columns'

# A dry run tells how long it takes: a second of random play is seconds, days of search are not.
printf 'boards: [2x2]\nagents: [random]\ngames: 10\n' >short.yaml
gives 0 'nxn compare short.yaml --dry-run -j 1'
grep -q '^# about [0-9]* s on this machine with 1 thread$' stdout || complain 'a short experiment is not told to be short'
# Of a player that makes no move in a moment it is known that it takes long.
printf 'boards: [6x6]\nagents: [random, "expectimax:depth=6,cutoff=0"]\ngames: 1000\n' >long.yaml
gives 0 'nxn compare long.yaml --dry-run'
grep -q '^# at least [0-9]* \(h\|min\|days\) on this machine with [0-9]* threads*$' stdout || complain 'a long experiment is not told to be long'
# Games on 3x3 are as long as games on 3x3, after a board of long games.
gives 0 "nxn compare -b 5x5,3x3 -a expectimax:ms=50 -g 3 --dry-run -j 1"
grep -q '^# 3x3 .* at least [0-9]* s, by moves' stdout || complain 'three games on 3x3 would take hours'
touch quickstart
gives 0 'nxn compare quickstart --dry-run --no-times'
rm quickstart
fails 2 './: is a folder; expected a file' 'nxn compare ./'
fails 2 'nothing: no such file, and no experiment that comes with nxn; nxn info experiments lists those' 'nxn compare nothing'
for name in quickstrat quickstrat.yaml; do
	fails 2 "$name: no such file, and no experiment that comes with nxn; did you mean 'quickstart'?" "nxn compare $name"
done
nxn train qlearn -b 2x2 -e 5 -o model.nxn >stdout
fails 2 'model.nxn: no experiment, run or table of results: it is not even text' 'nxn compare model.nxn'
printf '# nxn 0.1.0\n"trained"\t"games"\n1\t1\n' >curve.tsv
fails 2 'curve.tsv: is a log or table that nxn wrote, expected an experiment; nxn report reads it' 'nxn compare curve.tsv'
fails 2 './nothing.yaml: No such file or directory' 'nxn compare ./nothing.yaml'
fails 2 'two: is a folder' 'nxn compare two'
echo 'bords: [3x3]' >typo.yaml
fails 2 "typo.yaml:1:1: unknown key 'bords'; did you mean 'boards'?" 'nxn compare typo.yaml'
cp typo.yaml 'a b.yaml'
fails 2 'a b.yaml:1:1: ' 'nxn compare "a b.yaml"'

exit $bad
