#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn-mpi does with any number of ranks what nxn does, and goes on with what any number left. Where
# nxn-mpi was not built, or nothing starts ranks, there is nothing to test.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
mpi_path=$(dirname "$nxn_path")/nxn-mpi
[ -x "$mpi_path" ] || { echo 'nxn-mpi was not built: nothing to test'; exit 0; }
ln -s "$mpi_path" bin/nxn-mpi

# Open MPI starts nothing as root, nor more ranks than there are processors, unless it is told to.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

# The program that starts ranks of this MPI: that of another would start two processes of one rank each.
mpirun=
for program in mpirun mpirun.openmpi mpirun.mpich mpiexec; do
	[ -z "$mpirun" ] && command -v $program >/dev/null && [ "$(timeout 300 $program -n 2 nxn-mpi --version 2>/dev/null | grep -c '^nxn ')" = 1 ] &&
		mpirun=$program
done
[ "$mpirun" ] || { echo 'no mpirun starts two ranks of nxn-mpi: nothing to test'; exit 0; }

# ranks N ARGUMENT...: an nxn-mpi of N ranks.
ranks()
{
	number=$1
	shift
	timeout 900 $mpirun -n "$number" nxn-mpi "$@"
}

# does N ARGUMENT...: it must succeed and say nothing on standard error, which must not be that of many.
does()
{
	ranks "$@" >stdout 2>stderr
	got=$?
	[ $got -eq 0 ] || complain "exit status $got of $*"
	[ -s stderr ] && complain "complaints of $*"
}

# tables_same FOLDER FOLDER LOG...: these logs, sorted, and all tables, but for where they come from.
tables_same()
{
	one=$1 other=$2
	shift 2
	for log; do
		games "$one/$log" | cut -f "$columns" | sort >want
		games "$other/$log" | cut -f "$columns" | sort | cmp - want || complain "$other/$log differs"
	done
	[ "$(ls "$one/tables")" = "$(ls "$other/tables")" ] || complain "$other has other tables"
	ls "$other" | grep -q rank && complain "$other: parts are left"
	return 0
}
blocks_same()
{
	(cd "$1/tables" && grep -v '^[#	]' -- *) >want
	(cd "$2/tables" && grep -v '^[#	]' -- *) | cmp - want || complain "$2: its tables differ"
}
columns=1-

# A learner that trains, and then plays on all ranks; games that are only played.
cat >learn.yaml <<'END'
seed: 3
boards: [3x3]
sequences:
  - agents: qlearn
    train: 200
    evaluate: 10
    repeat: 4
    games: 150
  - agents: [random, "expectimax:depth=1"]
    games: 120
