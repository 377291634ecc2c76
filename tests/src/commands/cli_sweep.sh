#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn sweep from the outside, and nxn compare with a sweep: examples, positions, files, rounds, limits,
# recommendations, going on, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:* | pdf:*/boards.gp'

examples sweep

# searches FOLDER: the rows of its log.
searches()
{
	grep -v '^#\|^config' "$1/searches.tsv"
}

# Files, and a row a cell.
gives 0 'nxn sweep -b 3x3,3x4 -d 1-3 -c 1e-2,1e-3 -p 7 -g 3 -B 1us,1s -o made --full'
has 'Page made/index.html; beside it tables/ and figures/.'
grep -q ' $' stdout && complain 'a line ends with a blank'
for file in positions.txt searches.tsv games.tsv tables/sweep.tsv tables/boards.tsv \
	tables/pareto.tsv figures/sweep.svg figures/sweep.pdf figures/boards.svg figures/boards.pdf \
	figures/pareto.svg figures/pareto.pdf figures/pareto.gp figures/pareto.tsv; do
	[ -s made/$file ] || complain "no made/$file"
done
[ "$(grep -c '^3x[34]  *1e-[23]  *[123]  *7  ' stdout)" -eq 12 ] || complain 'not a row for each of 12 cells'
[ "$(column made/tables/sweep.tsv searched | sort | uniq -c | tr -s ' ')" = ' 12 7' ] ||
	complain 'not 7 positions in each of 12 cells'
[ "$(column made/tables/sweep.tsv games | sort -u)" = 3 ] || complain 'not 3 games in each cell'
[ "$(grep -c '^# block' made/figures/sweep.tsv)" -eq 4 ] || complain 'not a block a board and cutoff'
for line in '# nxn ' '# command: nxn sweep -b 3x3,3x4 ' '# seed: 1' '# times: time of the thread' \
	'# positions: 7 of each board, one per game of expectimax' 'BCa'; do
	has "$line" made/tables/sweep.tsv
done
[ "$(searches made | wc -l)" -eq 756 ] || complain 'not 12 * 7 * 9 searches'
cp -r made drawn
cp -r made/figures again && rm again/*.svg && (cd again && gnuplot boards.gp && gnuplot sweep.gp && gnuplot pareto.gp)
for figure in boards sweep pareto; do
	cmp again/$figure.svg made/figures/$figure.svg || complain "$figure.gp draws another figure"
done

tr '\n' ' ' <stdout >line
has '*: no other setting is both faster and better, by the estimates: differences within the intervals may be chance. ' line
grep -q Unfinished stdout && complain 'a sweep that is over is said to be unfinished'

# Times are the median of nine rounds, between the first and the last; nodes and the
# table's hits are those of any round.
searches made | awk -F '\t' '$2 == "3x4" && $3 == "expectimax:depth=3,cutoff=0.001" {
	ms[$10] += 1000 * $5 / 7; nodes += $6 / 9; probes += $7; hits += $8
}
END { for (r in ms) printf "%.6g %.6g %.6g\n", ms[r], nodes / 7, hits / probes }' | sort -g >rounds
[ "$(wc -l <rounds)" -eq 9 ] || complain 'not nine rounds'
printf '%s %s %s\n' "$(sed -n 5p rounds)" "$(sed -n '1s/ .*//p' rounds)" "$(sed -n '9s/ .*//p' rounds)" >want
awk -F '\t' '$1 == "\"3x4\"" && $2 == "\"1e-3\"" && $3 == 3 {
	printf "%.6g %.6g %.6g %.6g %.6g\n", $4, $10, $13, $5, $6
}' made/tables/sweep.tsv | cmp - want || complain 'other times than those of the log'

# Rounds take the cells in different orders, which change nothing but times.
for round in 0 1 2; do
	searches made | awk -F '\t' -v r=$round '$10 == r && !seen[$2, $3]++ { print $2, $3 }' >order.$round
	searches made | awk -F '\t' -v r=$round '$10 == r' | cut -f 1-4,6-9 | sort >trees.$round
	cmp trees.0 trees.$round || complain "round $round searched something else"
