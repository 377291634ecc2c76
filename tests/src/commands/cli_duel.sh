#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn duel from the outside: the same games as nxn compare, its table worked out again, killed at any
# moment, plans, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

examples duel

# The games are those of nxn compare, and other commands read them.
duel='duel corners greedy -g 2000 --no-times'
gives 0 "nxn $duel -j 1 -o one"
cp stdout one.text
has 'A = corners, B = greedy, on 4x4, seed 1' one.text
has 'Page one/index.html; beside it games.tsv, tables/ and figures/.' one.text
for file in duel.svg duel.pdf duel.gp duel.tsv; do
	[ -s one/figures/$file ] || complain "no one/figures/$file"
done
has '# command: nxn duel corners greedy -g 2000 --no-times -j 1 -o one' one/tables/duel.tsv
has '# block 1: 4x4 corners / greedy' one/tables/duel.tsv
games one/games.tsv >one.games
last=$(tail -n 1 one/tables/duel.tsv | cut -f 1)
gives 0 "nxn compare -a corners,greedy -g $last -o compared --no-times --no-figures"
games compared/games.tsv | cmp - one.games || complain 'a duel plays other games than nxn compare'
gives 0 'nxn report one --full'
grep -q "^4x4  *corners  *0  *$last " stdout || complain 'nxn report does not read the games of a duel'

# Every row of the table, out of the games. LIMIT is standard errors; all rows but the last leave it open.
cat >look.awk <<'END'
FNR == NR {
	if ($3 == "corners") a[$7] = $8
	if ($3 == "greedy") b[$7] = $8
	next
}
/^[0-9]/ {
	n = $1; sa = sb = 0
	for (i = 0; i < n; i++) { sa += a[i]; sb += b[i] }
	sa /= n; sb /= n; v = w = win = ties = 0
	for (i = 0; i < n; i++) {
		v += (a[i] / sa - b[i] / sb) ^ 2
		w += (a[i] - b[i] - sa + sb) ^ 2
		win += a[i] > b[i]; ties += a[i] == b[i]
	}
	reach = $13 * sqrt(v / (n - 1) / n); points = $13 * sqrt(w / (n - 1) / n)
	near($2, sa); near($3, sb); near($4, sa / sb)
	near($5, sa / sb * exp(-reach)); near($6, sa / sb * exp(reach))
	near($7, sa - sb); near($8, sa - sb - points); near($9, sa - sb + points)
	near($10, (win + ties / 2) / n); near($14, sqrt(v / (n - 1))); near($17, ties)
	decided = $5 > 1 ? "\"A\"" : $6 < 1 ? "\"B\"" : "\"\""
	if (decided != $18) bad("the verdict is " $18 " and not " decided)
	if (verdict != "" && verdict != "\"\"") bad("a look after the verdict")
	verdict = $18; rows++
}
function bad(text) { print FNR ": " text; failed = 1 }
function near(x, y) { if ((x - y) ^ 2 > 1e-14 * (1 + y * y)) bad(x " is not " y) }
END { exit failed || rows < 2 || verdict == "\"\"" }
END
awk -F '\t' -f look.awk one.games one/tables/duel.tsv >wrong || complain "the table: $(cat wrong)"
has 'A scores more: corners, after' one.text

# The first limit spends its part of the error alone: of 5% the share 50 / 2000, on both sides, of
# Student's t with 49 degrees of freedom: 3.4256 (tables of t: 3.5004 at 0.0005, 3.2651 at 0.001).
awk -F '\t' '$1 == 50 { exit !($13 > 3.2651 && $13 < 3.5004) }' one/tables/duel.tsv || complain 'the first limit'

# The other way round; another number of threads; what was played by others; nothing is played twice.
gives 0 "nxn duel greedy corners -g 2000 --no-times --no-figures -o turned"
has 'B scores more: corners, after'
[ "$(tail -n 1 turned/tables/duel.tsv | cut -f 1)" = "$last" ] || complain 'the other way round takes another time'
gives 0 "nxn $duel -j 3 -o three"
sed 's/three/one/g' stdout | cmp - one.text || complain 'the verdict depends on the number of threads'
games three/games.tsv | cmp - one.games || complain 'games depend on the number of threads'
gives 0 "nxn compare -a greedy,corners,random -g 2500 --no-times --no-figures -o before"
grep -v '^# command' before/games.tsv >before.games
gives 0 "nxn $duel -o before"
sed 's/before/one/g' stdout | cmp - one.text || complain 'games of others change the verdict'
grep -v '^# command' before/games.tsv | cmp - before.games || complain 'games were played twice'

