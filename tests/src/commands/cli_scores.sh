#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Scores of games that nxn did not play: read from lines and from columns of tables; what they tell.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# Of 1 to 600 the mean is 300.5 and the standard deviation sqrt(600 * 601 / 12); t(0.975; 599) = 1.96393.
seq 1 600 >a.txt
gives 0 'nxn report --scores a.txt'
grep -q '^a.txt  *600  *30[01] \[287, 314\]' stdout || complain 'another mean of 1 to 600'
gives 0 'nxn report --tsv --scores a.txt'
grep -v '^#' stdout | tail -n 1 | awk -F '\t' '
	function near(a, b) { return a - b < 1e-3 && b - a < 1e-3 }
	{ half = 1.96393 * sqrt(600 * 601 / 12) / sqrt(600) }
	$1 != "\"a.txt\"" || $2 != 600 || $3 != 300.5 || !near($4, 300.5 - half) || !near($5, 300.5 + half) { exit 1 }
	$6 != 300.5 || !near($12, sqrt(600 * 601 / 12)) || $15 != 1 || $16 != 600 { exit 1 }' ||
	complain 'another mean, median or deviation of 1 to 600'

# The same from a column: tabs, commas, quotes, comments, other columns; ends of lines as on Windows.
awk 'BEGIN { print "# from elsewhere"; print "who\tscore"; for (i = 1; i <= 600; i++) print "x\t" i }' >a.tsv
awk 'BEGIN { print "\"who, \"\"or what\"\"\",score,time\r"; for (i = 1; i <= 600; i++) print "\"x,y\"," i ",0.5\r" }' >a.csv
for table in a.tsv a.csv; do
	gives 0 "nxn report --scores --column score $table"
	grep -q "^$table  *600  *30[01] \[287, 314\]" stdout || complain "other scores of $table"
done
gives 0 'nxn report --scores --column "who, \"or what\"" a.csv; [ $? -eq 2 ]'
has "a.csv:2: column 1: 'x,y' is no score; expected a number" stderr

# Several files: the best over the others. Twice as much is a ratio of 2. The deviations are 173.35 and 346.70, so the
# difference is 300.5 -+ 1.963 * sqrt((173.35^2 + 346.70^2) / 600) = 31.06.
seq 2 2 1200 >b.txt
gives 0 'nxn report --scores a.txt b.txt'
grep -q '^b.txt  *a.txt  *2.00 \[1.8[0-9], 2.1[0-9]\]  *30[01] \[269, 332\]$' stdout || complain 'another ratio'
gives 0 'nxn report --scores --tsv=ratios a.txt b.txt'
grep -q '^"a.txt"	"b.txt"	0.5	0.4[67][0-9]*	0.53[0-9]*	-300.5	-331[0-9.]*	-269[0-9.]*$' stdout || complain 'another table of ratios'
gives 0 'nxn report --scores a.txt >one; nxn report --scores --full a.txt'
has 'standard deviation'

# In pairs: differences of 1 to 100 have the mean 50.5 and the deviation sqrt(100 * 101 / 12);
# t(0.975; 99) = 1.98422, so the interval is 50.5 -+ 5.757. A is ahead in each: Wilson 96.3% to 100%.
seq 2 2 200 >a.txt
seq 1 100 >b.txt
gives 0 'nxn duel --scores a.txt b.txt'
has 'A scores more: a.txt, after 100 games.'
grep -q 'A - B  *5[01] \[45, 56\] points' stdout || complain 'another difference'
has '100.0% [96.3, 100.0]'
has 'Intervals: 95%, of all games at once.'
gives 0 'nxn duel --scores b.txt a.txt --alpha 1%'
has 'B scores more: a.txt, after 100 games.'
has 'Intervals: 99%'
gives 0 'nxn duel --scores a.txt a.txt --bound 5%'
has 'a verdict needs 20'
[ -e out ] && complain 'a duel of scores made a folder'

# A ratio exists only for positive means; else the difference decides, and the text says so. Of 1 to 100 less -1 to
# -100 the mean is 101, and the deviation 2 * sqrt(100 * 101 / 12).
seq 1 100 >up
sed 's/^/-/' up >down
gives 0 'nxn duel --scores up down'
has 'A scores more: up, after 100 games.'
has 'The difference of mean scores decides: a ratio needs two means'
grep -q 'ratio of mean scores A/B  -$' stdout || complain 'a ratio to a negative mean'
gives 0 "nxn report --scores --tsv=ratios up down"
grep -q '^"up"	"down"	NaN	NaN	NaN	101	9[0-9.]*	1[01][0-9.]*$' stdout || complain 'other differences'
gives 0 'nxn report --scores up down'
grep -q '^up  *down  *-  *101 \[9[0-9], 10[0-9]\]$' stdout || complain 'a ratio to a negative mean in the table'

# Where the interval of a mean reaches 0, the ratio has none, as in a duel. The mean of `near` is 1, its deviation 10.05.
seq 100 | awk '{ print $1 % 2 ? 11 : -9 }' >near
gives 0 'nxn report --scores up near'
grep -q '^up  *near  *50.5 \[-, -\]  *49.5 \[4[0-9.]*, 5[0-9.]*\]$' stdout || complain 'an undecided ratio beside a clear difference'
has 'The difference of means decides: a ratio needs two means'
gives 0 'nxn report --scores up a.txt'
grep -q 'difference of means decides' stdout && complain 'a ratio decides'