done
cmp -s order.0 order.1 && cmp -s order.0 order.2 && complain 'rounds in one order'

# Scores are those of nxn report.
gives 0 'nxn report --tsv made'
awk -F '\t' '$3 == "\"expectimax:depth=3,cutoff=1e-3\"" && $1 == "\"3x3\"" { print $7, $8, $9 }' stdout >want
[ -s want ] || complain 'nxn report has no such cell'
awk -F '\t' '$1 == "\"3x3\"" && $2 == "\"1e-3\"" && $3 == 3 { print $18, $19, $20 }' \
	made/tables/sweep.tsv | cmp - want || complain 'other scores than those of nxn report'

# Positions: the same for any number of threads, the first ones of a larger set, of a seed.
gives 0 'nxn sweep -b 3x4 -d 1 -c 0 -p 30 -j 1 -o p1 --no-figures'
gives 0 'nxn sweep -b 3x4 -d 1 -c 0 -p 30 -j 3 -o p3 --no-figures'
cmp p1/positions.txt p3/positions.txt || complain 'positions depend on the number of threads'
gives 0 'nxn sweep -b 3x4 -d 1 -c 0 -p 20 -o p20 --no-figures'
grep -v '^#' p20/positions.txt >first
grep -v '^#' p1/positions.txt | head -n 20 | cmp - first || complain 'fewer positions are not the first of more'
gives 0 'nxn sweep -b 3x4 -d 1 -c 0 -p 30 -s 2 -o p2 --no-figures'
cmp -s p1/positions.txt p2/positions.txt && complain 'another seed gives the same positions'
[ "$(grep -v '^#' p1/positions.txt | sort -u | wc -l)" -eq 30 ] || complain 'not 30 different positions'
gives 0 'nxn eval --board 3x4 --agent random p1/positions.txt'
grep -q none stdout && complain 'a position without a move'

# What is searched is what nxn eval searches.
gives 0 'nxn sweep -b 3x4 -a expectimax:tt=0 -d 2,3 -c 1e-2 -p p1/positions.txt -o file --no-figures'
has 'Positions: those of p1/positions.txt.'
[ ! -e file/positions.txt ] || complain 'positions of a file were written again'
gives 0 'nxn eval --agent expectimax:tt=0,depth=3,cutoff=1e-2 p1/positions.txt'
tail -n +2 stdout | cut -f 1,7 | sort >want
searches file | awk -F '\t' '/depth=3/ && $10 == 0 { print $4 "\t" $6 }' | sort | cmp - want || complain 'other nodes than those of nxn eval'
[ "$(column file/tables/sweep.tsv hit_rate | sort -u)" = NaN ] || complain 'a hit rate without a table'

# Nothing is measured twice, and more of it is added.
cp made/searches.tsv before && grep -v '^# command' made/games.tsv >games.before
gives 0 'nxn sweep -b 3x3,3x4 -d 1-3 -c 1e-2,1e-3 -p 7 -g 3 -o made --no-figures'
cmp before made/searches.tsv || complain 'measured again'
grep -v '^# command' made/games.tsv | cmp - games.before || complain 'played again'
gives 0 'nxn sweep -b 3x3,3x4 -d 1-4 -c 1e-2,1e-3 -p 9 -o made --no-figures'
[ "$(searches made | wc -l)" -eq 1296 ] || complain 'not 16 * 9 * 9 searches'
[ "$(searches made | cut -f 1,4,10 | sort -u | wc -l)" -eq 1296 ] || complain 'a search was done twice'
head -c "$(wc -c <before)" made/searches.tsv | cmp - before || complain 'the log was rewritten'
gives 0 "nxn sweep -b 3x3 -d 1 -c 1e-2 -p 7 -j $(($(nproc) + 1)) -o made --no-figures"
[ "$(searches made | wc -l)" -eq 1359 ] || complain 'times with another number of threads were taken over'