# Killed, and interrupted, it goes on as if nothing had happened.
slow='duel expectimax:depth=2,cutoff=0 expectimax:depth=2,cutoff=0.1 -b 3x4 -g 600 --no-times --no-figures'
gives 0 "nxn $slow -j 2 -o whole"
cp stdout whole.text
games whole/games.tsv >whole.games
lines=0
for more in 40 80 80; do
	at_work killed/games.tsv $((lines + more)) "nxn $slow -j 2 -o killed"
	signalled KILL
	lines=$(wc -l <killed/games.tsv)
done
at_work killed/games.tsv $((lines + 20)) "nxn $slow -j 2 -o killed"
stops INT 'duel: stopped after [0-9]* of the [0-9]* games up to the next look'
grep -q '^nxn duel .* -o killed$' resume || complain "resume command: $(cat resume)"
grep -q '^ *50 ' stdout || complain 'no looks after SIGINT'
grep -q 'Undecided\|scores more' stdout && complain 'a verdict in spite of SIGINT'
gives 0 "$(cat resume)"
sed 's/killed/whole/g' stdout | cmp - whole.text || complain 'a killed duel ends with another verdict'
games killed/games.tsv | cmp - whole.games || complain 'a killed duel plays other games'

# Out of time it asks for another time, and goes on then.
gives 75 "nxn $slow -j 2 -o budget --time-budget 0.03s"
has 'nxn duel: stopped ' stderr
gives 0 "nxn $slow -j 2 -o budget"
sed 's/budget/whole/g' stdout | cmp - whole.text || complain 'a duel that ran out of time ends with another verdict'

# Equal by symmetry: a quarter turn of the board makes one player the other.
gives 0 'nxn duel greedy greedy:ties=RDLU -b 3x3 -s 2 --bound 10% --no-figures -o equal'
grep -q '^A and B are equal within 10%, after [0-9]* games.$' stdout || complain 'equal players are not equal'
awk -F '\t' '/^[0-9]/ { inside = $5 > 1 / 1.1 && $6 < 1.1; if (inside != ($18 == "\"equal\"")) bad = 1 }
	END { exit bad || !inside }' equal/tables/duel.tsv || complain 'equal is not within the bound'
gives 0 'nxn duel greedy greedy:ties=RDLU -b 3x3 -s 2 -g 300 --no-figures -o open'
has 'Undecided after all 300 games.'

# Intervals of another level are wider; one look alone is allowed.
gives 0 'nxn duel corners greedy -g 100 --batch 100 --alpha 1% --no-figures -o strict --full'
has 'ratio [99%]'
[ "$(grep -c '^[0-9]' strict/tables/duel.tsv)" -eq 1 ] || complain 'more than one look'

# Players that do not differ, and scores without a ratio, decide nothing; there is nothing to draw.
gives 0 'nxn duel expectimax:depth=1,cutoff=0 expectimax:depth=1,cutoff=1e-9 -b 2x2 -g 100 --bound 2% -o same'
has 'The scores differ in 0 of them; a verdict needs 20.'
[ ! -e same/figures/duel.svg ] || complain 'a figure of nothing'
gives 0 'nxn duel random greedy -b 2x2 --start 2,4/0,2 --spawn 8:1 -g 50 -o start --no-figures'
has 'on 2x2'

# Other programs play as elsewhere, and so do players by the clock, which is said.
gives 0 "nxn duel greedy 'external:nxn eval --serve -a greedy' -b 2x3 -g 60 --no-figures -o other"
has 'The scores differ in 0 of them'
gives 0 'nxn duel expectimax:ms=0.05 random -b 2x2 -g 50 --no-figures -o clocked'
has 'Note: agents with ms= decide by the clock'

# A verdict shows that its interval excludes 1; what was saved is told only of a --max-games that was asked for.
gives 0 'nxn duel corners greedy -b 2x3 --no-figures -o near'
grep -q 'ratio of mean scores A/B  1\.0[0-9]* \[1\.0*[1-9]' stdout || complain 'a bound above 1 reads as 1'
grep -q saved stdout && complain 'games saved against a number that nobody chose'
gives 0 'nxn duel corners greedy -b 2x3 --max-games 5000 --no-figures -o near'
has saved
# Without a bound nothing is said of it.
gives 0 'nxn duel --power 2% --sd 60%'
grep -q bound stdout && complain 'a bound that nobody asked for'
gives 0 'nxn duel --power 2% --sd 60% --bound 3%'
has 'within bound'

# Progress with the estimate so far.
gives 0 "nxn $slow -o shown --progress"
tr '\r' '\n' <stderr | grep -q 'ratio [0-9.]* \[[0-9.]*, [0-9.]*\] at [0-9]*, of at most 600' ||
	complain 'no estimate in the progress line'

