#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Interrupted in any way, nxn compare and run go on as if nothing had happened. For nxn train see
# cli_train.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# A grid, killed again and again: the same games as without.
grid='compare -b 3x3,3x4 -a random,expectimax:depth=2 -g 60 -s 5 --no-figures --no-times'
gives 0 "nxn $grid -j 2 -o whole"
games whole/games.tsv >whole.games
for rows in 20 130; do
	at_work killed/games.tsv $rows "nxn $grid -j 2 -o killed"
	signalled KILL
done
gives 0 "nxn $grid -j 1 -o killed"
games killed/games.tsv | cmp - whole.games || complain 'a killed comparison differs from a whole one'

# Ctrl-C: exit status 130, the table so far, and a command that goes on. SIGTERM: 75.
slow='compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 300 --no-figures --no-times --full'
for signal in INT TERM; do
	# Some games after those of random.
	at_work "it's $signal/games.tsv" 330 "nxn $slow -o \"it's $signal\""
	stops $signal 'compare: stopped after [0-9]* of 600 games'
	grep -q '^3x3  *random  *0  *300 ' stdout || complain "no table after SIG$signal"
	grep -q "^nxn compare .* -o 'it'\\\\''s $signal'\$" resume || complain "resume command: $(cat resume)"
done
more=$(($(grep -c '	3x3	expectimax' "it's TERM/games.tsv") + 3))
sed "s/ -g 300 / -g $more --only /" resume >shorter
gives 0 "$(cat shorter)"
grep -q "^3x3  *expectimax[^ ]*  *0  *$more " stdout || complain 'the resume command does not go on'

# A budget of time ends like SIGTERM, and so does SIGUSR1; the same command goes on.
slow='compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 3000 --no-figures --no-times'
gives 75 "nxn $slow --time-budget 0.3s -o budget"
grep -q '^nxn compare: stopped after [0-9]* of 6000 games; to resume:$' stderr || complain 'no count after the budget'
gives 0 "nxn compare -b 2x2 -a random -g 5 --time-budget 1h --no-figures -o budget2"
fails 2 "--time-budget: '5' is not a time such as 90s, 10m or 1.5h" 'nxn compare -a random --time-budget 5'
at_work usr1/games.tsv 310 "nxn $slow -o usr1"
stops USR1 'compare: stopped after [0-9]* of 6000 games'
for long in 'solve -b 3x3 --work solve.d' \
	'tune -a expectimax:depth=2 --params w_* -b 4x4 -o tune.tsv' \
	'gap -b 2x3 -a expectimax:depth=5 -g 100000 --exact never -o gap'; do
	gives 75 "nxn $long --time-budget 0.2s"
	grep -q 'stopped' stderr || complain "no word of the end of $long"
done

# A training chain, killed and interrupted at every stage.
cat >chain.yaml <<'END'
seed: 3
boards: [3x3]
sequences:
  - agents: qlearn
    label: Q/learning
    train: 100
    evaluate: 15
    repeat: 6
    games: 20
  - agents: random
    games: 10
END
chain='compare chain.yaml --no-figures --no-times'
gives 0 "nxn $chain -o chain.whole"
games chain.whole/games.tsv >chain.games
[ "$(wc -l <chain.games)" -eq 121 ] || complain 'expected a header and 6 * 15 + 20 + 10 games'
ls chain.whole/models | grep -q '^3x3-Q_learning-[0-9a-f]*\.nxn$' || complain 'no model'
for signal in KILL INT TERM; do
	killed . $signal 0.03 "nxn $chain -o chain"
done
for rows in 20 80; do
	at_work chain/games.tsv $rows "nxn $chain -o chain"
	signalled KILL
