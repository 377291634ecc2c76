#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a run, index.html in its folder: each command leaves it and names it; it is the same for equal
# runs, however they came about. What may only be read, whose page is left as it is: cli_faults.sh. What is
# on a page: test_page.c and page_script.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:five/* | svg:*/tuning.gp'

# page FOLDER WORDS: the page there has all that was drawn, WORDS, and nothing from elsewhere.
page()
{
	has "Page $1/index.html; "
	[ -s "$1/index.html" ] || complain "no $1/index.html"
	[ ! -e "$1/index.html.nxn-1.tmp" ] || complain "$1/index.html is not whole"
	for figure in "$1"/figures/*.svg; do
		drawn=${figure##*/}
		has "{\"name\":\"${drawn%.svg}\",\"caption\":\"" "$1/index.html"
	done
	[ "$(grep -o '"svg":"' "$1/index.html" | wc -l)" -eq "$(ls "$1"/figures/*.svg | wc -l)" ] ||
		complain "not every figure is in the page: $1"
	has "$2" "$1/index.html"
	grep -q 'src="http\|href="http\|<link\|@import' "$1/index.html" && complain "$1: the page needs the network"
}

cat >some.yaml <<'END'
title: A <title> & more
boards: [2x2, 2x3]
traces: 1
sequences:
  - {agents: random, games: 30}
  - {agents: qlearn, train: 20, evaluate: 5, repeat: 2, games: 10}
END
compare='compare -b 2x2,2x3 -a random,greedy -g 150 --no-times'
run='compare some.yaml --no-times'
sweep='sweep -b 2x2,2x3 -d 1,2 -c 0 -p 5 -g 5'
gap='gap -b 2x2 -a random,greedy:ties=random,qlearn --train 50 --curve 2 -g 20 --exact never'
duel='duel corners greedy -b 2x3 -g 300 --batch 50 --no-times'
gives 0 "nxn $compare -j 2 -o whole/compare"
page whole/compare '"title":"Players compared","alone":true'
has '"command: nxn compare -b 2x2,2x3 -a random,greedy -g 150 --no-times"' whole/compare/index.html
has '["tables/results.tsv","data"]' whole/compare/index.html
has '"files":["games.tsv"]' whole/compare/index.html
gives 0 "nxn $run -o whole/run"
page whole/run '"title":"A \u003ctitle\u003e \u0026 more"'
gives 0 "nxn $sweep -o whole/sweep"
page whole/sweep '"name":"sweep","caption":"The search at every depth and cutoff. 5 positions searched per board. 5 games per player and board."'
gives 0 "nxn $gap -o whole/gap"
page whole/gap '"name":"gap","caption":"Players against the exact optimum. '
gives 0 "nxn $duel -o whole/duel"
page whole/duel '"title":"corners against greedy on 2x3"'

# again NAME HOW: the page is that of the whole run, whose times are not those of this one.
again()
{
	cmp "whole/$1/index.html" "$1/index.html" || complain "another page: $1 $2"
}

# In print without colours the bars of five players are five greys (ITU-R BT.601), 25 of 255 apart; and labels
# that differ at the end alone still differ where they are cut.
cat >five.yaml <<'END'
boards: [2x2]
sequences:
  - {agents: [random, greedy, corners], games: 20}
  - {agents: ["greedy:ties=random"], games: 20, label: a player with a name that is far too long for a figure (first)}
  - {agents: ["expectimax:depth=1"], games: 20, label: a player with a name that is far too long for a figure (other)}
END
gives 0 'nxn compare five.yaml -o five'
sed -n "s/.*<polygon fill = 'rgb( *\([0-9]*\), *\([0-9]*\), *\([0-9]*\))'\( fill-opacity = '\([0-9.]*\)'\)*.*/\1 \2 \3 \5/p" five/figures/tiles.svg |
	awk '{ share = NF > 3 ? $4 : 1; print int(255 + share * (0.299 * $1 + 0.587 * $2 + 0.114 * $3 - 255)) }' |
	sort -nu | awk 'NR > 1 && $1 < last + 25 { bad = 1 } { last = $1 } END { exit bad || NR != 5 }' ||
	complain 'five players are not five greys'
for end in first other; do
	grep "$end)" five/figures/means.svg | grep -qF '>a player' || complain "means does not tell which player is the $end"
done

# In shares, on other threads, in a folder of another name; then done again.
for name in compare ${all:+run gap}; do
	eval "command=\$$name"
	for share in 1 2; do
		gives 0 "nxn $command --shard $share/2 -o $name -j $share"
		[ ! -e $name/index.html ] || complain "a share has a page: $name"
	done
	gives 0 "nxn $command --out=$name --threads 2"
	again $name 'in shares'
	gives 0 "nxn $command -o $name"
	again $name 'a second time'
done