# Scores of any accepted size give the same relative intervals: a factor changes no digit, and no number is cut.
awk '{ print $1 "e47" }' up >big
awk '{ print $1 "e-50" }' up >small
gives 0 'nxn report --scores --tsv big small up'
grep -v '^#' stdout | tail -n 3 | awk -F '\t' '
	function near(a, b) { return a / b - 1 < 1e-6 && b / a - 1 < 1e-6 }
	{ for (i = 3; i <= 16; i++) if (NR > 1 && !near($i / $3, want[i])) exit 1; else if (NR == 1) want[i] = $i / $3 }' ||
	complain 'intervals depend on the unit'
gives 0 'nxn report --scores --full big small'
has '5.050e+48 ['
has '5.050e-49 ['
gives 0 'nxn duel --scores big up'
has '5.050e+48 and 50.5'
grep -qi 'inf' stdout && complain 'an infinite number'
for unit in 1e51 1e77 1e300 1e-51 1e-300; do
	awk -v e="${unit#1}" '{ print "9" e }' up >far
	fails 2 "far:1: '9${unit#1}' is out of range: expected 0, or 1e-50 to 1e50 in magnitude" 'nxn report --scores far up'
	fails 2 "far:1: '9${unit#1}' is out of range" 'nxn duel --scores up far'
done

# A verdict stays when the scores of the loser become worse, by any number of points or any factor: through 0 and
# below, where all of them are 0, where they hardly differ from 0, and for either order of the two.
awk 'BEGIN { srand(5); for (i = 1; i <= 60; i++) { print 60 + 90 * rand() >"winner"; print 50 + 90 * rand() >"loser" } }'
for change in 'x - 5 * i' 'x - 100 - i / 4' 'x * (8 - i) / 8' '0.001 - i / 100' 'x / 100 + 12 - i'; do
	first=open
	for i in $(seq 0 4 24); do
		awk -v i="$i" "{ x = \$1; printf \"%.9g\\n\", $change }" loser >worse
		nxn duel --scores winner worse >stdout 2>stderr || complain "no duel: $change, $i"
		nxn duel --scores worse winner >turned 2>stderr
		now=$(sed -n 's/^\([AB]\) scores more.*/\1/p' stdout)
		other=$(sed -n 's/^\([AB]\) scores more.*/\1/p' turned)
		[ "$now$other" = AB ] && first=A
		case $now$other$first in
		ABA | open) ;;
		*) complain "the verdict of A is '$now', turned '$other': $change, $i" ;;
		esac
		grep -qi 'inf\|nan\|A/B  -[0-9]' stdout && complain "no ratio: $change, $i"
	done
	[ $first = A ] || complain "never decided: $change"
done

# What is wrong is named with file and line.
printf '1\n2\nx\n' >bad
fails 2 "bad:3: 'x' is no score; expected one number per line, or a table and --column" 'nxn report --scores bad'
for value in nan inf 0x10 1e999 '1 2' '1,2'; do
	printf '%s\n' "$value" >bad
	fails 2 "bad:1: '$value' is no score" 'nxn report --scores bad'
done
fails 2 "a.tsv:2: no column 'points'; expected it among 'who	score'" 'nxn report --scores --column points a.tsv'
printf 'a,score\n1,"5\n' >bad
fails 2 'bad:2: column 2: the quote is not closed at its end' 'nxn report --scores --column score bad'
printf '"a,score\n1,5\n' >bad
fails 2 'bad:1: column 1: the quote is not closed at its end' 'nxn duel --scores --column score bad a.txt'
printf 'score,a,score\n1,2,3\n' >bad
fails 2 "bad:1: more than one column 'score'" 'nxn report --scores --column score bad'
printf 'a,b\n1\n' >bad
fails 2 "bad:2: 1 column, expected 2" 'nxn report --scores --column b bad'
# The log of a run that was stopped has its short games; report and duel would take them for all.
printf '# nxn\nconfig\tboard\tlabel\tscore\n0\t4x4\ta\t5\n' >games.tsv
for command in 'report games.tsv' 'duel games.tsv games.tsv'; do
	fails 2 "games.tsv:2: is a log of nxn: not all of its games may count; expected scores of other programs, and 'nxn report FOLDER'" \
		"nxn $command --scores --column score"
done
: >bad
fails 2 'bad: has no scores' 'nxn report --scores bad'
fails 2 'nowhere: ' 'nxn report --scores nowhere'
fails 2 "a.txt: 100 scores, but c.txt has 99; expected those of the same games" \
	'seq 1 99 >c.txt; nxn duel --scores a.txt c.txt'
fails 2 'a second file of scores is missing' 'nxn duel --scores a.txt'
for option in --board=4x4 --seed=1 --batch=50 --pilot=50 --max-games=99 --untrained --out=x --start-tiles=2; do
	fails 2 "${option%=*}: not with --scores, which plays no games" "nxn duel --scores a.txt b.txt $option"
done
fails 2 '--power: not with --scores' 'nxn duel --scores a.txt b.txt --power 2%'
fails 2 '--power: not with --scores' 'nxn duel --scores --power 2% --sd 0.6'
fails 2 '--column: only with --scores' 'nxn duel --column score --power 2% --sd 0.6'
fails 2 '--column: only with --scores' 'nxn report --column x a.txt'
fails 2 '--column: only with --scores' 'nxn duel --column x random greedy'
fails 2 'of scores there is summary or ratios' 'nxn report --scores --tsv=tiles a.txt'
exit $bad