END
learn='compare learn.yaml --no-figures --no-times --full -j 1'
gives 0 "nxn $learn -o learn"
for n in 3 ${all:+1}; do
	does $n $learn -o learn.$n
	grep -q '^3x3  *qlearn  *800  *160 ' stdout || complain "no table of $n ranks"
	[ "$(grep -c '^Game log' stdout)" -eq 1 ] || complain "$n ranks do not report once"
	tables_same learn learn.$n games.tsv
	blocks_same learn learn.$n
	cmp learn/models/*.nxn learn.$n/models/*.nxn || complain "$n ranks train something else"
done

# Ranks that were given different work, or different folders, do none.
apart='compare -b 3x3 -j 1 --no-figures'
# parts_refused WORDS FIRST SECOND: ends two ranks with these arguments, with status 2.
parts_refused()
{
	timeout 900 $mpirun -n 1 nxn-mpi $apart $2 : -n 1 nxn-mpi $apart $3 >stdout 2>stderr
	got=$?
	[ $got -eq 2 ] || complain "exit status $got of ranks with '$2' and '$3'"
	grep -q "^nxn [a-z]*: .*$1" stderr || complain "no '$1'"
}
parts_refused 'rank 1 does not find what rank 0 does (experiment)' '-a random -g 50 -o apart' '-a random -g 50 -s 2 -o apart'

# Killed, one rank or all of them, and gone on with by another number; no game is played twice.
# There must be games left when the signal comes, however fast the processor is.
games=60
! sanitized || games=20
grid="compare -b 3x3 -a random,expectimax:depth=5,cutoff=0 -g $games --no-figures --no-times -j 1"
gives 0 "nxn $grid -o grid"
# lines FOLDER: the games in its logs.
lines()
{
	cat "$1"/games*.tsv 2>/dev/null | grep -vc '^#\|^config'
}
# begin N FOLDER LINES: starts ranks and waits until all run and their logs have so many lines more than they
# had; $pid is mpirun's, and the file pids has those of the ranks.
begin()
{
	rm -f pids && : >pids
	number=$1 folder=$2 more=$(($(lines "$2") + $3))
	$mpirun -n "$1" sh -c 'echo $$ >>pids; exec nxn-mpi "$@"' sh $grid -o "$2" >stdout 2>stderr &
	pid=$!
	waits 300 '[ "$(lines "$folder")" -ge $more ] && [ "$(wc -l <pids)" -eq "$number" ]' "$2 does not grow"
}
begin 3 killed 22
kill -KILL "$(tail -n 1 pids)"
wait $pid && complain 'a rank that is killed goes unnoticed'
cat killed/games*.tsv >before
begin 2 killed 3
kill -KILL $(cat pids)
wait $pid
cat killed/games*.tsv | sort -u | grep -v '^#' >after
# Rank 0 may have played all that there is by then.
merges=$(cat killed/*rank* 2>/dev/null | grep -vc '^#\|^config')
ranks 4 $grid -o killed >stdout 2>stderr || complain 'a killed command does not go on'
[ "$merges" -eq 0 ] || has 'nxn: killed/games.tsv: merged ' stderr
tables_same grid killed games.tsv
blocks_same grid killed
games killed/games.tsv >all
grep -v '^#' before | sort -u | comm -23 - all | grep . && complain 'a finished game was lost'
comm -23 after all | grep -v '^config' | grep -q . && complain 'a finished game was lost, or is another'
gives 0 "nxn $grid -o killed"
tables_same grid killed games.tsv

# A signal to one rank ends all in order; the same command goes on, as shares of a job array as well.
rows=22
for signal in TERM ${all:+HUP}; do
	begin 3 ended $rows
	rows=3
	kill -$signal "$(head -n 1 pids)"
	wait $pid
	got=$?
	[ $got -eq 75 ] || complain "exit status $got after SIG$signal"
	grep -q "^nxn compare: stopped after [0-9]* of $((2 * games)) games; to resume:$" stderr || complain "no count after SIG$signal"
	grep -q '^mpirun -n 3 [^ ]*nxn-mpi compare ' stderr || complain "no command to resume with after SIG$signal"
	[ "$(grep -c 'to resume' stderr)" -eq 1 ] || complain 'said more than once'
	ls ended | grep -q rank && complain "parts are left after SIG$signal"
done
for i in 1 2; do
	gives 0 "nxn $grid -o ended --shard $i/2"
done
ranks 2 $grid -o ended >stdout 2>stderr || complain 'does not go on with shares'
tables_same grid ended games.tsv

# once STATUS WORDS ARGUMENT...: two ranks fail, one line says so; what mpirun has to say is its own.
once()
{
	want=$1 words=$2
	shift 2
	ranks 2 "$@" >stdout 2>stderr
	got=$?
	[ $got -eq "$want" ] || complain "exit status $got instead of $want: $*"
	[ "$(grep -c '^nxn' stderr)" -eq 1 ] || complain "more or less than one line: $*"
	grep '^nxn' stderr | grep -qF -e "$words" || complain "expected '$words' of: $*"
}
once 2 'nxn-mpi: play: has no use for ranks; the program for it is nxn: nxn play' play
echo 'no log' >killed/games.tsv
once 2 'killed/games.tsv:1: not a game log' $grid -o killed

# A sweep: searches but for their times, and games.
sweep='sweep -b 2x3,3x3 --depths 1-3 --cutoffs 1e-2,1e-3 --positions 10 --games 5 -j 1 --no-figures --no-times'
gives 0 "nxn $sweep -o sweep"
does 3 $sweep -o sweep.3
tables_same sweep sweep.3 games.tsv
columns=1-4,6-
tables_same sweep sweep.3 searches.tsv
columns=1-
cmp sweep/positions.txt sweep.3/positions.txt || complain 'other positions'

# A gap: solved once, trained, played, and exact values by turns.
gap='gap -b 2x3 -a random,corners,qlearn,expectimax:depth=2 --games 30 --train 200 --curve 3 -j 1 --no-figures'
gives 0 "nxn $gap -o gap"
does 3 $gap -o gap.3
tables_same gap gap.3 gap.tsv
blocks_same gap gap.3

# More of these kinds takes long.
[ "$all" ] || exit $bad
once 2 "agent 'nobody'" compare -a nobody
once 2 '--shard: 2 ranks share the work by themselves' compare --shard 1/2
does 2 --help
[ "$(grep -c '^Usage: nxn-mpi' stdout)" -eq 1 ] || complain 'help is not there once'
grep -q '^  play ' stdout && complain 'nxn-mpi offers a command that it does not do'

# Training by time: all ranks know from its model how much that was.
cat >timed.yaml <<'END'
boards: [2x3]
sequences:
  - agents: qlearn
    seconds: 1
    evaluate: 5
    repeat: 1
    games: 60
END
does 3 compare timed.yaml --no-figures -j 1 -o timed
cut -f 5 timed/games.tsv | sort -u | grep -c '^[1-9][0-9]*$' | grep -qx 1 || complain 'games after other times of training'
[ "$(games timed/games.tsv | wc -l)" -eq 66 ] || complain 'training by time: expected a header and 5 + 60 games'
gives 0 'nxn compare timed.yaml --no-figures -o timed'

# A tuning: the same table, line for line.
tune='tune -a expectimax:depth=1 -b 2x3 --params w_* -N 6 --elite 2 --games 5 --generations 2 --held-out 20 -j 1'
gives 0 "nxn $tune -o tune.tsv"
sed 's/^tune\.tsv//; s/tune-page/page/' stdout >told
grep -v '^# [a-z ]*:' tune.tsv >want
does 3 $tune -o tune.3.tsv
grep -v '^# [a-z ]*:' tune.3.tsv | cmp - want || complain "a tuning by 3 ranks has another table"
sed "s/^tune\\.3\\.tsv//; s/tune\\.3-page/page/" stdout | cmp - told || complain "a tuning by 3 ranks has another end"
mkdir tune.cut-games
head -n $(($(grep -c '' tune-games/games.tsv) - 20)) tune-games/games.tsv >tune.cut-games/games.tsv
does 3 $tune -o tune.cut.tsv
grep -v '^# [a-z ]*:' tune.cut.tsv | cmp - want || complain 'a tuning that goes on has another table'

# Other work, and other folders.
parts_refused 'rank 1 does not find what rank 0 does (experiment)' '-a random -g 50 -o apart' '-a greedy -g 50 -o apart'
parts_refused 'rank 1: there: there is no such folder' '-a random -g 50 -o here' '-a random -g 50 -o there'
mkdir there
parts_refused 'it must be one folder for all' '-a random -g 50 -o here' '-a random -g 50 -o there'
apart='tune -a expectimax:depth=1 -p w_* -b 3x3 -N 4 -m 2 -G 2'
parts_refused 'rank 1 does not find what rank 0 does (tuning)' '-s 1 -o apart.tsv' '-s 2 -o apart.tsv'

exit $bad
