#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands print for people fits into the 80 columns of a terminal, but for what is asked for in full, what
# programs read and what names of the user's own force.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# fits COMMAND: none of its lines is wider, on a terminal.
fits()
{
	on_terminal 80 1 "$1" >stdout 2>stderr || complain "fails: $1"
	[ -s stdout ] || complain "no output: $1"
	awk 'length > 80' stdout >wide
	[ ! -s wide ] || complain "wider than 80 columns: $1
$(cat wide)"
}

printf '2,2,4/0,0,8/2,0,0\n128,64,32,8/2,4,16,4/0,2,4,2/0,0,2,0\n' >positions
fits 'nxn compare -b 3x3,4x4 -g 30 -o compare'
fits 'nxn compare -b 3x3,4x4 -g 30 -o compare --full --no-figures'
fits 'nxn report compare'
fits 'nxn report --spread compare'
grep -v '^#' compare/games.tsv | cut -f 2- >scores.tsv
fits 'nxn report --scores --column score scores.tsv --full'
fits 'nxn duel corners greedy -b 3x3 -o duel --full --no-figures'
fits 'nxn duel corners greedy -b 3x3 --power 5% --bound 3% -o duel --no-figures'
fits 'nxn sweep -b 3x3,4x4 -d 1-3 -c 1e-2,1e-3 -p 10 -g 5 -B 10us,1ms -o sweep --no-figures'
# Each part of a table that does not fit says which cutoff and depth its rows are of.
on_terminal 55 1 'nxn sweep -b 3x3,4x4 -d 1-3 -c 1e-2,1e-3 -p 10 -g 5 -B 10us,1ms -o sweep --no-figures' >stdout 2>stderr
[ "$(grep -c '^3x3, cutoff  depth ' stdout)" -eq 2 ] || complain 'parts of a table without their depth'
fits 'nxn gap -b 2x3 -a random,corners,qlearn,expectimax:depth=2 -t 500 -g 50 -o gap --no-figures'
fits 'nxn gap -b 2x3 -a random,corners,qlearn,expectimax:depth=2 -t 500 -g 50 -o gap --full --no-figures'
fits 'nxn train qlearn -b 3x3 -e 1000 --block 500 -o q.nxn'
fits 'nxn solve -b 2x3 --out 2x3.opt'
fits 'nxn solve -b 2x3 --policy corners --table 2x3.opt'
fits 'nxn verify --list'
fits 'nxn verify --only streams'
fits "nxn verify --against 'nxn eval --serve -a greedy' -b 3x3 --positions 20"
fits 'nxn verify -b 3x3 -k 2'
fits 'nxn bench -b 4x4 --repeats 1'
fits 'nxn eval -a expectimax:depth=2 positions'
# An illegal move has no value; numbers are below their names.
awk 'NR == 1 { end = index($0, "up") + 1 } $NF && NR == 5 && substr($0, end, 1) == "-" { good = 1 } END { exit !good }' stdout ||
	complain 'the columns of eval are not aligned'
fits 'nxn info'
for topic in program boards agents values expectimax mcts ntuple heuristic 2x3.opt; do
	fits "nxn info $topic"
done
# Long settings of agents are broken behind commas, where they are not to be copied.
cat >run.yaml <<'END'
title: A title of an experiment that is so long that a terminal of eighty columns has no room for it
boards: [3x3, 4x4]
sequences:
  - {agents: ["expectimax:value=strong,depth=2", random], games: 20}
  - {agents: ["ntuple:tuples=lines"], label: lines, train: 40, evaluate: 8, repeat: 2, games: 16}
END
fits 'nxn compare run.yaml --dry-run'
has '3x3  lines: 2 times 40 training games and 8 games, then 16 games;'
fits 'nxn compare figure9 --dry-run --no-times'
gives 0 'nxn compare run.yaml --dry-run --no-times'
has '3x3	random	random	0	0	0	20	'
fits 'nxn info q.nxn'
nxn train ntuple:tuples=lines -b 3x3 -e 1 -o n.nxn >stdout 2>stderr
fits 'nxn info n.nxn'
fits "nxn tune -a expectimax:1 -p 'w_*' -b 3x3 -N 5 -m 2 -G 1 -g 2 --held-out 5 -o t.tsv --no-figures | grep -v '^  nxn compare \\|^result '"
fits 'nxn info experiments'
fits 'nxn play -a corners -b 3x3'
exit $bad
