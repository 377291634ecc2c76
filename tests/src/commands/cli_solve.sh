#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn solve from the outside: its examples; the vectors; a naive solver under other rules, starts and
# goals; the same for any number of threads; killed at any moment it goes on to the same; every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/src/commands/solve_lib.sh"
naive=$(dirname "$nxn_path")/tests/src/verify/naive_solver

examples solve

# 2x2 and 2x3 in full.
for board in 2x2 2x3; do
	gives 0 "nxn solve --full --board $board --no-times"
	[ -s stderr ] && complain "complaints of solving $board"
	vector_agrees $board
	layers_agree $board 0
	for tile in 16 64 ${all:+8 32 128}; do
		grep -q "^$board p_reach.$tile " "$vectors/exact.txt" || continue
		gives 0 "nxn solve --full --board $board --target $tile --no-times"
		value_agrees $board p_reach.$tile
	done
	for goal in score moves; do
		gives 0 "nxn solve --full --board $board --goal best-$goal"
		value_agrees $board max_$goal
	done
done

# The head says how it was made; a transposed board has the same numbers.
gives 0 'nxn solve --full --board 2x3 --no-times'
has '# command: nxn solve --full --board 2x3 --no-times'
has '# configuration: '
grep -q '"sum"' stdout && complain 'names of columns have quotes in text'
has 'sum	states	states_raw	live'
grep '^[0-9a-rt-z]' stdout | grep -v '^board' >lying
gives 0 'nxn solve --full --board 3x2 --no-times'
grep '^[0-9a-rt-z]' stdout | grep -v '^board' >standing
[ "$(wc -l <lying)" -gt 130 ] || complain 'rows are missing'
same_values lying standing || complain '3x2 and 2x3 differ'
gives 0 'nxn solve --full --board 2x2'
has 'seconds	'
has 'memory	'
gives 0 'nxn solve --full --board 3x3 --target 8'
has 'p_reach.8	1'
grep 'value\|reach' stdout | grep -q '	1[.]' && complain 'a probability above 1'
gives 0 'nxn solve --full --board 2x2 --count'
grep -q 'value\|expected' stdout && complain '--count prints values'
has 'states	110'

# In words, within 80 columns: what came of it, what it means and where the rest is.
gives 0 'nxn solve --board 2x2 --out told.opt --work told.d'
has '2x2, spawns 2:0.9,4:0.1, games from 2 tiles'
has 'Perfect play scores 66.964 points on average: no player has a higher expected'
has 'positions      110 (662 with mirrored and turned ones)'
has 'The agent optimal:told.opt plays from the table told.opt.'
has 'The layers are in told.d.'
has '--full prints all values and a row for each layer'
gives 0 'nxn solve --start 0,2/2,0 --target 16 --no-times'
has 'games from 0,2/2,0'
has 'Perfect play reaches the tile 16 in '
grep -q 'It took' stdout && complain '--no-times tells the time'
gives 0 'nxn solve --board 2x2 --goal best-moves'
has 'No game lasts more than 24 moves: that takes the best play and the best luck.'
gives 0 'nxn solve --board 2x2 --max-sum 20 --count'
has 'until the tiles sum to more than 20'
has 'Positions were counted; they have no values.'
gives 0 'nxn solve --board 2x2 --policy greedy --table told.opt'
has 'Perfect play scores 66.964: greedy has '
has 'Largest tile at the end: '
[ "$(awk 'length > 80' stdout | wc -l)" -eq 0 ] || complain 'lines of more than 80 columns'

