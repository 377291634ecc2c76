#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 95% intervals hold the truth as often as they say: SEEDS comparisons (200) of 2, 5, 10, 20, 50 and
# 200 games on boards where nxn gap works the mean scores out exactly. Prints, for each, in how many
# the mean and the ratio of two means were held, of how many that had bounds; games that are all alike
# have none. Fails where that is under the 95% by more than 5 points and three standard errors: skewed
# scores of few games fall short a little (analysis/stats/stats.h).
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
seeds=${SEEDS:-200}

# held BOARD GAMES: counts the rows of tables in the file rows against the exact means.
held()
{
	awk -F '\t' -v board="$1" -v games="$2" '
	function count(kind, truth, low, high) {
		if (low == "NaN") { none[kind]++; return }
		n[kind]++
		if (low <= truth * (1 + 1e-9) && high >= truth * (1 - 1e-9)) hits[kind]++
		else if (high < truth) below[kind]++
	}
	FILENAME == "means" { mean[$1] = $2; next }
	{ gsub("\"", "") }
	$1 == "board" || $1 == "a" { next }
	$1 in mean { count("ratio " $1 "/" $2, mean[$1] / mean[$2], $6, $7); next }
	{ count("mean of " $3, mean[$3], $8, $9) }
	END {
		for (kind in n) {
			share = hits[kind] / n[kind]
			bad = n[kind] >= 50 && share < 0.90 - 3 * sqrt(0.0475 / n[kind])
			printf "%s\t%d\t%s\t%d of %d\t%.1f%%\t%d too low\t%d without bounds%s\n", board, games, kind,
				hits[kind], n[kind], 100 * share, below[kind], none[kind], bad ? "\tFAILED" : ""
			failed += bad
		}
		exit failed > 0
	}' means rows | sort
}

for board in 2x2 2x3 3x3; do
	players=random,greedy
	nxn gap -b $board -a $players --exact always --no-figures -o exact-$board >stdout 2>stderr ||
		complain "nxn gap -b $board"
	awk -F '\t' '$6 == "exact" { print $3 "\t" $7 }' exact-$board/gap.tsv >means
	[ "$(wc -l <means)" -eq 2 ] || complain "no exact means on $board"
	for games in 2 5 10 20 50 200; do
		seed=0
		: >rows
		while [ $seed -lt "$seeds" ]; do
			seed=$((seed + 1))
			nxn compare -b $board -a $players -g $games --seed $seed --no-figures -o run >stdout 2>stderr ||
				complain "nxn compare -b $board -g $games --seed $seed"
			grep -h '^"' run/tables/summary.tsv run/tables/ratios.tsv >>rows
			rm -r run
		done
		held $board $games >table || :
		cat table
		grep -q FAILED table && complain "intervals on $board of $games games"
	done
done
exit $bad