# A search depends on the seed and on the positions before it: with others in the folder it is done anew.
other='sweep -b 2x2 -d 4 -c 0 -p 12 -r 1 -j 1 --no-figures'
gives 0 "nxn $other -s 2 -o fresh"
gives 0 "nxn $other -o seeds"
gives 0 "nxn $other -s 2 -o seeds"
column fresh/tables/sweep.tsv nodes >want
column seeds/tables/sweep.tsv nodes | cmp - want || complain 'searches of another seed were taken over'
grep -v '^#' fresh/positions.txt >forth
sed '1!G;h;$!d' forth >back
order='sweep -b 2x2 -d 4 -c 0 -r 1 -j 1 --no-figures'
gives 0 "nxn $order -p back -o back.first"
gives 0 "nxn $order -p forth -o turned"
gives 0 "nxn $order -p back -o turned"
column back.first/tables/sweep.tsv nodes >want
column turned/tables/sweep.tsv nodes | cmp - want || complain 'searches after other positions were taken over'

# A torn last line is cut off and its position searched again.
truncate -s -5 file/searches.tsv
gives 0 'nxn sweep -b 3x4 -a expectimax:tt=0 -d 2,3 -c 1e-2 -p p1/positions.txt -o file --no-figures'
has 'nxn: file/searches.tsv: cut off a torn last line of' stderr
[ "$(searches file | wc -l)" -eq 540 ] || complain 'not 2 * 30 * 9 searches after a torn line'

# The estimates of times by hand. Round r takes v = 3 r mod 7 + 1 times 1 us a move at depth 1 with
# the first cutoff, 2 us with the other one, which searches and plays the same, and 20 and 10 us at
# depth 2. So the median of v is 4, between 1 and 7; and of the two that are one, v times 1.5 us.
hand='sweep -b 2x3 -d 1,2 -c 1e-1,0 -p 2 -r 7 -g 2 --no-figures'
gives 0 "nxn $hand -o hand"
awk -F '\t' -v OFS='\t' '/^#|^config/ { print; next } {
	us = ($3 ~ /depth=1/ ? 1 : 20) * ($3 ~ /cutoff=0$/ ? ($3 ~ /depth=1/ ? 2 : 0.5) : 1)
	$5 = sprintf("%.9f", ($10 * 3 % 7 + 1) * us * 1e-6)
	print
}' hand/searches.tsv >hand.rows && cp hand.rows hand/searches.tsv
gives 0 "nxn $hand -B 10us -o hand"
cmp hand.rows hand/searches.tsv || complain 'a log that is complete was added to'
awk -F '\t' '$3 ~ /^[0-9]/ { printf "%s %s: %g [%g, %g] %s %s\n", $2, $3, $4, $5, $6, $(NF - 2), $(NF - 1) }' \
	hand/tables/sweep.tsv | tr -d '"' >hand.cells
cat >want <<'END'
1e-1 1: 0.006 [0.0015, 0.0105] 1 7
1e-1 2: 0.08 [0.02, 0.14] 0 7
0 1: 0.006 [0.0015, 0.0105] 1 7
0 2: 0.04 [0.01, 0.07] 1 7
END
diff want hand.cells || complain 'other estimates than those by hand'
tr '\n' ' ' <stdout >line
has 'the median of 7 rounds, each over all positions. [low, high]: its 95% interval over the rounds' line
has 'Settings that searched and played exactly the same are one cell' line
# An interval takes six rounds.
gives 0 "nxn $hand -r 5 -o hand"
tr '\n' ' ' <stdout >line
has 'No interval: that takes 6 rounds.' line
[ "$(column hand/tables/sweep.tsv ms_low | sort -u)" = NaN ] || complain 'an interval of five rounds'
awk -F '\t' '$10 !~ /^[1-9]/' hand.rows >hand/searches.tsv
gives 0 "nxn $hand -r 1 -o hand"
awk -F '\t' '$3 ~ /^[0-9]/ { print $4 }' hand/tables/sweep.tsv | tr '\n' ' ' | grep -qx '0.0015 0.02 0.0015 0.01 ' ||
	complain 'other times of the first round'

