#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of nxn solve: told about, asked for values of moves, played from; and what is refused.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

gives 0 'nxn solve --board 2x2 --out t22'
gives 0 'nxn solve --board 2x3 --spawn 2:0.5,4:0.5 --target 32 --out t23'
gives 0 'nxn solve --board 2x2 --start 4,2/0,0 --max-sum 20 --out from'

# nxn info: of a 2x2 board what tests/vectors/exact.txt says.
fact()
{
	sed -n "s|^2x2 $1 ||p" "$source/tests/vectors/exact.txt"
}
gives 0 'nxn info t22'
sed 's/  */ /g' stdout >told
for line in 'table t22' 'board 2x2' 'spawns 2:0.9,4:0.1' 'start tiles 2' 'goal score' \
	"states $(fact states)" "after-states $(fact afterstates)" 'checksums good'; do
	grep -qxF "$line" told || complain "nxn info t22 does not tell '$line'"
done
has 'value           66.96414945'
has 'made by         nxn '
gives 0 'nxn info t23'
has 'goal            target 32'
has 'spawns          2:0.5,4:0.5'
gives 0 'nxn info from'
has 'start           4,2/0,0'
has 'largest sum     20'
grep -q 'start tiles' stdout && complain 'start tiles beside a start'

# nxn eval: the value of a start is that of its best move.
gives 0 'printf "2,2/0,0\n4,2/0,0\n2,4/4,2\n" | nxn eval --agent optimal:t22'
best()
{
	awk -F '\t' -v board="$1" '$1 == board { best = "NaN"
		for (i = 3; i <= 6; i++) if ($i != "NaN" && (best == "NaN" || $i > best)) best = $i
		print best }' stdout
}
for board in 2,2/0,0 4,2/0,0; do
	echo "$(best $board) $(fact "start_value.$board")" |
		awk '{ d = $1 - $2; exit !($1 > 0 && d * d < 1e-16 * $2 * $2) }' ||
		complain "$board is worth $(best $board)"
done
[ "$(grep '^2,4/4,2' stdout | cut -f 2-6)" = "$(printf 'none\tNaN\tNaN\tNaN\tNaN')" ] ||
	complain 'a lost position has a move'
# A table knows what its start leads to.
gives 0 'printf "4,2/0,0\n8,0/0,0\n16,4/2,0\n" | nxn eval --agent optimal:from'
[ "$(sed 1d stdout | cut -f 3-6 | grep -c '^NaN.NaN.NaN.NaN$')" -eq 2 ] || complain 'values of positions out of reach'

# Games do not depend on the number of threads, which share the table.
for threads in 1 3; do
	gives 0 "nxn compare --boards 2x2 --agents optimal:t22,random --games 300 --threads $threads --no-times --out games$threads"
	grep -v '^#' games$threads/games.tsv | sort >rows$threads
done
[ "$(wc -l <rows1)" -eq 601 ] || complain 'games are missing'
cmp rows1 rows3 || complain 'games depend on the number of threads'

# Everything that is refused says what the file holds.
gives 0 'nxn info agents'
has 'optimal:FILE '
fails 2 'optimal: the table is missing: expected optimal:FILE, with a file of nxn solve --board 3x3 --out FILE' \
	'nxn play --board 3x3 --agent optimal'
fails 2 'optimal: none: cannot open the table: No such file' 'nxn play --board 2x2 --agent optimal:none'
fails 2 'optimal: t22: a table for 2x2 boards, expected one for 4x4' 'nxn play --agent optimal:t22'
fails 2 "optimal: t22: a table for spawn rule '2:0.9,4:0.1', expected one for '2:1'" \
	'nxn play --board 2x2 --spawn 2:1 --agent optimal:t22'
fails 2 'a table for 2x2 boards' 'echo 2,0,0/0,2,0 | nxn eval --agent optimal:t22'
fails 2 't22: not a model file' 'nxn play --board 2x2 --agent qlearn:t22'
fails 2 'not a table file' "nxn play --board 2x2 --agent optimal:$source/README.md"
head -c -1 t22 >short
fails 2 'short' 'nxn info short'

exit $bad