# A comparison that was interrupted has a page of what there is, which says so; of players that have no game yet it
# says so, and does not count games that they have not played.
slow='mcts:sims=300000;mcts:sims=300001;mcts:sims=300002;mcts:sims=300003'
gives 75 "nxn compare -b 3x3 -a 'random;$slow' -g 30 --time-budget 1s -o missing"
missing='Unfinished: 30 of 150 games. Not yet played: mcts:sims=300000 on 3x3, mcts:sims=300001 on 3x3, mcts:sims=300002 on 3x3, and 1 more'
tr '\n' ' ' <stdout >line
has "$missing. " line
has ' Up to 30 games of each player on each board.' line
has "# u${missing#U}" missing/tables/results.tsv
page missing "\"unfinished: ${missing#*: }\""
for figure in means tiles scores; do
	grep -o "\"name\":\"$figure\",\"caption\":\"[^\"]*" missing/index.html | grep -qF " Up to 30 games per player and board. $missing." ||
		complain "the caption of $figure counts games that were not played"
done
# nxn report says the same, and so does its bundle.
for again in 'report missing' 'report missing --spread' 'report missing --full'; do
	gives 0 "nxn $again"
	tr '\n' ' ' <stdout >line
	has "$missing. " line
done
has "# u${missing#U}" missing/tables/results.tsv
gives 0 'nxn report missing -o elsewhere'
has "\"unfinished: ${missing#*: }\"" elsewhere/index.html
# Not where the tables are older than the log, and not once the run is over.
awk -F '\t' -v OFS='\t' '$7 == 29 { $7 = 30; print; exit }' missing/games.tsv >next && cat next >>missing/games.tsv
gives 0 'nxn report missing'
grep -q Unfinished stdout && complain 'report tells of older tables'
gives 0 'nxn compare -b 3x3 -a random -g 30 -o missing-over --no-figures'
gives 0 'nxn report missing-over'
grep -q Unfinished stdout && complain 'report tells of a run that is over'
gives 75 'nxn sweep -b 4x4 -d 1,6 -c 0 -p 50 --time-budget 1s -o cut-sweep'
page cut-sweep '"unfinished: '
gives 75 'nxn gap -b 2x2 -a mcts:sims=20000,mcts:sims=10 -g 500 --time-budget 1s -j 1 -o cut-gap'
page cut-gap '"unfinished: '
at_work cut-duel/games.tsv 900 'nxn duel mcts:sims=30 mcts:sims=31 -b 2x2 --batch 20 -o cut-duel'
signalled TERM
page cut-duel '"unfinished: '
gives 75 "nxn compare -b 3x3 -a 'random;$slow' -g 31 --time-budget 0.1s -o missing --no-figures"
[ ! -e missing/index.html ] && [ ! -e missing/figures/means.svg ] || complain 'the page is older than the tables'

# Interrupted, and in less time than it takes.
for name in ${all:+compare} duel; do
	eval "command=\$$name"
	rm -rf $name
	at_work $name/games.tsv 20 "nxn $command -o $name -j 1"
	signalled INT
	gives 0 "nxn $command -o $name"
	again $name 'interrupted'
done

# The page is of what the command has made, not of what else is in the folder.
gives 0 "nxn $duel -o compare"
cmp whole/duel/index.html compare/index.html || complain 'the page of a duel has tables of a comparison'

# Without figures there is none; and none of a failure.
gives 0 'nxn compare -b 2x2 -a random -g 5 -o none --no-figures'
has 'Game log none/games.tsv, tables in none/tables.'
[ ! -e none/index.html ] || complain 'a page without figures'
# Nor are those of an earlier time left beside newer tables.
gives 0 'nxn compare -b 2x2 -a random -g 5 -o none'
[ -s none/figures/means.svg ] && [ -s none/index.html ] || complain 'no figures'
gives 0 'nxn compare -b 2x2 -a random -g 9 -o none --no-figures'
[ ! -e none/index.html ] && [ ! -e none/figures/means.svg ] || complain 'figures and page are older than the tables'

# A tuning leaves a page beside its table; report makes the same of that.
mkdir tuned
gives 0 'nxn tune -a expectimax:1 -p w_empty -b 2x2 -N 3 -m 1 -g 3 -G 2 --held-out 9 -o tuned/a.tsv'
has 'Page tuned/a-page/index.html.'
has '"title":"Tuning of expectimax:depth=1 on 2x2"' tuned/a-page/index.html
has '{"name":"tuning","caption":"Tuning by the cross-entropy method. ' tuned/a-page/index.html
[ -s tuned/a-page/figures/tuning.svg ] || complain 'no figure of a tuning'
grep -q '^# game' tuned/a-page/tables/tuning.tsv && complain 'games are in the table of the page'
gives 0 'nxn report tuned/a.tsv -o tuned/plot'
cmp tuned/a-page/figures/tuning.svg tuned/plot/figures/a/tuning.svg || complain 'report draws a tuning otherwise'
cmp tuned/a-page/tables/tuning.tsv tuned/plot/tables/a/tuning.tsv || complain 'report takes another table of a tuning'
gives 0 'nxn tune -a expectimax:1 -p w_empty -b 2x2 -N 3 -m 1 -g 3 -G 2 --held-out 9 -o tuned/b.tsv --no-figures'
[ ! -e tuned/b-page ] || complain 'a page of a tuning without figures'
mkdir -p taken/index.html
fails 1 'taken/index.html: cannot write' 'nxn compare -b 2x2 -a random -g 5 -o taken'
mkdir plots && cp "$source"/plots/*.gp plots
fails 1 'no template: plots/page.html' 'NXN_PLOTS=plots nxn compare -b 2x2 -a random -g 5 -o none'
exit $bad