# A cell that is gone on with searches as one that was not left: with the same table behind it.
cells='sweep -b 3x4 -d 3,4 -c 1e-3 -p 40 -r 2 -j 1 --no-figures'
gives 0 "nxn $cells -o colder"
mkdir -p colder.cut && cp colder/positions.txt colder.cut
awk -F '\t' '/^#|^config/ || n[$3, $10]++ < 17' colder/searches.tsv >colder.cut/searches.tsv
gives 0 "nxn $cells -o colder.cut"
for log in colder colder.cut; do
	searches $log | cut -f 1-4,6- | sort >$log.rows
done
[ "$(wc -l <colder.rows)" -eq 160 ] || complain 'not 2 * 40 * 2 searches'
cmp colder.rows colder.cut.rows || complain 'a cell that was gone on with looked at other positions'

# Killed and gone on with, with more rounds to come than there is time for: every search once.
slow='sweep -b 4x4 -d 5,6 -c 1e-5,1e-6 -p 4 -r 50 --no-figures -j 2'
lines=0 # 7 are of provenance
for more in 9 12 10; do
	at_work killed/searches.tsv $((lines + more)) "nxn $slow -o killed"
	signalled KILL
	lines=$(wc -l <killed/searches.tsv)
done
at_work killed/searches.tsv $((lines + 10)) "nxn $slow -o killed"
stops INT 'sweep: stopped after [0-9]* of 800 searches'
has "nxn $slow -o killed" resume
grep -q '^4x4, cutoff ' stdout || complain 'no table after Ctrl-C'
head -n 1 stdout | grep -qx 'Unfinished: [0-9]* of 800 searches[.]' || complain 'not said to be unfinished'
grep -q '^ .* -  *-' stdout && complain 'rows without results'
grep -q 'ended at the limit' stdout && complain 'a limit that stopped nothing'
has '# unfinished: ' killed/tables/sweep.tsv
gives 0 "$(sed 's/ -r 50 / -r 2 /' resume)"
searches killed | cut -f 1,4,10 | sort >rows
[ -z "$(uniq -d rows)" ] && [ "$(awk -F '\t' '$3 < 2' rows | wc -l)" -eq 32 ] ||
	complain 'a killed sweep has not each of the 32 searches of two rounds once'

# A cell at its limit has the first positions, which is said; a higher limit goes on.
gives 0 'nxn sweep -b 3x4 -d 4,5 -c 1e-5 -p 5 --cell-limit 1us -o limit --no-figures --full'
[ "$(grep -c '^3x4  *1e-5  *[45]  *1 of 5  ' stdout)" -eq 2 ] || complain 'not 1 of 5 positions'
has '2 cells ended at the limit of 1e-06 s with the first positions of the set.'
[ "$(column limit/tables/sweep.tsv searched | tr '\n' ' ')" = '1 1 ' ] || complain 'searched is not 1'
gives 0 'nxn sweep -b 3x4 -d 4,5 -c 1e-5 -p 5 -o limit --no-figures'
[ "$(searches limit | wc -l)" -eq 90 ] || complain 'a higher limit does not go on'
grep -q 'ended at' stdout && complain 'a limit that was not reached'

# Games only of cells that are fast enough; times of games where there are no positions.
gives 0 'nxn sweep -b 3x3 -d 1,7 -c 1e-5 -p 5 -g 2 --play-limit 200us -o played --no-figures'
has '1 cell played no games: the time per move is above the play-limit of 200 us.'
[ "$(games played/games.tsv | grep -c depth=7)" -eq 0 ] || complain 'a slow cell played'
[ "$(column played/tables/sweep.tsv games | tr '\n' ' ')" = '2 0 ' ] || complain 'games are not 2 and 0'
gives 0 'nxn sweep -b 3x3 -d 1,2 -c 1e-3 -g 4 -B 1min -o only --no-figures'
[ ! -e only/searches.tsv ] || complain 'searches without positions'
has 'Positions: none; times are those of games.'
has '[low, high]: 95% intervals over the games;'
grep -q 'rounds' stdout && complain 'rounds without positions'
awk -F '\t' '$3 ~ /^[0-9]/ { rows++; bad = bad || $4 != $21 || $15 != 0 } END { exit bad || rows != 2 }' only/tables/sweep.tsv ||
	complain 'time is not that of games'

