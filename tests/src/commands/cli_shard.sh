#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shares of one folder: any number of them come to what one process does, byte for byte.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle

cat >demo.yaml <<'END'
boards: [2x3, 3x3]
sequences:
  - agents: [qlearn, ntuple]
    train: 40
    evaluate: 5
    repeat: 3
    games: 7
  - agents: [random, corners]
    games: 13
END
run='compare demo.yaml --no-figures --no-times -j 1'
gives 0 "nxn $run -o whole"
for i in 3 1 4 2; do
	gives 0 "nxn $run -o shards --shard $i/4"
	has "Share $i of 4 is done"
	[ -e shards/tables ] && complain 'a share made tables'
done
[ "$(ls shards/games.*.tsv | wc -l)" -eq 4 ] || complain 'not four parts'
gives 0 'nxn report shards'
has '13'
gives 0 "nxn $run -o shards"
has 'nxn: shards/games.tsv: merged 140 records of 4 parts' stderr
[ "$(ls shards/games*.tsv)" = shards/games.tsv ] || complain 'parts are still there'
runs_same whole shards games.tsv

# Two of three, killed in between, one of them again, then by one: nothing twice, nothing missing.
rows='compare -b 3x3 -a random,expectimax:depth=3 -g 60 --no-figures --no-times -j 1'
gives 0 "nxn $rows -o rows.whole"
for i in 1 2; do
	at_work rows/games.$i-of-3.tsv 20 "nxn $rows -o rows --shard $i/3"
	signalled KILL
done
fails 2 'rows/games.1-of-3.tsv: is a share of 3, not of 2 as --shard says' "nxn $rows -o rows --shard 1/2"
gives 0 "nxn $rows -o rows --shard 2/3"
gives 0 "nxn $rows -o rows"
runs_same rows.whole rows games.tsv
[ "$(games rows/games.tsv | cut -f 1,6,7 | uniq -d)" = "" ] || complain 'a game is there twice'

# A share that is at work is not merged, and nobody plays its part.
slow='compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 3000 --no-figures'
at_work busy/games.1-of-2.tsv 20 "nxn $slow -o busy --shard 1/2"
fails 2 "busy: another process is writing in this folder (process $pid on " "nxn $slow -o busy"
fails 2 'busy/games.1-of-2.tsv: another process is writing this game log' "nxn $slow -o busy --shard 1/2"
signalled TERM
[ $got -eq 75 ] || complain 'exit status of a share after SIGTERM'

# Sweeps: cells, timed by one share each, and their games.
sweep='sweep -b 2x3,3x3 --depths 1-3 --cutoffs 1e-1,1e-3 --positions 4 -g 5 --no-figures --no-times -j 1'
gives 0 "nxn $sweep -o sweep.whole"
for i in 1 2 3; do gives 0 "nxn $sweep -o sweep --shard $i/3"; done
[ "$(ls sweep/searches.*.tsv | wc -l)" -eq 3 ] || complain 'not three parts of searches'
cp -r sweep sweep.apart
gives 0 "nxn $sweep -o sweep"
has 'nxn: sweep/searches.tsv: merged 432 records of 3 parts' stderr
games sweep.whole/games.tsv >whole.rows
games sweep/games.tsv | cmp -s - whole.rows || complain 'games of a sweep in shares differ'
for dir in sweep.whole sweep; do
	games $dir/searches.tsv | cut -f 1-4,6- | sort >$dir.rows
done
cmp sweep.whole.rows sweep.rows || complain 'searches in shares differ'
cp -r sweep.apart sweep.kept
gives 0 "nxn $sweep -o sweep.kept"
games sweep.kept/searches.tsv >apart.rows
games sweep/searches.tsv | cmp -s - apart.rows || complain 'merged searches differ'
gives 0 "nxn $sweep --play-limit 10s -o limit --shard 2/2"
gives 0 "nxn $sweep --play-limit 10s -o limit"
games limit/games.tsv | cmp -s - whole.rows || complain 'games with a limit in shares differ'

