#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Games that end early are short ones: of a run that was stopped only those before the first missing game
# of a player count, wherever a number is made of them, and none where these are too few.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle

# The intervals of stopped runs hold the truth: a small version of the long test.
(STOPS=100 SIZES=100 NXN=$nxn_path sh "$source/tests/long/counted.sh" >simulated 2>&1) ||
	complain "tests/long/counted.sh: $(cat simulated)"

# games CONFIG LABEL SCORE STEP NUMBER...: rows of a log; game N has SCORE + N * STEP points.
games()
{
	config=$1 label=$2 score=$3 step=$4
	shift 4
	for n; do
		printf '00000000000000%s\t4x4\t%s\t%s\t0\t1\t%d\t%d\t128\t%d\tNaN\tNaN\tNaN\n' "$config" "$label" "$label" "$n" \
			$((score + n * step)) $((100 + n))
	done
}
head='config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds\ttile_sum\tuncertainty'

# is LABEL COLUMN NUMBER: of the table summary.
is()
{
	[ "$(column table "$2" label "$1")" = "$3" ] || complain "$1: $2 is $(column table "$2" label "$1"), not $3"
}

# greedy lacks game 12: the first twelve count, of 2550 points in the mean. Of random the first game alone is
# there without a gap. corners has all, second is every third game from 1, a share of a run.
mkdir log
{
	printf '%b\n' "$head"
	games aa greedy 2000 100 0 1 2 3 4 5 6 7 8 9 10 11
	games aa greedy 0 10 13 14 15 16 17
	games bb random 100 1 0 2 5 7
	games cc corners 500 10 $(seq 0 23)
	games dd second 400 10 $(seq 1 3 22)
} >log/games.tsv
nxn report log/games.tsv --format=tsv >table
is greedy games 12
is greedy mean 2550
is greedy min 2000
is greedy moves 105.5
is random games 0
is random mean NaN
is random mean_low NaN
is random max NaN
is corners games 24
is corners mean 615
is second games 8
is second mean 515
gives 0 'nxn report log --format=json'
has '"label":"greedy","agent":"greedy","trained":0,"games":12,"mean":2550.0'
has '"label":"random","agent":"random","trained":0,"games":0,"mean":null,"mean_low":null,"mean_high":null'
has 'counted: greedy on 4x4: 12 of 17 games, random on 4x4: 0 of 4 games; those that finished early are not'
for full in '' --full; do
	gives 0 "nxn report log $full | tr '\n' ' '"
	has 'Counted: greedy on 4x4: 12 of 17 games, random on 4x4: 0 of 4 games; those that finished early are not counted, they are the short ones'
done
gives 0 'nxn report log'
sed -n '/mean score/,/^$/p' stdout | awk 'NR > 1 && NF { print $1 }' | tr '\n' ' ' >order
has 'greedy corners second random' order
has 'greedy scores 4.15'

# The page and all tables of it: nothing of the games that do not count.
gives 0 'nxn report log --out page'
has '"counted: ' page/index.html
has '12 of 17 games' page/index.html
for name in results means ratios scores tiles reach spread front; do
	has '# counted: greedy on 4x4: 12 of 17 games' page/tables/log/$name.tsv
done
[ "$(grep -c '^"greedy"\|greedy' page/tables/log/front.tsv)" -gt 0 ] || complain 'greedy is not on the front'
! grep -q '^"4x4".*"random"' page/tables/log/front.tsv || complain 'random is on the front without a mean'

# With games 12 and 1, 3, 4, 6 all count, whichever log they come from.
mkdir rest
{
	printf '%b\n' "$head"
	games aa greedy 0 10 12
	games bb random 100 1 1 3 4 6
} >rest/games.tsv
mkdir merged && cp log/games.tsv merged/games.log.tsv && cp rest/games.tsv merged/games.rest.tsv
nxn report merged --format=tsv >table
is greedy games 18
is random games 8
is random mean 103.5
! grep -q counted: table || complain 'a log without gaps has games that do not count'

# A line tells of a stop on 8 workers: 23 games before the first missing one are too few, 24 are not.
for missing in 23 24; do
	{
		printf '%b\n# stopped: 00000000000000ee 1 40 8 1\n' "$head"
		games ee greedy 1000 10 $(seq 0 39 | grep -v "^$missing\$")
	} >told.tsv
	nxn report told.tsv --format=tsv >table
	is greedy games $((missing / 24 * 24))
	has "greedy on 4x4: $((missing / 24 * 24)) of 40 games" table
done

# Of 10 games the first of three shares plays 4, the others 3.
for first in 0 1; do
	{
		printf '%b\n# stopped: 00000000000000ee 1 10 3 3\n' "$head"
		games ee greedy 1000 10 $first $((first + 3))
	} >share.tsv
	nxn report share.tsv --format=tsv >table
	has "greedy on 4x4: 0 of $((4 - first)) games" table
done