# Recommended: the best of the cells within the budget, and a command that plays it.
gives 0 'nxn sweep -b 3x3 -d 1-4 -c 1e-1,1e-3 -p 20 -B 10us,1s,1us -o best --no-figures'
cp stdout advice
for budget in 1us=0.001 10us=0.01 1s=1000; do
	awk -F '\t' -v budget="${budget#*=}" '$3 ~ /^[0-9]+$/ && $4 <= budget + 0 && $10 > nodes { nodes = $10; best = $3 }
	END { print best ? best : "-" }' best/tables/sweep.tsv >want
	[ "$(awk -v b="${budget%=*}" '$1 == "3x3" && $2 == b { print $3 }' advice)" = "$(cat want)" ] ||
		complain "not the largest tree within $budget: $(cat want)"
done
sed -n 's/^  nxn compare/nxn compare/p' advice >commands
grep -q '^nxn compare --boards 3x3 --agents expectimax:depth=4,cutoff=1e-3$' commands || complain 'no command'
while read -r command; do
	gives 0 "$command --games 2 --out compared --no-figures"
done <commands
gives 0 'nxn sweep -b 2x2 --spawn 4:1 -d 1 -c 0 -p 1 -B 1s -o spawned --no-figures'
has '  nxn compare --boards 2x2 --agents expectimax:depth=1,cutoff=0 --spawn 4:1'

# Searches with threads of their own are timed one at a time, by the time that passes.
gives 0 'nxn sweep -b 3x3 -a expectimax:threads=2 -d 3 -c 1e-3 -p 3 -j 4 -o threads --no-figures'
has '# times: time that passed; 1 cells at a time' threads/tables/sweep.tsv

# Searches by the clock are said to be so.
gives 0 'nxn sweep -b 3x3 -a expectimax:ms=0.1 -d 1 -c 1e-3 -p 3 -g 1 -o clock --no-figures'
has 'Note: agents with ms= decide by the clock'
has '# agents with ms= decide by the clock' clock/tables/sweep.tsv
grep -q 'by the clock' made/tables/sweep.tsv && complain 'a note on clocks without one'

# Positions in files.
printf '# two boards\n\n2,2,4/0,0,0/0,0,2 \n0,2/2,0\n0,0,4/0,0,0/0,2,2\n' >positions
gives 0 'nxn sweep -b 3x3 -d 1 -c 0 -p positions -o filed --no-figures'
[ "$(searches filed | awk -F '\t' '$10 == 0 { print $4 }' | tr '\n' ' ')" = '2,2,4/0,0,0/0,0,2 0,0,4/0,0,0/0,2,2 ' ] || complain 'not the positions of the file'
fails 2 'positions: holds no position of 4x4' 'nxn sweep -b 3x3,4x4 -d 1 -c 0 -p positions -o x'
fails 2 'nowhere: No such file' 'nxn sweep -d 1 -c 0 -p nowhere -o x'
fails 2 "nxn sweep: wrong:2: position '0,2/x,0', character 5: expected a tile, such as 0, 2 or 4 (row 2, column 1)" \
	"printf '0,2/2,0\\n0,2/x,0\\n' >wrong; nxn sweep -b 2x2 -d 1 -c 0 -p wrong -o x"
