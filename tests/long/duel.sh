#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The error rates of nxn duel: of pairs drawn from games that were played, compared with other tests,
# and of duels between players who are equal by symmetry. The tables of docs/duel.md.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# pairs NAME BOARD A B GAMES: the scores of both in the file NAME.
pairs()
{
	gives 0 "nxn compare -b $2 -a '$3;$4' -g $5 -o $1.out --no-times --no-figures"
	awk -F '\t' -v a="$3" -v b="$4" '
	$3 == a { x[$7] = $8 }
	$3 == b { y[$7] = $8 }
	END { for (i = 0; i in x && i in y; i++) print x[i], y[i] }' "$1.out/games.tsv" >"$1"
	[ "$(wc -l <"$1")" -eq "$5" ] || complain "not $5 pairs of $3 and $4"
}
pairs greedy 4x4 greedy corners 20000
pairs searches 4x4 expectimax:depth=1 expectimax:depth=2 5000
pairs small 2x3 random greedy 20000
"$(dirname "$nxn_path")"/tests/long/duel_rates 'greedy, corners' greedy 'searches' searches '2x3' small ||
	complain 'tests/long/duel_rates'

# A quarter turn of the board makes these two players of each other: nobody is better. Of 300 duels some
# 15 are to end with a verdict all the same; four standard deviations are 15.1.
for seed in $(seq 300); do
	gives 0 "nxn duel greedy greedy:ties=RDLU -b 3x3 -g 1000 -s $seed -o equal --no-figures"
	sed -n 's/^\([AB]\) scores more.*/\1/p; s/^\(Undecided\).*/\1/p' stdout
	rm -r equal
done | sort | uniq -c >verdicts
echo "equal by symmetry: $(tr '\n' ' ' <verdicts)"
awk '{ n += $1; if ($2 != "Undecided") apart += $1 } END { exit !(n == 300 && apart <= 30) }' verdicts ||
	complain 'equal players are told apart too often'

exit $bad