# Plans: the formula of one look; a spread by a pilot; the games are kept.
gives 0 'nxn duel --power 2% --sd 60%'
awk 'BEGIN { printf "  one look     %d games\n", 1 + ((1.959964 + 1.281552) * 0.6 / log(1.02)) ^ 2 }' >wanted
has "$(cat wanted)"
gives 0 'nxn duel --power 0.02 --sd 0.6 --beta 20% --alpha 10%'
awk 'BEGIN { printf "  one look     %d games\n", 1 + ((1.644854 + 0.841621) * 0.6 / log(1.02)) ^ 2 }' >wanted
has "$(cat wanted)"
gives 0 'nxn duel corners greedy --power 5% --bound 5% --pilot 100 --no-times -o pilot'
spread=$(awk -F '\t' '$1 == 100 { printf "%.3g", 100 * $14 }' one/tables/duel.tsv)
has "Spread of a pair: $spread% of the mean score ["
most=$(sed -n 's/^  nxn duel     at most \([0-9]*\) games.*/\1/p' stdout)
[ $((most % 50)) -eq 0 ] || complain "--max-games $most"
[ "$(games pilot/games.tsv | wc -l)" -eq 201 ] || complain 'expected a header and 200 games of a pilot'

# Wrong options.
fails 2 'two agents are missing' 'nxn duel'
fails 2 'a second agent is missing' 'nxn duel random'
fails 2 'two agents are missing' 'nxn duel --power 2%'
fails 2 "unexpected argument 'x'; a duel is between two" 'nxn duel random greedy x'
fails 2 'random against itself: expected two different agents' 'nxn duel random random'
# The table's size and threads change times, not moves; unless the search is limited by positions.
for other in expectimax:depth=1,tt=1M expectimax:depth=1,threads=2; do
	fails 2 "expectimax:depth=1 and $other differ in tt or threads alone, which change no move" \
		"nxn duel expectimax:depth=1 $other -b 2x2"
	gives 0 "nxn compare -b 2x2 -a 'expectimax:depth=1;$other' -g 4 -o alike --no-figures"
	has "$other on 2x2 differ in tt or threads alone, which change no move: they play the same games" stderr
done
fails 2 'expectimax:tt=64M plays on 2x2 already, as expectimax: both have the same parameters' \
	'nxn duel expectimax expectimax:tt=64M -b 2x2'
gives 0 'nxn compare -b 2x2 -a "expectimax:nodes=50;expectimax:nodes=50,tt=0" -g 4 -o unlike --no-figures'
[ ! -s stderr ] || complain 'players with a limit of positions are said to be alike'
fails 2 "agent 'randon': did you mean random?" 'nxn duel randon greedy'
fails 2 "--max-games: '19' is not a whole number from 20 to 100000000" 'nxn duel random greedy -g 19'
fails 2 "--batch: 'x' is not a whole number" 'nxn duel random greedy --batch x'
fails 2 "--pilot: '0' is not a whole number" 'nxn duel random greedy --power 2% --pilot 0'
for share in '' x 0 -1% nan 0x1 2%% '5 %' 51% 1e-12; do
	fails 2 "--alpha: '$share' is not a share such as 2% or 0.02, at most 50%" "nxn duel random greedy --alpha '$share'"
done
fails 2 "--beta: '1' is not a share" 'nxn duel random greedy --beta 1'
fails 2 "--bound: '0%' is not a share" 'nxn duel random greedy --bound 0%'
fails 2 "--power: '5' would be 500%; write '5%', or that" 'nxn duel random greedy --power 5'
fails 2 "--sd: '60' would be 6000%" 'nxn duel --power 2% --sd 60'
fails 2 "--power: 'much' is not a share" 'nxn duel random greedy --power much'
for option in --max-games=20 --pilot=20 --out=x --seed=1 --board=4x4; do
	fails 2 "${option%=*}: not with --sd, which plays no games" "nxn duel --power 2% --sd 60% $option"
done
fails 2 '--full: not with --power' 'nxn duel random greedy --power 2% --full'
fails 2 '--pilot: only with --power' 'nxn duel random greedy --pilot 50'
fails 2 '--max-games: not with --power' 'nxn duel random greedy --power 2% --max-games 100'
fails 2 '--sd: only with --power' 'nxn duel random greedy --sd 60%'
fails 2 '--sd: not with agents' 'nxn duel random greedy --power 2% --sd 60%'
fails 2 "--sd: '-3' is not a share" 'nxn duel --power 2% --sd -3'
fails 2 'an effect of 1e-05% takes more than 1000000000 games at a spread of 60%' 'nxn duel --power 1e-7 --sd 60%'
fails 2 'the scores differ in 0 of 50 games of the pilot: too few to plan by' \
	'nxn duel expectimax:depth=1,cutoff=0 expectimax:depth=1,cutoff=1e-9 -b 2x2 --power 2% --pilot 50 -o same'

mkdir full full/tables full/tables/duel.tsv
fails 1 'full/tables/duel.tsv: cannot write' 'nxn duel random greedy -b 2x2 -o full'

figures_open one
exit $bad