fails 2 'wrong:1: position 2,4/4,2 has no legal move' "echo 2,4/4,2 >wrong; nxn sweep -b 2x2 -d 1 -c 0 -p wrong -o x"
fails 2 'wrong:2: position 0,2/4,0 is there already, perhaps turned or mirrored' \
	"printf '2,0/0,4\\n0,2/4,0\\n' >wrong; nxn sweep -b 2x2 -d 1 -c 0 -p wrong -o x"
fails 2 'wrong:1: no game on 2x2' "echo 1024,0/0,0 >wrong; nxn sweep -b 2x2 -d 1 -c 0 -p wrong -o x"
fails 2 'wrong:1: holds a zero byte, character 4' "printf '0,2\\0/2,0\\n' >wrong; nxn sweep -b 2x2 -d 1 -c 0 -p wrong -o x"
# 10001 positions that differ by their tiles.
awk 'BEGIN { for (i = 0; i < 10001; i++) {
	n = i
	for (c = 0; c < 5; c++) { t[c] = 2 ^ (1 + n % 7); n = int(n / 7) }
	printf "512,%d,0,256/%d,%d,0,0/0,%d,0,0/0,0,%d,128\n", t[0], t[1], t[2], t[3], t[4]
} }' >many
fails 2 'many:10001: position 512,' 'nxn sweep -b 4x4 -d 1 -c 0 -p many -o x'
has ': expected at most 10000 of 4x4' stderr
fails 2 '.: is a folder; expected a file' 'nxn sweep -b 2x2 -d 1 -c 0 -p . -o x'
fails 2 'games on 2x2 have only' 'nxn sweep -b 2x2 -d 1 -c 0 -p 500 -o x'

# Wrong options.
for depths in 0 3- 3-1 1-2-3 '' 1,,2; do
	gives 2 "nxn sweep -d '$depths' -o x"
	grep -q '^nxn sweep: --depths: ' stderr || complain "depths '$depths'"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "depths '$depths': not one line"
done
fails 2 '--depths: 2 is there twice' 'nxn sweep -d 1-3,2'
for cutoff in 2 1e-3x nan '' 0x1p-3; do
	gives 2 "nxn sweep -c '$cutoff' -o x"
	grep -q "^nxn sweep: --cutoffs: '$cutoff' \(is not a probability from 0 to 1\|has an empty item\)" stderr ||
		complain "cutoff '$cutoff'"
done
fails 2 '--cutoffs: 0.001 is there twice' 'nxn sweep -c 1e-3,0.001'
for option in cell-limit play-limit; do
	fails 2 "--$option: '10' is not a time such as 90s" "nxn sweep --$option=10"
done
for time in 10 ms 0ms -1ms 1d 10msec inf 1e999s; do
	fails 2 "--budget: '$time' is not a time such as 90s" "nxn sweep --budget=$time"
done
fails 2 "--budget: '1ms,' has an empty item" 'nxn sweep -B 1ms,'
fails 2 '--budget: 1000us is there twice' 'nxn sweep -B 1ms,1000us'
fails 2 "--positions: '0' is not a whole number from 1 to 10000" 'nxn sweep -p 0'
fails 2 '--positions: expected a number of positions or a file' 'nxn sweep -p ""'
fails 2 "--games: '0' is not" 'nxn sweep -g 0'
fails 2 "--rounds: '0' is not a whole number from 1 to 1000" 'nxn sweep -r 0'
nxn sweep --help >stdout
tr -s ' \n' '  ' <stdout >line
has 'Bound on the time per move in the table, not on the games: a cell above it plays none' line
fails 2 'rounds: only with positions' 'nxn sweep -g 1 -r 9'
fails 2 'cell-limit: only with positions' 'nxn sweep -g 1 --cell-limit 1s'
fails 2 'a limit for games (play-limit) needs games and positions' 'nxn sweep --play-limit 1s'
fails 2 'a limit for games (play-limit) needs games and positions' 'nxn sweep --play-limit 1s -g 1'
fails 2 "--agent: 'expectimax:depth=3' sets depth" 'nxn sweep -a expectimax:depth=3'
fails 2 "--agent: 'S=expectimax': the cells are called by depth and cutoff; leave out 'S='" 'nxn sweep -a S=expectimax'
fails 2 "--agent: 'random' has no depth; expected a search, such as expectimax" 'nxn sweep -a random'
fails 2 "sets cutoff, which the cells differ in" 'nxn sweep -a expectimax:tt=0,cutoff=0'
fails 2 "agent 'expectimox': did you mean expectimax?" 'nxn sweep -a expectimox'
fails 2 "depth: '129' is not a whole number from 1 to 128" 'nxn sweep -d 129'
fails 2 'plays on 2x2 already' 'nxn sweep -b 2x2,2x2'

