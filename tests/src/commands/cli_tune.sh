#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn tune from the outside: its examples; the table says what the games beside it say; the same for any number
# of threads; killed at any moment it goes on to the same table; held-out games are those of nxn
# compare; every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle

# Sanitizers take ten times as long.
tries=20 aims="score tile=64 ${all:+log}"
[ "$all" ] || ! sanitized || { tries=5 aims=score elsewhere='*-o [rs].tsv'; }

examples tune

# untitled TABLE: without version and command.
untitled()
{
	grep -v '^# nxn \|^# command: ' "$1"
}

# The whole run.
base="nxn tune -a expectimax:depth=1 -b 3x3 -p w_* --population 7 --elite 3 -g 9 --generations 4 --noise 0 --check 2 --held-out 30 -s 5 --no-figures"
tune="$base -o t.tsv"
set -f
mkdir whole
gives 0 "cd whole && $base -o t.tsv -j 1"
untitled whole/t.tsv >whole.tsv
[ -s stderr ] && complain 'complaints of tuning'
has 't.tsv: expectimax:depth=1 on 3x3, 4 generations'
has '30 held-out games, seed '
cp stdout whole.out
games=whole/t-games/games.tsv
[ "$(grep -c '^[0-9a-f]\{16\}' $games)" -eq $((4 * 7 * 9 + 3 * 30)) ] || complain 'games are missing'
seed=$(sed -n 's/^# seed of tuning games: \([0-9]*\),.*/\1/p' whole.tsv)
[ "$(grep -v '^[#"]' whole.tsv | cut -f 1 | tr '\n' ' ')" = '0 1 2 3 4 ' ] || complain 'generations are missing'