# Part of larger boards, and the sum that a game ends with.
for board in 3x3-120 3x4-36 4x3-40 4x4-34 ${all:+3x3-200 3x4-46 4x3-46 4x4-36}; do
	gives 0 "nxn solve --full --board ${board%-*} --max-sum ${board#*-} --count"
	layers_agree ${board%-*} ${board#*-}
done

# Positions of games up to a tile: Lees-Miller, The Mathematics of 2048: Counting States by Exhaustive
# Enumeration (2017), who counts those that are neither won nor lost.
while read -r board tile live; do
	[ "$board" ] || continue
	gives 0 "nxn solve --full --board $board --target $tile --count"
	has "live	$live"
done <<END
2x2 8 15
2x2 16 35
2x2 32 57
3x3 8 1186
3x3 16 16834
3x3 32 124372
${all:+3x3 64 594046
3x3 128 2064918}
END

# naively BOARD SPAWN START-TILES START|- GOAL TARGET|0 MAX-SUM|0: as the naive solver has it.
naively()
{
	options="--board $1 --spawn $2"
	[ "$4" = - ] && options="$options --start-tiles $3" || options="$options --start $4"
	case $5 in
	target) options="$options --target $6" ;;
	*) options="$options --goal $5" ;;
	esac
	[ "$7" = 0 ] || options="$options --max-sum $7"
	"$naive" "$@" | sort -u >naive || complain "the naive solver fails: $*"
	gives 0 "nxn solve --full $options --no-times"
	grep -v '^[#"]' stdout | cut -f 1-7 >got
	same_values naive got || complain "not as the naive solver has it: nxn solve $options"
	rows=$(grep -c '^[0-9]' naive)
	[ "$rows" -gt 0 ] && [ "$rows" -eq "$(grep -c '^[0-9]' got)" ] || complain "rows of layers: nxn solve $options"
}

usual=2:0.9,4:0.1
for goal in score moves ${all:+best-score best-moves}; do
	naively 2x3 2:0.5,4:0.3,8:0.2 1 - $goal 0 100
done
for goal in best-score ${all:+score moves best-moves}; do
	naively 3x2 $usual 2 2,0/4,8/16,2 $goal 0 0
done
for goal in best-moves ${all:+score moves best-score}; do
	naively 2x2 2:0.25,16:0.75 3 - $goal 0 0
done
naively 2x3 $usual 2 - moves 0 0
naively 2x3 4:1 3 - score 0 200
naively 2x4 $usual 2 - score 0 44
naively 3x3 $usual 2 2,0,0/0,4,0/2,2,8 moves 0 30
naively 2x2 2:0.5,8:0.5 2 0,0/0,2 target 32 0
naively 2x3 $usual 2 - target 64 0
naively 2x3 2:0.7,8:0.3 2 - target 32 90
naively 2x2 $usual 4 - score 0 0
naively 2x2 $usual 2 2,4/4,2 score 0 0

# Threads: the same output and the same table. The work folder of a finished task says it again.
run='nxn solve --full --board 2x4 --target 64 --no-times'
for threads in 1 3; do
	gives 0 "$run -j $threads -o table.$threads --work threads.$threads"
	untitled stdout >out.$threads
	cmp -s out.1 out.$threads || complain "$threads threads: another result"
	cmp -s table.1 table.$threads || complain "$threads threads: another table"
done
[ "$(wc -l <out.1)" -gt 100 ] && [ -s table.1 ] || complain 'no result of 2x4'
gives 0 "$run -o table.again --work threads.3"
untitled stdout | cmp -s - out.1 || complain 'a finished task says something else'
cmp -s table.1 table.again || complain 'a finished task has another table'
gives 0 "$run --memory 40M"
untitled stdout | cmp -s - out.1 || complain 'less memory: another result'

# The table file plays what was found: the best move of a start is worth what the start is.
for goal in '--goal score' '--goal moves' '--target 32'; do
	gives 0 "nxn solve --full --board 2x3 --start-tiles 3 $goal --out small.opt"
	sed -n 's/^start_value\.//p' stdout | sort >want
	cut -f 1 want >positions
	gives 0 'nxn eval --agent optimal:small.opt positions'
	tail -n +2 stdout | awk -F '\t' -v OFS='\t' '{
		best = -1
		for (i = 3; i <= 6; i++)
			if ($i != "NaN" && $i + 0 > best + 0)
				best = $i
		print $1, best
	}' >got
	[ "$(wc -l <want)" -gt 30 ] || complain "few starts: $goal"
	same_values want got || complain "optimal: not the values of nxn solve: $goal"
done