# Positions of somebody else are not lost, those of another sweep are replaced, and equal ones stay.
mkdir mine
printf '# mine\n2,4/4,0\n' | tee mine.txt >mine/positions.txt
fails 2 'mine/positions.txt: exists and is not what nxn sweep wrote' 'nxn sweep -b 2x2 -d 1 -c 0 -p 1 -o mine --no-figures'
cmp mine.txt mine/positions.txt || complain 'positions of somebody else were replaced'
[ -e mine/searches.tsv ] && complain 'searches of a sweep that was refused'
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p mine/positions.txt -o mine --no-figures'
cmp mine.txt mine/positions.txt || complain 'positions that were read were replaced'
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p 2 -o twice --no-figures'
{ echo '# the same'; grep -v '^#' twice/positions.txt; } >same.txt
cp same.txt twice/positions.txt
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p 2 -o twice --no-figures'
cmp same.txt twice/positions.txt || complain 'equal positions were replaced'
gives 0 'nxn sweep -b 2x2 -d 1 -c 0 -p 2 -o other.d --no-figures'
: >empty && cp empty twice/positions.txt
for seed in 1 2; do
	gives 0 "nxn sweep -b 2x2 -d 1 -c 0 -p 2 -s $seed -o twice --no-figures"
	cmp -s other.d/positions.txt twice/positions.txt
	[ $? -eq $((seed - 1)) ] || complain "wrong positions with seed $seed"
done
[ "$(ls twice | tr '\n' ' ')" = 'positions.txt searches.tsv tables ' ] || complain "left beside positions: $(ls twice)"
mkdir full full/searches.tsv
fails 2 'full/searches.tsv: is a folder; expected a file' 'nxn sweep -b 2x2 -d 1 -c 0 -p 1 -o full'
mkdir -p table/tables/sweep.tsv
fails 1 'table/tables/sweep.tsv: cannot write' 'nxn sweep -b 2x2 -d 1 -c 0 -p 1 -o table'
mkdir -p place/positions.txt
fails 2 'place/positions.txt: is a folder; expected a file' 'nxn sweep -b 2x2 -d 1 -c 0 -p 1 -o place'
fails 1 'gnuplot' 'PATH=/nonexistent '"$nxn_path"' sweep -b 2x2 -d 1 -c 0 -p 1 -o undrawn'
[ -s undrawn/tables/sweep.tsv ] || complain 'no tables when figures cannot be drawn'

# The same as a file.
cat >small.yaml <<'END'
name: little
title: A small sweep
seed: 4
boards: [3x3, 3x4]
sweep:
  agent: expectimax
  depths: [1, 2-3]
  cutoffs: [1e-2, 1e-3]
  positions: 5
  games: 2
  rounds: 3
  budget: [1ms, 1s]
  cell-limit: 10s
  play-limit: 1min
