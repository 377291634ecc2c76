#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands of docs/ that are no experiment: a tuning of a paper's counts, the best of ten tests of a log.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# command_of PAGE WORD: the command of a page that WORD is in, its lines without what indents them.
command_of()
{
	awk -v word="$2" '
	/^```/ || /^ *$/ { if (found) exit; text = "" }
	!/^```/ { sub(/^    /, ""); text = text $0 "\n"; found = found || index($0, word) }
	END { if (found) printf "%s", text }' "$source/docs/$1"
}

# The tuning with the iterations of the text: it begins, and its table says how many are to come.
command_of paper.md '--out itrn.tsv' >tune
[ "$(grep -c 'nxn tune' tune)" -eq 1 ] || complain 'docs/paper.md has no tuning of 1000 generations'
sed -i 's/--out itrn.tsv/& --time-budget 0.1s/' tune
gives 75 '. ./tune'
grep -q '^# tuning: .*candidates 12, kept 4, games 20, generations 1000, noise 0 fading, tolerance 0,' itrn.tsv ||
	complain "another tuning: $(grep '^#' itrn.tsv)"

# The best of ten tests, here of 6 games each: mean, best score and rate of 2048 of the test with most
# games that reached it, the first of equals, are what nxn report says of that test alone.
command_of learning.md 'awk -F' >best
sed -i 's/10000/60/; s/1000/6/' best
gives 0 "nxn compare -a expectimax:depth=1 -g 70 -s 2 --no-figures -o out/ten"
for test in 0 1 2 3 4 5 6 7 8 9; do
	mkdir test$test
	# From game 0 on: nxn counts games up to the first that is missing.
	awk -F '\t' -v OFS='\t' -v test=$test '$7 ~ /^[0-9]+$/ { $7 -= 6 * test } $7 !~ /^-?[0-9]+$/ || ($7 >= 0 && $7 < 6)' \
		out/ten/games.tsv >test$test/games.tsv
	nxn report --tsv=results test$test/games.tsv >results || complain "nxn report test$test"
	awk -F '\t' '
	/^"/ { for (i = 1; i <= NF; i++) at[$i] = i }
	/^"4x4"/ && $at["\"games\""] == 6 {
		print $at["\"mean\""], $at["\"max\""], 100 * $at["\"reach_2048\""]
	}' results
done | awk '{ $1 += 0; $3 += 0; print }' >tests
[ "$(sort -u tests | wc -l)" -eq 10 ] || complain 'not ten tests'
[ "$(cut -d ' ' -f 3 tests | sort -u | wc -l)" -gt 2 ] || complain 'ten equal tests'
gives 0 '. ./best'
sed 's/%//' stdout | awk '{ $3 = sprintf("%.4f", $3); printf "%.3f %s %s\n", $1, $2, $3 }' >got
sort -s -r -n -k 3,3 tests | awk 'NR == 1 { printf "%.3f %s %.4f\n", $1, $2, $3 }' >want
cmp got want || complain "best of ten tests: $(cat got), expected $(cat want)"
exit $bad