# Killed at any moment.
run='nxn solve --full --board 2x4 --max-sum 260 --no-times'
gives 0 "$run -o whole --work whole.d"
untitled stdout >out.whole
set -f
early=0
for seconds in 0.02 0.1 0.05 0.15; do
	killed . KILL $seconds "$run -o part --work part.d"
	[ $got -eq 137 ] && early=$((early + 1))
done
[ $early -gt 2 ] || echo "(killed early only $early times)"
gives 0 "$run -o part --work part.d"
untitled stdout | cmp -s - out.whole || complain 'killed now and then: another result'
cmp -s whole part || complain 'killed now and then: another table'

# Ctrl-C and SIGTERM: a command to go on with.
stopped TERM "$run -o term --work term.d -j 1"
if [ $got -ne 0 ]; then
	[ $got -eq 75 ] || complain "TERM: exit status $got"
	grep -q 'nxn solve: stopped; to resume:$' stderr || complain 'TERM: not said how to go on'
	[ -e term ] && complain 'TERM: half a table file'
	gives 0 "$(tail -n 1 stderr | sed 's/ --progress//')"
fi
untitled stdout | cmp -s - out.whole || complain 'after TERM: another result'
cmp -s whole term || complain 'after TERM: another table'
stopped INT 'nxn solve --board 3x3'
[ $got -eq 130 ] || complain "INT: exit status $got"
has 'stopped; to begin anew, as nothing was kept, and keep layers:' stderr
has ' --work DIR' stderr
set +f

# Work folders: of another task, damaged, in use.
for other in '--board 2x3' '--board 2x4 --spawn 2:1' '--board 2x4 --start-tiles 1' \
	'--board 2x4 --goal moves' '--board 2x4 --max-sum 50' '--board 2x4 --target 64'; do
	cp -r whole.d other.d
	gives 2 "nxn solve $other --work other.d"
	[ "$(wc -l <stderr)" -eq 1 ] && has other.d stderr || complain "a folder of another task: $other"
	cmp -s whole.d/layers.nxl other.d/layers.nxl || complain "a folder of another task is changed: $other"
	rm -r other.d
done
cp -r whole.d torn.d
size=$(wc -c <whole.d/layers.nxl)
for at in $((size - 1)) $((size / 3)); do
	head -c $at whole.d/layers.nxl >torn.d/layers.nxl
	gives 0 "$run -o torn --work torn.d"
	untitled stdout | cmp -s - out.whole || complain "torn at $at: another result"
	cmp -s whole torn || complain "torn at $at: another table"
done
nxn solve --board 3x3 --work busy.d --out busy.nxo >busy 2>&1 &
pid=$!
waits 100 '[ -s busy.d/layers.nxl ]' 'no layers come'
fails 2 'busy.d' 'nxn solve --board 3x3 --work busy.d'
fails 2 'busy.nxo: another process is writing this file' 'nxn solve --board 3x3 --work other.d --out busy.nxo'
[ ! -e other.d ] || complain 'solved before a table that another process writes was refused'
signalled KILL
rm -r busy.d

# The progress line.
gives 0 'nxn solve --full --board 2x4 --max-sum 120 --progress'
has 'positions' stderr
has 'pass 2 of 2, sum ' stderr

# Errors.
fails 2 '--board is missing: 2x2, 2x3, 3x3 and 2x4 are solved in seconds' 'nxn solve'
fails 2 '4x4 is too large to be solved in full; expected a board such as 3x3, or games' 'nxn solve --board 4x4'
has 'games that end earlier, by a smaller --max-sum or --target' stderr
fails 2 '5x5' 'nxn solve --board 5x5'
fails 2 ' take more than 2 MiB of memory: allow more (--memory)' 'nxn solve --board 3x3 --memory 2M'
fails 2 'positions with tiles that sum to' 'nxn solve --board 4x4 --max-sum 46 --memory 20M'
has ' take more than 20 MiB of memory' stderr
fails 2 "no game on 2x2 reaches 64, expected tiles up to 32" 'nxn solve --board 2x2 --target 64'
fails 2 '--target: 24 is not a power of 2' 'nxn solve --board 2x2 --target 24'
fails 2 "--target: 'x' is not a whole number" 'nxn solve --target x'
fails 2 '--max-sum: 6 is less than the 8' 'nxn solve --board 2x2 --max-sum 6'
fails 2 'games start with an empty board' 'nxn solve --start 0,0,0/0,0,0'
fails 2 '--max-sum: 6 is less than the 16' 'nxn solve --start 16,0/0,0 --max-sum 6'
fails 2 'games can start with the tile 16, expected a target above that' 'nxn solve --start 16,0/0,0 --target 16'
fails 2 "--goal: 'best' is none of score, moves" 'nxn solve --goal best'
fails 2 '--target and --goal: expected one of them' 'nxn solve --goal moves --target 16'
fails 2 '--goal: not with --count' 'nxn solve --goal moves --count'
fails 2 '--out: not with --count' 'nxn solve --out a --count'
fails 2 '--out: must not be empty' 'nxn solve --out ""'
fails 2 '--work: must not be empty' 'nxn solve --work ""'
for memory in x 8GB ''; do
	fails 2 "--memory: '$memory' is not a size" "nxn solve --memory '$memory'"
