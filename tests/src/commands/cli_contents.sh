#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A file that an agent reads, replaced by another under the same name: another player, whose games are its own.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'

# Two models and two tables under one name each, as much trained, of the same board.
for seed in 1 2; do
	gives 0 "nxn train qlearn -b 2x2 -e 200 -s $seed -o q$seed.nxn"
	gives 0 "nxn train ntuple:tuples=lines,lanes=2 -b 2x2 -e 200 -s $seed -o n$seed.nxn"
	gives 0 "nxn train policy:hidden=4 -b 2x2 -e 200 -s $seed -o p$seed.nxn"
done
gives 0 'nxn solve -b 2x2 -o t1.nxn'
gives 0 'nxn solve -b 2x2 --target 16 -o t2.nxn'
gives 0 'nxn play --agent random -b 2x2 -s 1 --games 20 --record g1.nxn'
gives 0 'nxn play --agent random -b 2x2 -s 2 --games 20 --record g2.nxn'

# put N: the files of that number under the names that agents are told.
put()
{
	for kind in q n p t g; do
		cp $kind$1.nxn $kind.nxn
	done
}

# configs COMMAND FOLDER: how many players the log in FOLDER has.
configs()
{
	games "$1" | grep -v '^config' | cut -f 1 | sort -u | wc -l
}

for agent in qlearn:q.nxn ntuple:n.nxn expectimax:depth=1,value=ntuple:n.nxn optimal:t.nxn \
	mcts:sims=2,prior=policy:p.nxn mcts:sims=2,rollout=expectimax:depth=1+value=ntuple:n.nxn; do
	rm -rf log
	put 1
	gives 0 "nxn compare -b 2x2 -a $agent -g 4 -o log --no-figures --no-times"
	games log/games.tsv >first
	put 2
	gives 0 "nxn compare -b 2x2 -a $agent -g 4 -o log --no-figures --no-times"
	[ "$(configs log/games.tsv)" -eq 2 ] || complain "$agent: games of two players are taken for one's"
	gives 0 "nxn compare -b 2x2 -a $agent -g 4 -o fresh.$agent --no-figures --no-times"
	games log/games.tsv | grep -vxF -f first >second
	games "fresh.$agent/games.tsv" | grep -v '^config' | cmp -s - second || complain "$agent: other games than in a new folder"
	put 1
	gives 0 "nxn compare -b 2x2 -a $agent -g 4 -o log --no-figures --no-times"
	[ "$(configs log/games.tsv)" -eq 2 ] || complain "$agent: the first file is not known again"
	mv q.nxn moved.nxn
done

# What a learner begins with decides what it becomes.
for agent in policy:hidden=4,weights=p.nxn policy:hidden=4,demonstrations=g.nxn; do
	printf 'boards: [2x2]\nsequences:\n  - agents: "%s"\n    train: 20\n    repeat: 1\n    games: 2\n' "$agent" >e.yaml
	rm -rf log
	put 1
	gives 0 'nxn compare e.yaml -o log --no-figures'
	put 2
	gives 0 'nxn compare e.yaml -o log --no-figures'
	[ "$(ls log/models/*.nxn | wc -l)" -eq 2 ] || complain "$agent: not learned anew"
done

# The other commands that go on with what a log has.
put 1
gives 0 'nxn play --agent qlearn:q.nxn -b 2x2 --games 2 --record rec'
gives 0 'nxn duel qlearn:q.nxn random -b 2x2 -g 20 --batch 20 -o d --no-figures'
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p 2 -a expectimax:value=ntuple:n.nxn -o s --no-figures'
gives 0 'nxn gap -b 2x2 -a qlearn:q.nxn -g 2 -o gap --no-figures'
gives 0 'nxn tune -a expectimax:depth=1,value=ntuple:n.nxn -b 2x2 -p cutoff -N 2 -m 1 -g 1 -G 1 --held-out 2 -o t.tsv'
put 2
gives 0 'nxn duel qlearn:q.nxn random -b 2x2 -g 20 --batch 20 -o d --no-figures'
[ "$(configs d/games.tsv)" -eq 3 ] || complain 'duel: games of two players are taken for one'
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p 2 -a expectimax:value=ntuple:n.nxn -o s --no-figures'
[ "$(configs s/searches.tsv)" -eq 4 ] || complain 'sweep: searches of two players are taken for one'
gives 0 'nxn gap -b 2x2 -a qlearn:q.nxn -g 2 -o gap --no-figures'
[ "$(configs gap/gap.tsv)" -eq 2 ] || complain 'gap: games of two players are taken for one'
gives 0 'nxn play --agent qlearn:q.nxn -b 2x2 --games 2 --record rec'
has ' 2 of them new'
gives 2 'nxn tune -a expectimax:depth=1,value=ntuple:n.nxn -b 2x2 -p cutoff -N 2 -m 1 -g 1 -G 1 --held-out 2 -o t.tsv'

# A bundle says of which games it cannot tell.
gives 0 'nxn compare -b 2x2 -a qlearn:q.nxn -g 4 -o held --no-figures'
gives 0 'nxn verify held --fraction 100%'
has '4 of 4 games played again, all the same'
put 1
gives 1 'nxn verify held --fraction 100%'
has 'other contents of the file that it reads'

exit $bad
