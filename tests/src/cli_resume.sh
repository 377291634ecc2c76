#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Interrupted in any way, nxn compare, run and train go on as if nothing had happened.
. "${srcdir:-.}/tests/src/cli_lib.sh"

# A grid, killed again and again: the same games as without.
grid='compare -b 3x3,3x4 -a random,expectimax:depth=2 -g 60 -s 5 --no-figures --no-times'
gives 0 "nxn $grid -j 2 -o whole"
games whole/games.tsv >whole.games
for rows in 20 70 130 180; do
	nxn $grid -j 2 -o killed >/dev/null 2>&1 &
	pid=$!
	rows_wait killed/games.tsv $rows
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
done
gives 0 "nxn $grid -j 1 -o killed"
games killed/games.tsv | cmp - whole.games || complain 'a killed comparison differs from a whole one'

# Ctrl-C: exit status 130, the table so far, and a command that goes on. SIGTERM: 143.
slow='compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 300 --no-figures --no-times'
for signal in INT TERM; do
	status=130
	[ $signal = TERM ] && status=143
	nxn $slow -o "it's $signal" >stdout 2>stderr &
	pid=$!
	rows_wait "it's $signal/games.tsv" 310
	kill -$signal $pid
	wait $pid
	got=$?
	[ $got -eq $status ] || complain "exit status $got after SIG$signal"
	grep -q '^3x3  *random  *300 ' stdout || complain "no table after SIG$signal"
	grep -q '^nxn compare: stopped after [0-9]* of 600 games; to go on:$' stderr || complain "no count after SIG$signal"
	tail -n 1 stderr >resume
	grep -q "^nxn compare .* -o 'it'\\\\''s $signal'\$" resume || complain "resume command: $(cat resume)"
done
sed 's/ -g 300 / -g 12 /' resume >shorter
gives 0 "$(cat shorter)"
grep -q '^3x3  *expectimax[^ ]*  *12 ' stdout || complain 'the resume command does not go on'

# One process a folder.
nxn $slow -o locked >/dev/null 2>&1 &
pid=$!
rows_wait locked/games.tsv 20
fails 2 'another process is writing this game log' "nxn $slow -o locked"
kill -KILL $pid
wait $pid 2>/dev/null

# A training chain, killed and interrupted at every stage.
cat >chain.yaml <<'END'
seed: 3
boards: [3x3]
sequences:
  - agents: qlearn
    label: Q/learning
    train: 300
    evaluate: 15
    repeat: 6
    games: 20
  - agents: random
    games: 10
END
chain='run chain.yaml --no-figures --no-times'
gives 0 "nxn $chain -o chain.whole"
games chain.whole/games.tsv >chain.games
[ "$(wc -l <chain.games)" -eq 121 ] || complain 'expected a header and 6 * 15 + 20 + 10 games'
ls chain.whole/models | grep -q '^3x3-Q_learning-[0-9a-f]*\.nxn$' || complain 'no model'
for signal in KILL INT KILL TERM KILL; do
	nxn $chain -o chain >/dev/null 2>&1 &
	pid=$!
	sleep 0.03
	kill -$signal $pid 2>/dev/null
	wait $pid 2>/dev/null
done
for rows in 20 40 55 80 110; do
	nxn $chain -o chain >/dev/null 2>&1 &
	pid=$!
	rows_wait chain/games.tsv $rows
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
done
gives 0 "nxn $chain -o chain"
games chain/games.tsv | cmp - chain.games || complain 'a killed training chain differs from a whole one'
cmp chain/models/*.nxn chain.whole/models/*.nxn || complain 'a killed training chain has another model'
[ "$(ls chain/models | wc -l)" -eq 1 ] || complain 'temporary files were left behind'

# Games that got lost although training has gone past them; a model of nobody; nothing to do.
grep -v '	300	3	4	' chain/games.tsv >lost && cp lost chain/games.tsv
gives 0 "nxn $chain -o chain"
games chain/games.tsv | cmp - chain.games || complain 'a lost evaluation was not repaired'
rm chain/models/*.nxn
gives 0 "nxn $chain -o chain"
[ "$(ls chain/models | wc -l)" -eq 0 ] || complain 'trained although no game is missing'
games chain/games.tsv | cmp - chain.games || complain 'a finished chain was played again'
sed 's/repeat: 6/repeat: 7/' chain.yaml >longer.yaml
model=$(ls chain.whole/models)
echo 'no model' >chain/models/$model
fails 2 "chain/models/$model" 'nxn run longer.yaml --no-figures --no-times -o chain'

# nxn train: interrupted and gone on with, the model is the same and the curve has every game.
train='train qlearn -b 3x3 -e 1500 --block 200 -s 4'
gives 0 "nxn $train -o whole.nxn --curve whole.tsv"
has 'whole.nxn: qlearn on 3x3 after 1500 training games'
grep -v '^#' whole.tsv | cut -f 1,2 | tr '\t\n' ' ;' >blocks
[ "$(cat blocks)" = '"trained" "games";200 200;400 200;600 200;800 200;1000 200;1200 200;1400 200;1500 100;' ] ||
	complain "blocks of the curve: $(cat blocks)"
for signal in KILL INT KILL TERM; do
	nxn $train -o part.nxn --curve part.tsv >/dev/null 2>stderr &
	pid=$!
	sleep 0.04
	kill -$signal $pid 2>/dev/null
	wait $pid 2>/dev/null
done
gives 0 "nxn $train -o part.nxn --curve part.tsv"
cmp part.nxn whole.nxn || complain 'interrupted training gives another model'
[ "$(grep -v '^[#"]' part.tsv | awk '{ sum += $2 } END { print sum }')" = 1500 ] || complain 'the curve lacks games'
nxn train qlearn -b 4x4 -e 1000000 -o stopped.nxn >stdout 2>stderr &
pid=$!
sleep 0.3
kill -INT $pid
wait $pid
[ $? -eq 130 ] || complain 'exit status of interrupted training'
has 'nxn train: stopped; to go on:' stderr
has 'nxn train qlearn -b 4x4 -e 1000000 -o stopped.nxn' stderr

# Errors of nxn train.
fails 2 'the agent is missing' 'nxn train -e 1 -o x.nxn'
fails 2 '--episodes is missing' 'nxn train qlearn -o x.nxn'
fails 2 '--out is missing' 'nxn train qlearn -e 1'
fails 2 "unexpected argument 'x'" 'nxn train qlearn x -e 1 -o x.nxn'
fails 2 "--block: '0' is not" 'nxn train qlearn -e 1 -o x.nxn --block 0'
fails 2 'random does not learn' 'nxn train random -e 1 -o x.nxn'
fails 2 "agent 'qlean'" 'nxn train qlean -e 1 -o x.nxn'
fails 2 "levels=0', not as qlearn:eta=2" 'nxn train qlearn:eta=2 -b 3x3 -e 1 -o whole.nxn'
fails 2 'whole.nxn' 'nxn train qlearn -b 4x4 -e 1 -o whole.nxn'
fails 2 'training goes on from the model given as --out only' 'nxn train qlearn:whole.nxn -b 3x3 -e 9 -o x.nxn'
echo 'mine' >mine.tsv
fails 2 'mine.tsv: exists and is not a learning curve' 'nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve mine.tsv'
has mine mine.tsv
fails 2 'mine.tsv' 'nxn train qlearn -b 2x2 -e 9 -o mine.tsv'
fails 1 '/proc/x.nxn' 'nxn train qlearn -b 2x2 -e 9 -o /proc/x.nxn'
fails 1 '/proc/x.tsv' 'nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve /proc/x.tsv'

exit $bad