# What it says is what its games say: candidates, their ranking, means and deviations of step iv.
cat >check.awk <<'END'
BEGIN { split("w_empty w_corner w_monotone w_merge", name, " ") }
function near(x, y, what) {
	if (x - y > 1e-6 * (1 + (y < 0 ? -y : y)) || y - x > 1e-6 * (1 + (y < 0 ? -y : y))) {
		print "generation " generation ": " what " " x ", wanted " y; bad = 1
	}
}
FNR == NR && $6 == seed { # seven candidates of nine games each in the order of generations
	at = int($7 / 9) + 1 " " substr($3, 11)
	sum[at] += $8
	count[at]++
	agent[at] = $4
	next
}
FNR == NR && /^[0-9a-f]+\t/ { # 30 games of the start, and of the means that are looked at
	if (!($3 $4 in number)) number[$3 $4] = ++helds
	held[number[$3 $4]] += $8
	next
}
FNR == NR || /^[#"]/ { next }
{ generation = $1 }
$1 % 2 == 0 { near($5, held[++looks] / 30, "held_out") }
$1 % 2 == 1 && $5 != "NaN" { print "held-out games without any"; bad = 1 }
$1 == 0 { for (i = 1; i <= 4; i++) start[i] = $(9 + 2 * i) }
$1 > 0 {
	for (c = 0; c < 7; c++) {
		if (count[$1 " " c] != 9) { print "games"; bad = 1 }
		objective[c] = sum[$1 " " c] / 9
		for (i = 1; i <= 4; i++) { # the canonical text leaves out what is the default
			x[c, i] = start[i]
			if (split(agent[$1 " " c], piece, name[i] "=") > 1) x[c, i] = piece[2] + 0
		}
	}
	all = 0
	for (c = 0; c < 7; c++) { all += objective[c]; taken[c] = 0 }
	near($4, all / 7, "mean")
	elite = 0
	for (m = 0; m < 3; m++) {
		best = -1
		for (c = 0; c < 7; c++)
			if (!taken[c] && (best < 0 || objective[c] > objective[best])) best = c
		if (m == 0) near($2, objective[best], "best")
		taken[best] = 1
		elite += objective[best]
	}
	near($3, elite / 3, "elite")
	for (i = 1; i <= 4; i++) {
		mu = var = 0
		for (c = 0; c < 7; c++) if (taken[c]) mu += x[c, i] / 3
		for (c = 0; c < 7; c++) if (taken[c]) var += (x[c, i] - mu) ^ 2 / 3
		near($(9 + 2 * i), mu, "mean of parameter " i)
		near($(10 + 2 * i), sqrt(var), "deviation of parameter " i)
	}
	rows++
}
END { if (rows != 4) { print rows " rows"; bad = 1 } exit bad }
END
awk -F '\t' -v seed="$seed" -f check.awk $games whole.tsv >wrong || { cat wrong; complain 'the table does not say what its games say'; }

# All candidates of a generation play the same games, which no other plays. A player of its own tells.
awk -F '\t' '$3 == "candidate 4" && $7 >= 18 && $7 < 27' $games | sort -t '	' -k 7,7n >taken
agent=$(cut -f 4 taken | uniq)
gives 0 "nxn compare -b 3x3 -a $agent -s $seed -g 27 -o again --no-figures"
grep '^[0-9a-f]\{16\}' again/games.tsv | sort -t '	' -k 7,7n | awk -F '\t' '$7 >= 18 { print $8, $9 }' >scores
awk -F '\t' '{ print $8, $9 }' taken >wanted
[ -s scores ] || complain 'no games'
cmp scores wanted || complain 'a candidate plays other games than its number says'

# Held-out games are those of the command that is printed.
again=$(sed -n 's/^  nxn compare/& --no-figures -o held/p' whole.out)
gives 0 "$again"
for name in start tuned; do
	mean=$(awk -v name=$name '$1 == name { print $2 }' whole.out)
	grep -qF -e " $mean [" stdout || complain "nxn compare does not print '$mean' for $name"
done

gives 0 "nxn tune -a expectimax:1 -p w_* --start 2,4,8/0,0,0 --spawn 2:1 -N 2 -m 1 -g 2 -G 1 --held-out 5 -o rule.tsv --no-figures"
cp stdout rule.out
has ' on 2x3, 1 generation' rule.out
gives 0 "$(sed -n 's/^  nxn compare/& --no-figures -o rule/p' rule.out)"
has " $(awk '$1 == "start" { print $2 }' rule.out) ["

# Stopped, it leaves a page of the generations that have ended.
gives 75 'nxn tune -a expectimax:depth=1 -b 2x2 -p w_* -N 2 -m 1 -g 1 -G 90000 --tolerance 0 --held-out 2 -o cut.tsv --time-budget 0.6s'
has 'Page cut-page/index.html.'
has '{"name":"tuning","caption":"Tuning by the cross-entropy method. ' cut-page/index.html
has 'nxn tune: stopped; to resume:' stderr

# Threads.
mkdir threads
gives 0 "cd threads && $base -o t.tsv -j 3"
untitled threads/t.tsv | cmp - whole.tsv || complain 'threads change the table'
# rows LOG: its games without their times, in an order of their own.
rows()
{
	grep '^[0-9a-f]\{16\}' "$1" | cut -f 1-10 | sort
}
rows threads/t-games/games.tsv >rows
rows $games | cmp - rows || complain 'threads change the games'
gives 0 "cd whole && $base -o t.tsv -j 1"
cmp stdout whole.out || complain 'a finished tuning prints something else'
untitled whole/t.tsv | cmp - whole.tsv || complain 'a finished tuning changes'
rows $games | cmp - rows || complain 'a finished tuning plays'

# Killed at any moment: larger, so that it takes a second.
base=$(echo "$base" | sed 's/-g 9/-g 30/; s/3x3/3x4/')
tune="$base -o t.tsv -j 2"
mkdir long
gives 0 "cd long && $tune"
for seconds in 0.02 0.05 0.08; do
	killed part KILL $seconds "$tune"
done
[ "$(wc -l <part/t-games/games.tsv)" -lt "$(wc -l <long/t-games/games.tsv)" ] || echo '(not killed early enough)'
killed part TERM 0.05 "$tune"
gives 0 "cd part && $tune"
cmp part/t.tsv long/t.tsv || complain 'killed now and then: another table'

# Torn logs, and without the table.
rows long/t-games/games.tsv >rows
total=$(wc -c <long/t-games/games.tsv)
for at in 30 700 $((total / 3 + 7)) $((total - 3)); do
	mkdir -p torn/t-games
	rm -f torn/t.tsv
	head -c $at long/t-games/games.tsv >torn/t-games/games.tsv
	gives 0 "cd torn && $tune"
	cmp torn/t.tsv long/t.tsv || complain "torn at $at: another table"
	rows torn/t-games/games.tsv | cmp - rows || complain "torn at $at: other games"
done

# Ctrl-C and SIGTERM: the command to go on with.
for signal in INT TERM; do
	slow="nxn tune -a expectimax:depth=1 -b 4x4 -p w_* -j 2 --held-out 1000000 -o $signal.tsv"
	at_work $signal-games/games.tsv 20 "$slow"
	stops $signal 'tune: stopped'
	has "tune -a expectimax:depth=1 -b 4x4 -p 'w_*' -j 2 --held-out 1000000 -o $signal.tsv" resume
	grep -q '^[0-9a-f]*	4x4	start	expectimax:depth=1	' $signal-games/games.tsv || complain "no game in $signal-games"
done

# What is tuned: a list with means and deviations; auto is the number that it stands for.
one="--population 2 --elite 1 -g 1 --generations 1 --held-out 2 --no-figures"
start()
{
	rm -f s.tsv
	gives 0 "nxn tune $one -o s.tsv $1"
	got=$(grep -v '^[#]' s.tsv | sed -n 2p | cut -f 11-)
	[ "$got" = "$(printf "$2")" ] || complain "start of $1: $got"
}
start "-b 3x3 -a expectimax:depth=1,tuned=1,w_empty=9 -p 'w_merge=7,w_e*~3' --sigma 0.25" '9\t3\t7\t1.75'
start "-b 3x3 -a expectimax:depth=1,tuned=1,w_empty=9 -p 'w_*,w_corner=-2~4' --sigma 1" '9\t9\t-2\t4\t10\t10\t5\t5'
# From 0 the deviation is a share of the scale: 10, and for w3 of linear9 4 / 2^(cells / 2 + 3).
start "-b 3x3 -a expectimax:depth=1,tuned=1,w_empty=0 -p w_empty --sigma 0.3" '0\t3'
start "-b 3x4 -a expectimax:depth=1,value=linear9 -p w3,w4" '0\t0.00390625\t-2\t1'
start "-b 2x2 -a expectimax:depth=1,value=strong,tuned=1 -p w_edge,w_corner=0" '0\t0.25\t0\t4000'
start "-b 3x3 -a expectimax:depth=1,cutoff=0 -p cutoff" '0\t5e-05'
start "-b 3x3 -a expectimax:depth=1,value=linear9,w3=0 -p w3~0.5" '0\t0.5'
start "-b 5x5 -a expectimax:depth=1,value=strong,tuned=1,w_sum=3 -p 'w_empty,w_sum,*_power' --sigma 0.5" \
	'386\t193\t3.019\t1.5095\t3\t1.5\t3.245\t1.6225'
start "-b 3x3 -a expectimax:depth=1 -p cutoff=1e-3" '0.001\t0.0005'
gives 0 "nxn tune $one -o range.tsv -b 2x2 -a expectimax:depth=1 -p cutoff=0.5~1 --population 40"
[ "$(sed -n 's/.*:.*,cutoff=\([^	]*\)	.*/\1/p' range-games/games.tsv | sort -gu | sed -n '1p;$p' | tr '\n' ' ')" = '0 1 ' ] ||
	complain 'no candidates on the bounds'

# Objectives.
for aim in log tile=64; do
	gives 0 "nxn tune -a expectimax:depth=1 -b 3x3 -p w_* --population 3 --elite 1 -g 8 --generations 1 --held-out 4 --objective $aim -o aim.$aim.tsv"
	seed=$(sed -n 's/^# seed of tuning games: \([0-9]*\),.*/\1/p' aim.$aim.tsv)
	awk -F '\t' -v aim=$aim -v seed="$seed" '
	FNR == NR && $6 == seed { worth = aim == "log" ? log(1 + $8) : $9 >= 64; all += worth; sum[$3] += worth; n++ }
	FNR != NR && $1 == 1 {
		for (c in sum) best = sum[c] > best ? sum[c] : best
		d = all / n - $4; if (d > 1e-6 || d < -1e-6) bad = 1
		d = best / 8 - $2; if (d > 1e-6 || d < -1e-6) bad = 1
	}
	END { exit bad || n != 24 }' aim.$aim-games/games.tsv aim.$aim.tsv || complain "objective $aim"
done

# The result is the tuned agent where held-out games show it to be better in what it was tuned for,
# and else the start, with a line that says so.
# judged NAME COMMAND: sets $tuned, $start, $result to agents.
judged()
{
	gives 0 "nxn tune -b 3x3 -p w_* -N 12 -m 3 -g 20 -G 4 -o $1.tsv $2"
	for name in start tuned result; do
		# The agent stands on a line of its own behind a mean.
		eval "$name=\$(awk -v name=$name '\$1 == name { if (/\]\$/) getline; print \$NF; exit }' stdout)"
	done
	[ -n "$result" ] && [ "$start" != "$tuned" ] || complain "$1: no result"
}
for aim in $aims; do
	judged bad.$aim "-a expectimax:depth=1,w_empty=-12.25,w_corner=-20 --sigma 1 --objective $aim"
	[ "$result" = "$tuned" ] || complain "$aim: a better agent is not the result"
	grep -q kept stdout && complain "$aim: the start is kept against a better agent"
	judged good.$aim "-a expectimax:depth=1 --sigma 0.01 --objective $aim"
	[ "$result" = "$start" ] || complain "$aim: an agent that is no better is the result"
	tr '\n' ' ' <stdout | grep -q ' No improvement shown on the held-out games (.*): the start is kept\. ' ||
		complain "$aim: nothing says that the start is kept"
done

# Convergence.
gives 0 "nxn tune -a expectimax:depth=1 -b 2x2 -p w_* -N 12 -m 1 -g 1 -G 9 --noise 0 --held-out 2 -o c.tsv"
has ', 1 generation, converged'
gives 0 "nxn tune -a expectimax:depth=1 -b 2x2 -p w_* --population 12 --elite 1 -g 1 --generations 3 --noise 0 --tolerance 0 --held-out 2 -o d.tsv"
has ', 3 generations'
gives 0 "nxn tune -a expectimax:depth=1,tuned=1 -b 2x2 -p w_* --population 12 --elite 1 -g 1 --generations 3 --noise 0.3 --constant-noise --held-out 2 -o e.tsv"
[ "$(grep -v '^[#"]' e.tsv | tail -n 1 | cut -f 12)" = 1.5 ] || complain 'the noise faded'

# Progress: a generation begins with a line of the one before.
gives 0 "nxn tune -a expectimax:depth=1 -b 4x4 -p w_* -g $tries --generations 2 --progress -o p.tsv"
tr '\r' '\n' <stderr | grep -q "K[0-9]*/$((60 * tries + 400)) games .*; generation 1/2: mean [0-9.e+]*, elite " || complain 'no progress'

# An untrained learner: the command that plays both agents says so too.
learner='nxn tune -a qlearn -p eta -b 2x2 -N 2 -m 1 -g 1 -G 1 --held-out 2 --no-figures --untrained'
gives 0 "$learner -o learner.tsv"
gives 0 "$(sed -n 's/^  nxn compare/nxn compare --no-figures -o learner/p' stdout)"

# Tunings that differ in the eighth digit differ.
small='nxn tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 2 -m 1 -g 1 -G 1 --held-out 2 --no-figures'
gives 0 "$small --noise 0.3 -o small.tsv"
fails 2 "there 'noise 0.3 fading', here 'noise 0.3000004 fading'" "$small --noise 0.3000004 -o small.tsv"

# Of two objectives the last counts.
gives 0 "$small --noise 0.3 --objective tile=8 --objective score -o small.tsv"

# Errors.
ok='nxn tune -a expectimax:depth=1 -b 3x3 -p w_* -o x.tsv'
fails 2 'qlearn has not been trained' 'nxn tune -a qlearn -p eta -b 2x2 -o x.tsv'
[ -e x-games ] && complain 'an untrained learner left a folder'
fails 2 '--agent is missing' 'nxn tune -p w_* -o x.tsv'
fails 2 '--params is missing' 'nxn tune -a expectimax -o x.tsv'
fails 2 '--out is missing' 'nxn tune -a expectimax -p w_*'
fails 2 '--out: must not be empty' "nxn tune -a expectimax -p w_* -o ''"
fails 2 "'w_x' names no real parameter of expectimax:depth=1: it has cutoff, move_p, terminal, ms, w_empty, w_corner, w_monotone, w_merge" \
	'nxn tune -a expectimax:depth=1 -p w_empty,w_x -o x.tsv'
fails 2 "'depth' names no real parameter" 'nxn tune -a expectimax -p depth -o x.tsv'
fails 2 "of random: it has none" 'nxn tune -a random -p x -o x.tsv'
fails 2 "--params: 'w_empty' is there twice" 'nxn tune -a expectimax -p w_empty,w_corner,w_empty~2 -o x.tsv'
fails 2 "expectimax: key 'depth' is there twice" 'nxn tune -a expectimax:depth=1,depth=2 -p w_empty -o x.tsv'
fails 2 "has an empty item" 'nxn tune -a expectimax -p w_empty,, -o x.tsv'
fails 2 "'w_empty=': expected a number behind =" 'nxn tune -a expectimax -p w_empty= -o x.tsv'
fails 2 "'w_empty=2x': expected a number behind =" 'nxn tune -a expectimax -p w_empty=2x -o x.tsv'
fails 2 "'w_empty~nan': expected a number behind ~" 'nxn tune -a expectimax -p w_empty~nan -o x.tsv'
fails 2 "'w_empty~0': the deviation behind ~ must be above 0" 'nxn tune -a expectimax -p w_empty~0 -o x.tsv'
fails 2 "'w_empty=1~-2': the deviation" 'nxn tune -a expectimax -p w_empty=1~-2 -o x.tsv'
for sigma in 1e-300 1e+308; do
	fails 2 "w_empty~$sigma: expected a deviation from 1e-100 to 1e+100" \
		"nxn tune -a expectimax -p w_empty=8~$sigma -o x.tsv"
done
fails 2 'w_empty~5e-201: expected a deviation' 'nxn tune -a expectimax -p w_empty=1e-200 -o x.tsv'
fails 2 "cutoff=7: expected a mean from 0 to 1" 'nxn tune -a expectimax -p cutoff=7 -o x.tsv'
fails 2 "000' names no real parameter" "nxn tune -a expectimax -o x.tsv -p $(printf '%0200d' 0)"
fails 2 "agent 'expectimux'" 'nxn tune -a expectimux -p w_* -o x.tsv'
for option in population elite games generations check held-out threads; do
	fails 2 "--$option: '0' is not" "$ok --$option 0"
done
fails 2 "--held-out: '1' is not" "$ok --held-out 1"
fails 2 '--elite: 31 is more than --population 30' "$ok --elite 31"
for number in '' x 0 -1 nan 1e7 '1 '; do
	fails 2 "--sigma: '$number' is not a number from 1e-06 to 1e+06" "$ok --sigma '$number'"
done
fails 2 "--noise: '-1' is not" "$ok --noise -1"
fails 2 "--tolerance: '2' is not" "$ok --tolerance 2"
fails 2 "'median' is none of score, log, tile=N" "$ok --objective median"
fails 2 "tile: '1' is not" "$ok --objective tile=1"
fails 2 "tile=64: the largest tile on 2x2 is 32" "nxn tune -a expectimax -b 2x2 -p 'w_*' -o high.tsv --objective tile=64"
fails 2 "tile=12 is not a power of 2" "$ok --objective tile=12"
[ -e x.tsv ] || [ -e x-games ] && complain 'a refused command left files'
fails 2 'strong: these weights give values up to' \
	"nxn tune -a expectimax:1,value=strong,mono_power=4 -p w_mono~1000000 -b 6x6 -g 1 --held-out 2 -o weights.tsv"
echo mine >mine.tsv
printf 'mine\nwithout an end' >open.tsv
for file in mine.tsv open.tsv again/games.tsv whole/t.tsv; do
	cp $file x.tsv
	fails 2 'x.tsv: exists and is not the table of this tuning with these settings' "$ok"
	cmp $file x.tsv || complain "$file was changed"
done
cp long/t.tsv x.tsv
other='x.tsv: exists and is not the table of this tuning with these settings: there'
fails 2 "$other 'seed: 5', here 'seed: 6'" "$base -s 6 -o x.tsv"
fails 2 "$other 'games 30', here 'games 31'" "$base -g 31 -o x.tsv"
fails 2 "$other 'tuning: w_empty=" "$base --sigma 0.4 -o x.tsv"
fails 2 "$other 'agent: expectimax:depth=1 on 3x4', here 'agent: expectimax:depth=1 on 4x3'" "$base -b 4x3 -o x.tsv"
cmp long/t.tsv x.tsv || complain 'the table of another tuning was changed'
rm x.tsv
fails 2 'folder: exists and is not a regular file' "mkdir folder; $base -o folder"
fails 1 '/proc/x-games: cannot make the folder' "$base -o /proc/x.tsv"
fails 1 'full-games/games.tsv: ' "trap '' XFSZ; ulimit -f 16; $base -o full.tsv"
gives 0 "$base -j 2 -o full.tsv"
untitled full.tsv >full
untitled long/t.tsv | cmp - full || complain 'another table after the disk was full'

# Two at once.
busy='nxn tune -a expectimax:depth=1 -b 4x4 -p w_* --held-out 1000000 -o busy.tsv'
at_work busy-games/games.tsv 20 "$busy"
fails 2 'busy-games: another process is writing in this folder' "$busy"
signalled KILL

exit $bad
