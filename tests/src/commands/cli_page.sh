#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a run, index.html in its folder: each command leaves it and names it; it is the same for equal
# runs, however they came about. What may only be read, whose page is left as it is: cli_faults.sh. What is
# on a page: test_page.c.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# page FOLDER WORDS: the page there has all that was drawn, WORDS, and nothing from elsewhere.
page()
{
	has "Page $1/index.html; "
	[ -s "$1/index.html" ] || complain "no $1/index.html"
	[ ! -e "$1/index.html.part" ] || complain "$1/index.html is not whole"
	for figure in "$1"/figures/*.svg; do
		name=${figure##*/}
		has "<figure id=\"run-run-figure-${name%.svg}\">" "$1/index.html"
	done
	[ "$(grep -o 'class="drawing dark"' "$1/index.html" | wc -l)" -eq "$(ls "$1"/figures/*.svg | wc -l)" ] ||
		complain "not every figure is dark, too: $1"
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
run='run some.yaml --no-times'
sweep='sweep -b 2x2,2x3 -d 1,2 -c 0 -p 5 -g 5'
gap='gap -b 2x2 -a random,greedy:ties=random,qlearn --train 50 --curve 2 -g 20 --exact never'
duel='duel corners greedy -b 2x3 -g 300 --batch 50 --no-times'
gives 0 "nxn $compare -j 2 -o whole/compare"
page whole/compare '<title>Players compared</title>'
has '<li>command: nxn compare -b 2x2,2x3 -a random,greedy -g 150 --no-times</li>' whole/compare/index.html
has '<a href="./tables/results.tsv">' whole/compare/index.html
has '<a href="./games.tsv">' whole/compare/index.html
gives 0 "nxn $run -o whole/run"
page whole/run '<title>A &lt;title&gt; &amp; more</title>'
gives 0 "nxn $sweep -o whole/sweep"
page whole/sweep 'The settings that no other beats'
gives 0 "nxn $gap -o whole/gap"
page whole/gap 'share of the optimum'
gives 0 "nxn $duel -o whole/duel"
page whole/duel '<title>corners against greedy on 2x3</title>'
gives 0 'nxn plot whole/compare -o whole/plot'
page whole/plot '<title>Players compared</title>'

# again NAME HOW: the page is that of the whole run, whose times are not those of this one.
again()
{
	cmp "whole/$1/index.html" "$1/index.html" || complain "another page: $1 $2"
}

# In shares, on other threads, in a folder of another name; then done again.
for name in compare run gap; do
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

# Interrupted, and in less time than it takes.
for name in compare duel; do
	eval "command=\$$name"
	rm -rf $name
	nxn $command -o $name -j 1 >stdout 2>stderr &
	rows_wait $name/games.tsv 20
	kill -INT $!
	wait $!
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
mkdir -p taken/index.html
fails 1 'taken/index.html: cannot write' 'nxn compare -b 2x2 -a random -g 5 -o taken'
mkdir plots && cp "$source"/plots/*.gp plots
fails 1 'no template: plots/page.html' 'NXN_PLOTS=plots nxn compare -b 2x2 -a random -g 5 -o none'
exit $bad