END
gives 0 'nxn compare small.yaml --dry-run --no-times'
has '3x4	expectimax:depth=3,cutoff=1e-3	expectimax:depth=3,cutoff=0.001	0	0	0	2	'
has '# 12 cells, each on 5 positions in 3 rounds, with seed 4'
[ ! -e out/little ] || complain 'a dry run left something behind'
gives 0 'nxn compare small.yaml --no-figures'
has 'A small sweep'
gives 0 'nxn sweep -s 4 -b 3x3,3x4 -d 1,2-3 -c 1e-2,1e-3 -p 5 -g 2 -r 3 -o command --no-figures'
cmp command/positions.txt out/little/positions.txt || complain 'a file searches other positions'
searches command | cut -f 1-4,6,10 | sort >want
searches out/little | cut -f 1-4,6,10 | sort | cmp - want || complain 'a file searches something else'
games command/games.tsv | cut -f 1-10 >want
games out/little/games.tsv | cut -f 1-10 | cmp - want || complain 'a file plays other games'
grep -v '^#' command/tables/sweep.tsv | cut -f 1-3 >want
grep -v '^#' out/little/tables/sweep.tsv | cut -f 1-3 | cmp - want || complain 'a file has other cells'

# wrong WORDS LINE...: an experiment file with these lines is refused.
wrong()
{
	words=$1
	shift
	printf '%s\n' "$@" >wrong.yaml
	fails 2 "wrong.yaml:$words" 'nxn compare wrong.yaml'
}
wrong "3:3: unknown key 'depth'; did you mean 'depths'?" 'boards: 3x3' 'sweep:' '  depth: 1'
wrong "3:3: unknown key 'nonsense'; the keys here are depths, cutoffs, agent, positions" 'boards: 3x3' 'sweep:' '  nonsense: 1'
wrong '3:15: depths: ' 'boards: 3x3' 'sweep:' '  depths: [1, 5-2]'
wrong '3:12: cutoffs: ' 'boards: 3x3' 'sweep:' '  cutoffs: 3'
wrong '3:11: depths: must not be an empty list' 'boards: 3x3' 'sweep:' '  depths: []'
wrong "3:11: budget: '10'" 'boards: 3x3' 'sweep:' '  budget: 10'
wrong "3:15: cell-limit: '0s'" 'boards: 3x3' 'sweep:' '  cell-limit: 0s'
wrong "3:15: play-limit: 'x'" 'boards: 3x3' 'sweep:' '  play-limit: x'
wrong "3:3: a limit for games" 'boards: 3x3' 'sweep:' '  play-limit: 1s'
wrong "3:10: games: '0'" 'boards: 3x3' 'sweep:' '  games: 0'
wrong "3:11: rounds: '0'" 'boards: 3x3' 'sweep:' '  rounds: 0'
wrong "3:14: positions: '0'" 'boards: 3x3' 'sweep:' '  positions: 0'
wrong "3:10: agent: 'expectimax:depth=2' sets depth" 'boards: 3x3' 'sweep:' '  agent: expectimax:depth=2'
wrong "3:3: agent 'expectimox'" 'boards: 3x3' 'sweep:' '  agent: expectimox'
wrong '2:8: sweep: must be a mapping' 'boards: 3x3' 'sweep: [1]'
wrong '2:9: agents: has no meaning beside a sweep' 'boards: 3x3' 'agents: random' 'sweep: {depths: 1}'
wrong '2:8: games: has no meaning beside a sweep' 'boards: 3x3' 'games: 3' 'sweep: {depths: 1}'
wrong '2:12: sequences: has no meaning beside a sweep' 'boards: 3x3' 'sequences: [{games: 1}]' 'sweep: {depths: 1}'
wrong '1:1: boards is missing' 'sweep: {depths: 1}'
wrong "1:9: board '9x9'" 'boards: 9x9' 'sweep: {depths: 1}'

# The figures of the seed paper.
gives 0 'nxn compare figure9 --dry-run --no-times'
[ "$(grep -c '^4x4	expectimax:[^	]*depth=[1-9],cutoff=1e-[2-6]	' stdout)" -eq 45 ] || complain 'figure9 is not 9 depths by 5 cutoffs'
gives 0 'nxn compare figure10 --dry-run --no-times'
for board in 4x4 5x5 6x6; do
	[ "$(grep -c "^$board	expectimax:[^	]*depth=[1-9],cutoff=1e-4	" stdout)" -eq 9 ] || complain "figure10 is not 9 depths on $board"
done

figures_open drawn
exit $bad
