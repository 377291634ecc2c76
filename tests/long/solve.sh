#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn solve where it takes minutes: all of 3x3 in tests/vectors/, with time and memory printed, within a
# limit on memory; 2x4 with one thread and with all.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/src/commands/solve_lib.sh"

# measured MEBIBYTES COMMAND: runs it, its output in the file stdout; prints its time and the most memory
# that it had, which is to be less.
measured()
{
	begin=$(date +%s%N)
	(exec $2) >stdout 2>stderr &
	pid=$!
	resident=0
	while now=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null) && [ "$now" ]; do
		resident=$now
		sleep 0.05
	done
	wait $pid || complain "fails: $2"
	end=$(date +%s%N)
	hundredths=$(((end - begin) / 10000000))
	echo "# $2: ${hundredths}e-2 s, $((resident / 1024)) MiB"
	[ "$resident" -lt $(($1 * 1024)) ] || complain "$resident KiB: $2"
	# What is over at once may not have been seen at work.
	[ $hundredths -lt 100 ] || [ "$resident" -gt 1000 ] || complain "$resident KiB: not measured: $2"
}

measured 600 'nxn solve --full --board 3x3 --memory 500M --out table --work kept.d'
vector_agrees 3x3
layers_agree 3x3 0
grep '^seconds\|^memory\|^disk' stdout | sed 's/^/# /'
echo "# table $(wc -c <table) bytes, layers $(wc -c <kept.d/layers.nxl) bytes"
untitled stdout | grep -v '^seconds\|^memory\|^disk' >first
measured 600 'nxn solve --full --board 3x3 --memory 500M --out again --threads 3'
untitled stdout | grep -v '^seconds\|^memory\|^disk' | cmp - first || complain '3x3: another result'
cmp table again || complain '3x3: another table'
rm -r table again kept.d
# Live positions: Lees-Miller, The Mathematics of 2048: Counting States by Exhaustive Enumeration (2017).
while read -r tile live; do
	measured 600 "nxn solve --full --board 3x3 --memory 500M --target $tile"
	value_agrees 3x3 p_reach.$tile
	has "live	$live"
done <<END
8 1186
16 16834
32 124372
64 594046
128 2064918
256 5643584
512 12789511
1024 25179012
END
for goal in score moves; do
	measured 600 "nxn solve --full --board 3x3 --memory 500M --goal best-$goal"
	value_agrees 3x3 max_$goal
done

# Broad layers, which need memory, and keep within it.
measured 210 'nxn solve --full --board 4x4 --max-sum 46 --memory 200M'
layers_agree 4x4 46
measured 210 'nxn solve --full --board 4x4 --memory 200M --target 16 --count'
has 'live	23482821'

measured 600 'nxn solve --full --board 2x4 --no-times --out one --threads 1'
untitled stdout >first
measured 600 'nxn solve --full --board 2x4 --no-times --out all'
untitled stdout | cmp - first || complain '2x4: another result'
cmp one all || complain '2x4: another table'

# nxn's own account of all this.
gives 0 'nxn verify --long'
grep -qx '\([0-9]*\) of \1 figures are as expected' stdout || complain 'verify --long: not all figures'

exit $bad