done
gives 0 "nxn $chain -o chain"
games chain/games.tsv | cmp - chain.games || complain 'a killed training chain differs from a whole one'
cmp chain/models/*.nxn chain.whole/models/*.nxn || complain 'a killed training chain has another model'
[ "$(ls chain/models | wc -l)" -eq 1 ] || complain 'temporary files were left behind'

# Games that got lost although training has gone past them; a model of nobody; nothing to do.
grep -v '	100	3	4	' chain/games.tsv >lost && cp lost chain/games.tsv
gives 0 "nxn $chain -o chain"
games chain/games.tsv | cmp - chain.games || complain 'a lost evaluation was not repaired'
rm chain/models/*.nxn
gives 0 "nxn $chain -o chain"
[ "$(ls chain/models | wc -l)" -eq 0 ] || complain 'trained although no game is missing'
games chain/games.tsv | cmp - chain.games || complain 'a finished chain was played again'
sed 's/repeat: 6/repeat: 7/' chain.yaml >longer.yaml
model=$(ls chain.whole/models)
echo 'no model' >chain/models/$model
fails 2 "chain/models/$model" 'nxn compare longer.yaml --no-figures --no-times -o chain'

# Traced games: there whole or not at all, whatever kills the process, and those of an untrained learner
# too; of a finished experiment they are made afterwards, and make no game another one.
sed 's/^seed: 3/&\ntraces: 2/' chain.yaml >traced.yaml
traced='compare traced.yaml --no-figures --no-times'
gives 0 "nxn $traced -o traced.whole"
games traced.whole/games.tsv | cmp - chain.games || complain 'traces change games'
[ "$(ls traced.whole/traces | wc -l)" -eq 16 ] || complain 'expected traces of 2 games, 7 stages and random'
# A trace that is none is named; its lines would be those of a table.
for change in '1s/move/mover/' '3s/$/	1/' '3s/	[^	]*/	"\x1b[2J"/' '3s/	[^	]*/	x/'; do
	rm -rf traced && cp -r traced.whole traced
	trace=$(ls traced/traces/* | head -n 1)
	sed -i "$change" "$trace"
	fails 2 "$trace:${change%%s*}" "nxn $traced -o traced"
done
rm -rf traced
for rows in 20 80; do
	at_work traced/games.tsv $rows "nxn $traced -o traced"
	signalled KILL
done
gives 0 "nxn $traced -o traced"
diff -r traced/traces traced.whole/traces || complain 'a killed experiment has other traces'
games traced/games.tsv | cmp - chain.games || complain 'a killed experiment with traces has other games'
grep -v '^# [cn]' traced/tables/moves.tsv >moves
grep -v '^# [cn]' traced.whole/tables/moves.tsv | cmp - moves || complain 'a killed experiment has another table of moves'
cp -r chain.whole chain.late
gives 0 "nxn $traced -o chain.late"
diff -r chain.late/traces traced.whole/traces || complain 'traces made afterwards are others'
games chain.late/games.tsv | cmp - chain.games || complain 'traces made afterwards change the log'
cmp chain.late/models/*.nxn chain.whole/models/*.nxn || complain 'traces made afterwards change the model'
rm chain.late/traces/3x3-Q_learning-0-1-*.tsv
gives 0 "nxn $traced -o chain.late"
diff -r chain.late/traces traced.whole/traces || complain 'a lost trace was not repaired'

# A trace that cannot be written: the game is not logged either.
mkdir -p untraced/traces
path=$(ls traced.whole/traces/3x3-random-0-1-*.tsv)
ln -s nowhere "untraced/traces/${path##*/}"
fails 2 'expected the trace of a game' "nxn $traced -j 1 -o untraced"
games untraced/games.tsv | grep -q '	random	random	0	3	1	' && complain 'a game without its trace is in the log'
rm "untraced/traces/${path##*/}"
gives 0 "nxn $traced -o untraced"
diff -r untraced/traces traced.whole/traces || complain 'traces after an error are others'

# A trace is the game: moves and score of the log, and the chances of random.
for stage in 0 600; do
	label=random
	[ $stage -gt 0 ] && label=Q_learning
	awk -F '\t' -v stage=$stage '$5 == stage && $7 == 1 { print $10 }' chain.games | head -n 1 >moves.log
	tail -n 1 traced/traces/3x3-$label-$stage-1-*.tsv | cut -f 3 | cmp - moves.log ||
		complain "another number of moves of $label"
done
awk -F '\t' 'NR > 1 { d = 2 - 2 / $11 - $10; if (d > 1e-9 || d < -1e-9 || $9 * $11 < 1 - 1e-9 || $9 * $11 > 1 + 1e-9) bad = 1
	doubt += $10 } END { exit bad; }' traced/traces/3x3-random-0-0-*.tsv || complain 'chances of random are not equal'
awk -F '\t' 'NR > 1 { doubt += $10 } END { printf "%.6f\n", doubt / (NR - 1) }' traced/traces/3x3-random-0-0-*.tsv >doubt
grep '	random	random	0	3	0	' chain.games | sed 's/.*	//' | cmp - doubt || complain 'another uncertainty than the log'

# Training by time: a block of seconds comes to some games once and for all.
cat >timed.yaml <<'END'
seed: 3
boards: [3x3]
sequences:
  - agents: qlearn
    label: Q
    seconds: 1
    evaluate: 10
    repeat: 2
    games: 10
END
timed='compare timed.yaml --no-figures -o timed'
# With the games of the first block it is in the second one.
for rows in ${all:+1} 18; do
	at_work timed/games.tsv $rows "nxn $timed"
	sleep 0.2
	signalled KILL
done
nxn $timed >/dev/null 2>&1 &
pid=$!
signals_wait $pid
sleep 0.2
signalled INT
[ $got -eq 130 ] || complain 'exit status of interrupted training by time'
gives 0 "nxn $timed"
untimed()
{
	games timed/games.tsv | cut -f 1-10
}
untimed >timed.games
cut -f 5 timed.games | grep -v trained | sort -n | uniq -c | awk '{ print $1 }' | tr '\n' ' ' >stages
[ "$(cat stages)" = '10 20 ' ] || complain "games of the stages: $(cat stages)"
cut -f 5 timed.games | grep -v trained | sort -nu >ends
column timed/tables/curve.tsv trained | cmp - ends || complain 'the curve has other stages'
column timed/tables/curve.tsv seconds >seconds
awk '$1 < NR || $1 > NR + 0.9 { bad = 1 } END { exit bad || NR != 2 }' seconds || complain "not a second a block: $(cat seconds)"
gives 0 "nxn train qlearn -b 3x3 -s 3 -e $(tail -n 1 ends) -o counted.nxn"
# The model, without the note of its times.
head -c "$(wc -c <counted.nxn)" timed/models/*.nxn | cmp - counted.nxn || complain 'training by time gives another model than by games'
gives 0 "nxn $timed"
untimed | cmp - timed.games || complain 'finished training by time was gone on with'
grep -v "^[^#]*	Q	qlearn	$(head -n 1 ends)	3	[3-6]	" timed/games.tsv >lost
[ "$(wc -l <lost)" -eq $(($(wc -l <timed/games.tsv) - 4)) ] || complain "no four games of the first stage"
cp lost timed/games.tsv
gives 0 "nxn $timed"
untimed | cmp - timed.games || complain 'a lost evaluation of training by time was not repaired'
gives 0 'nxn compare timed.yaml --dry-run --no-times'
has '3x3	Q	qlearn	1s	10	2	10'
has '# 2 seconds of training'

exit $bad