# Gaps: learners, games, expected values, and one optimum of all shares.
gap='gap -b 2x3 -a random,expectimax:depth=2,qlearn,ntuple --train 60 --curve 3 -g 11 --no-figures -j 1'
gives 0 "nxn $gap -o gap.whole"
for i in 1 2 3 4; do nxn $gap -o gap --shard $i/4 >gap.$i 2>&1 & done
wait
for i in 1 2 3 4; do has "Share $i of 4 is done" gap.$i; done
[ -e gap/optimal-2x3.nxo.lock ] && complain 'a lock is left'
gives 0 "nxn $gap -o gap"
cmp gap.whole/optimal-2x3.nxo gap/optimal-2x3.nxo || complain 'the optima differ'
runs_same gap.whole gap gap.tsv

# Parts are read as they lie. A share that is missing is named, and the exit status is 1.
cp -r busy busy.before
gives 1 'nxn report busy'
has 'nxn: busy: share 2 of 2 is missing: games.2-of-2.tsv' stderr
gives 1 'nxn report busy --out bundle'
has 'nxn: busy: share 2 of 2 is missing: games.2-of-2.tsv' stderr
has 'warning: busy: unfinished: share 2 of 2 is missing: games.2-of-2.tsv' stderr
grep -q '"unfinished: share 2 of 2 is missing: games.2-of-2.tsv"' bundle/index.html || complain 'the page of a share says nothing of the others'
gives 1 'nxn report busy'
has 'Unfinished: share 2 of 2 is missing: games.2-of-2.tsv.'
cmp busy/games.1-of-2.tsv bundle/data/busy/games.1-of-2.tsv || complain 'a part is not in the bundle as it lies'
# Parts that are there without what they should have: empty, of another share, of other players; of other divisions.
small='compare -b 2x3 -a random,greedy -g 9 --no-figures --no-times -j 1'
for i in 1 2 3; do gives 0 "nxn $small -o lack --shard $i/3"; done
gives 0 'nxn report lack'
[ -s stderr ] && complain 'complete shares are complained about'
cp lack/games.2-of-3.tsv two
: >lack/games.2-of-3.tsv
gives 1 'nxn report lack'
has 'nxn: lack: share 2 of 3 has no games of random from number 1 on, as others have: games.2-of-3.tsv' stderr
tr '\n' ' ' <stdout >words
has 'those behind the first missing one are not counted, since a share of the work is missing' words
grep -q 'finished early' words && complain 'a missing share is taken for games that finished early'
cp lack/games.1-of-3.tsv lack/games.2-of-3.tsv
gives 1 'nxn report lack'
has 'share 2 of 3 has no games of random' stderr
grep -v '	greedy	' two >lack/games.2-of-3.tsv
gives 1 'nxn report lack'
has 'share 2 of 3 has no games of greedy' stderr
cp lack/games.2-of-3.tsv lack/games.rest.tsv
gives 1 'nxn report lack'
has 'share 2 of 3 has no games of greedy' stderr
rm lack/games.rest.tsv
cp two lack/games.3-of-4.tsv
fails 2 'lack/games.3-of-4.tsv: is a share of 4, not of 3 as others in its folder' 'nxn report lack'
fails 2 'lack/games.3-of-4.tsv: is a share of 4, not of 3 as --shard says' "nxn $small -o lack --shard 1/3"
gives 0 "nxn $small -o whole.small && nxn $small -o lack"
runs_same whole.small lack games.tsv
# Shares with another -g: the one that ends first is named. Merged, the games of either -g count.
for g in 30 60; do gives 0 "nxn compare -b 2x2 -a random -g $g -o uneven --shard $((g / 30))/2 --no-times"; done
gives 1 'nxn report uneven'
has 'nxn: uneven: share 1 of 2 has no games of random from number 30 on, as others have: games.1-of-2.tsv' stderr
gives 0 'nxn compare -b 2x2 -a random -g 30 -o even --no-figures --no-times'
gives 0 'nxn report even'
sed -n '/^random/s/  *[^ ]*$//p' stdout >want
[ -s want ] || complain 'no line of random'
gives 0 'nxn compare -b 2x2 -a random -g 30 -o uneven --no-figures --no-times'
gives 0 'nxn report uneven'
has 'random on 2x2: 30 of 45 games'
sed -n '/^random/s/  *[^ ]*$//p' stdout | cmp -s - want || complain 'merged shares of another -g: another mean'
gives 0 'nxn compare -b 2x2 -a random -g 60 -o uneven --no-figures --no-times'
grep -q Counted stdout && complain 'all games of uneven shares do not count'
# No more shares than games: those that have none are complete.
gives 0 "nxn compare -b 2x3 -a random -g 2 -o few4 --shard 1/4 && nxn compare -b 2x3 -a random -g 2 -o few4 --shard 2/4"
gives 0 'nxn compare -b 2x3 -a random -g 2 -o few4 --shard 3/4 && nxn compare -b 2x3 -a random -g 2 -o few4 --shard 4/4'
gives 0 'nxn report few4'
# A gap or a sweep of which a share is missing.
mkdir gap.apart && for i in 1 3; do grep -m 1 ^config gap/gap.tsv >gap.apart/gap.$i-of-3.tsv; done
fails 2 'gap.apart: share 2 of 3 is missing: gap.2-of-3.tsv' 'nxn report gap.apart'