# A run that is stopped: as many games count as its log has before the first missing one.
gives 130 'nxn compare -b 4x4 -a expectimax:depth=1 -g 100000 -j 8 --time-budget 0.5s -o run 2>&1; exit 130'
cp run/tables/summary.tsv table
first=$(grep -v '^#' run/games.tsv | cut -f 7 | sort -n | awk '$1 == n + 0 { n++ } END { print n + 0 }')
counts=$first
[ "$first" -ge 24 ] || counts=0
is expectimax:depth=1 games "$counts"
if [ "$first" -lt "$(grep -c '^[0-9a-f]\{16\}' run/games.tsv)" ]; then
	tr '\n' ' ' <stdout >words
	has "Counted: expectimax:depth=1 on 4x4: $counts of 100000 games; those that finished early" words
	gives 0 'nxn report run -o bundle --latex'
	has 'nxn: warning: run: unfinished: ' stderr
	has 'nxn: warning: run: counted: ' stderr
	has 'those that finished early are not counted' bundle/main.tex
	has 'those that finished early are not counted' bundle/README.md
fi

# Fewer games of it, all of which are there, are a run that is over.
if [ "$first" -ge 5 ]; then
	gives 0 'nxn compare -b 4x4 -a expectimax:depth=1 -g 5 -j 8 -o run --no-figures --only'
	cp run/tables/summary.tsv table
	is expectimax:depth=1 games 5
	! grep -q 'counted:' table || complain 'a finished run has games that do not count'
fi

# A finished run still counts when a longer one was stopped. A learner that was stopped between two parts of its
# training has a line for the part whose games are missing.
gives 0 'nxn compare -b 3x3 -a expectimax:depth=2 -g 20 -j 2 -o longer --no-figures'
gives 75 'nxn compare -b 3x3 -a expectimax:depth=2 -g 1000000 -j 16 --time-budget 0.5s -o longer --no-figures >/dev/null'
has ' 1 20 16 1' longer/games.tsv
cp longer/tables/summary.tsv table
[ "$(column table games label expectimax:depth=2)" -ge 20 ] || complain 'the games of a finished run do not count'
printf 'boards: 3x3\nsequences: [{agents: qlearn, train: 300, evaluate: 1000000, repeat: 5}]\n' >part.yaml
at_work part/games.tsv 20 'nxn compare part.yaml -j 8 -o part --no-figures'
signalled TERM
grep -q '^# stopped: [0-9a-f]* [0-9]* 1000000 8 1$' part/games.tsv || complain 'no line of a stop within a sequence'
sed 's/^# stopped: .*/& or so/' part/games.tsv >part.tsv
fails 2 "expected CONFIG SEED GAMES WORKERS STEP behind '# stopped:', found '" 'nxn report part.tsv'
for stop in 'ee 1 10 3 3' '00000000000000ee  1 10 3 3' '00000000000000ee +1 10 3 3' '00000000000000EE 1 10 3 3' \
	'00000000000000ee 1 18446744073709551616 3 3' '00000000000000ee 1 10 3'; do
	sed "s/^# stopped: .*/# stopped: $stop/" part/games.tsv >part.tsv
	fails 2 "behind '# stopped:', found '$stop'" 'nxn report part.tsv'
done

# The same against the optimum. Games of a thread that waits for a processor may be missing among the first.
at_work gap/gap.tsv 5000 'nxn gap -b 2x2 -a random -g 3000000 -j 8 --exact never -o gap'
signalled TERM
first=$(grep -v '^#' gap/gap.tsv | awk -F '\t' '
	!at { for (i = 1; i <= NF; i++) if ($i == "game") at = i; next } { print $at }' |
	sort -n | awk '$1 == n + 0 { n++ } END { print n + 0 }')
has "	$first	" gap/tables/gap.tsv
at_work gap.text/gap.tsv 20 'nxn gap -b 2x2 -a mcts:sims=20,random -g 100000 -j 8 --exact never -o gap.text --no-figures'
signalled TERM
grep -q '^Unfinished: [0-9]* of 200000 games\.$' stdout || complain 'the text of a stopped gap does not say so'

# A run that was stopped, and then finished with fewer games: these are complete, for whoever reads the log.
gives 0 'nxn compare -b 2x2 -a random -g 5 -o fewer --no-figures'
printf '# stopped: %s 1 200 24 1\n' "$(tail -n 1 fewer/games.tsv | cut -f 1)" >>fewer/games.tsv
gives 0 'nxn compare -b 2x2 -a random -g 8 -o fewer --no-figures'
for again in 1 2; do
	nxn report fewer --format=tsv >table
	is random games 8
	gives 0 'nxn compare -b 2x2 -a random -g 8 -o fewer --no-figures'
done
[ "$(grep -c '^# stopped: ' fewer/games.tsv)" -eq 2 ] || complain "not two stops: $(grep stopped fewer/games.tsv)"
exit $bad