done
fails 2 "spawn '3:1'" 'nxn solve --board 2x2 --spawn 3:1'

# Files that cannot be written. With SIGXFSZ ignored, a limit on the size of files is a full disk.
: >file
fails 2 'file: is not a folder' 'nxn solve --board 2x2 --work file'
fails 2 'file: is not a folder' 'nxn solve --board 2x2 --work file/in'
fails 2 'absent' 'timeout 5 nxn solve --board 3x3 --out absent/table'
fails 2 'bin' 'timeout 5 nxn solve --board 3x3 --out bin'
# Whatever is no table of this game stays; one of it, damaged or with another goal, is replaced.
printf 'seed: 1\n' >mine.yaml
gives 0 'nxn train qlearn -b 2x2 -e 5 -o model.nxn'
gives 0 'nxn solve --full --board 2x2 --out table'
for file in mine.yaml model.nxn; do
	cp $file kept
	fails 2 "$file: exists and is not a table file; expected one, or another name" \
		"timeout 5 nxn solve --board 3x3 --out $file"
	[ -s stdout ] && complain "solved before $file was refused"
	cmp kept $file || complain "a table in place of $file"
done
cp table kept
fails 2 'table: exists and is the table of 2x2 with spawns 2:0.9,4:0.1 from 2 start tiles, not of 3x3' \
	'timeout 5 nxn solve --board 3x3 --out table'
fails 2 'not of 2x2 with spawns 2:1 from' 'nxn solve --board 2x2 --spawn 2:1 --out table'
fails 2 'not of 2x2 with spawns 2:0.9,4:0.1 from 2,4/0,0; expected another name' \
	'nxn solve --start 2,4/0,0 --out table'
cmp kept table || complain 'a table in place of that of another game'
gives 0 'nxn solve --full --board 2x2 --goal moves --out table'
cmp -s kept table && complain 'a table of another goal is not there'
head -c 100 kept >table
gives 0 'nxn solve --full --board 2x2 --out table'
cmp kept table || complain 'a damaged table is not solved again'
: >table
ln -s table link
ln -s made none
for link in link none; do
	gives 0 "nxn solve --full --board 2x2 --out $link"
	[ -L $link ] || complain 'a table in place of a link'
	cmp kept $link || complain 'another table through a link'
done
[ -f made ] || complain 'no table where a link leads'
fails 2 'model: exists and is not a table file' 'ln -s model.nxn model; nxn solve --board 2x2 --out model'
fails 1 'absent' 'TMPDIR=$PWD/absent nxn solve --board 2x2'
full="trap '' XFSZ; ulimit -f 64;"
fails 1 'File too large' "$full $run --work full.d"
fails 1 'File too large' "$full nxn solve --board 2x4"
gives 0 "$run --work full.d"
untitled stdout | cmp -s - out.whole || complain 'after a full disk: another result'
fails 1 'File too large' "$full $run --work full.d --out full"
[ -e full ] && complain 'half a table is left'
if [ -c /dev/full ]; then
	fails 1 'nxn: standard output: ' 'nxn solve --board 2x2 >/dev/full'
fi

exit $bad