diff -r busy busy.before || complain 'a report changes the folder'
fails 2 './busy/: this RUN is named twice' 'nxn report busy ./busy/'
fails 2 'sweep.apart: has no tables of all of its log' 'nxn report sweep.apart --out bundle'
rm sweep.apart/searches.2-of-3.tsv
fails 2 'sweep.apart: share 2 of 3 is missing: searches.2-of-3.tsv' 'nxn report sweep.apart --out bundle'
# Logs of several machines are one when they lie in one folder as parts; the command goes on with it.
gives 0 "nxn $rows -o left --shard 1/2 && nxn $rows -o right --shard 2/2"
nxn report --tsv=games rows.whole | grep -v '^#' | sort >want
gives 0 'nxn report --tsv=games left right'
grep -v '^#' stdout | sort | cmp - want || complain 'shares in two folders are not read as one log'
gives 1 'nxn report left right --out apart'
gives 0 'nxn verify left'
# Shares of two runs do not complete each other.
gives 0 "nxn $small -o seed1 --shard 1/2 && nxn $small -s 2 -o seed2 --shard 2/2"
gives 1 'nxn report seed1 seed2'
has 'nxn: seed1: share 2 of 2 is missing: games.2-of-2.tsv' stderr
has 'nxn: seed2: share 1 of 2 is missing: games.1-of-2.tsv' stderr
gives 0 "nxn $small -s 2 -o seed1 --shard 1/2 && nxn $small -o seed2 --shard 2/2 && nxn report seed1 seed2"
mkdir both && cp left/games.1-of-2.tsv both/games.left.tsv && cp right/games.2-of-2.tsv both/games.right.tsv
gives 0 'nxn report --tsv=games both'
[ -s stderr ] && complain 'parts that are no shares are complained about'
grep -v '^#' stdout | sort | cmp - want || complain 'parts are not read as one log'
gives 0 "nxn $rows -o both"
has 'nxn: both/games.tsv: merged 120 records of 2 parts' stderr
runs_same rows.whole both games.tsv
cp left/games.1-of-2.tsv rows/games.tsv both
mv both/games.tsv both/games.again.tsv
cp right/games.2-of-2.tsv both/games.tsv
gives 0 "nxn $rows -o both"
runs_same rows.whole both games.tsv
cp left/games.1-of-2.tsv both
gives 0 "nxn $rows -o both"
has 'nxn: both/games.tsv: merged 0 records of 1 part' stderr
[ ! -e both/games.1-of-2.tsv ] || complain 'a part that is merged is left'
# What cannot be merged is refused, and left.
sed 's/\t\([0-9]*\)\t\([0-9]*\)\t\([0-9]*\)\tNaN/\t4\t\2\t\3\tNaN/' rows/games.tsv >both/games.bad.tsv
fails 2 'both/games.bad.tsv:' "nxn $rows -o both"
has 'contradicts what both/games.tsv or a part before it says of the same' stderr
echo nonsense >both/games.bad.tsv
fails 2 "both/games.bad.tsv:1: not a game log: expected the column names config board label ... uncertainty, found 'nonsense'" "nxn $rows -o both"
head -n 9 rows/games.tsv | sed 's/\t/ /g' >both/games.bad.tsv
fails 2 'not a game log' "nxn $rows -o both"
{ grep -m 1 ^config rows/games.tsv; echo a b c; } >both/games.bad.tsv
fails 2 'both/games.bad.tsv:2: 1 column, a game has 13' "nxn $rows -o both"
# A damaged row would make the merged log one that nothing reads.
{ grep -m 1 ^config rows/games.tsv; sed -n '/^[0-9a-f]\{16\}/{s/^...../WRONG/p;q}' rows/games.tsv; } >both/games.bad.tsv
fails 2 'both/games.bad.tsv:2: config is ' "nxn $rows -o both"
fails 2 'both/games.bad.tsv:2: config is ' 'nxn report both'
fails 2 'both/games.bad.tsv:2: config is ' 'nxn compare -b 3x3 -a random -g 60 -o both --dry-run'
[ -e both/games.bad.tsv ] || complain 'a part that is not merged is gone'
gives 0 'nxn report both/games.tsv'
{ grep -m 1 ^config rows/games.tsv; printf torn; } >both/games.bad.tsv
gives 0 "nxn $rows -o both"
has 'merged 0 records of 1 part' stderr

# What is wrong.
words="is not a share such as 3/8"
for share in 0/4 5/4 3 /4 3/ a/b 1/0 -1/4 1/4x; do
	fails 2 "$words" "nxn $run --shard=$share"
done
# An estimate is of the whole run.
for command in "$small" 'sweep -b 2x2' 'gap --board 2x2'; do
	fails 2 '--shard: not with --dry-run' "nxn $command --shard 1/2 --dry-run"
done
fails 2 'this is neither a task of an array job nor a task of srun' \
	"env -u SLURM_ARRAY_TASK_COUNT -u SLURM_STEP_NUM_TASKS nxn $run --shard slurm"
array='SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=5'
gives 0 "$array SLURM_ARRAY_TASK_ID=10 nxn $run -o slurm --shard slurm"
has 'Share 2 of 2 is done'
fails 2 'expected an array such as 1-8' "$array SLURM_ARRAY_TASK_ID=7 nxn $run --shard slurm"
fails 2 'expected an array such as 1-8' "$array SLURM_ARRAY_TASK_ID=15 nxn $run --shard slurm"
# Tasks of srun, alone and within a task of an array.
gives 0 "SLURM_STEP_NUM_TASKS=70 SLURM_PROCID=69 nxn $small -o srun --shard slurm"
has 'Share 70 of 70 is done'
gives 0 "$array SLURM_ARRAY_TASK_ID=10 SLURM_STEP_NUM_TASKS=35 SLURM_PROCID=0 nxn $small -o srun --shard slurm"
has 'Share 36 of 70 is done'
fails 2 'task 3 of 3 of srun' "SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=3 nxn $small --shard slurm"
fails 2 'expected at most 100000 shares' "$array SLURM_ARRAY_TASK_ID=5 SLURM_STEP_NUM_TASKS=50001 SLURM_PROCID=0 nxn $small --shard slurm"
exit $bad
