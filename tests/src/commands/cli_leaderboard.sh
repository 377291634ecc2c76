#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# analysis/leaderboard.sh, in small: a row for each board and budget, of the winner's games with a seed of
# their own and of the optimum where it is known; a second run plays nothing and prints the same.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

export NXN=nxn TRAIN=1s BOARDS='
2x2 40 40 60
2x3 3 0 6'
gives 0 "sh '$source/analysis/leaderboard.sh' board"
mv stdout first
[ "$(wc -l <first)" -eq 5 ] || complain 'not three rows'
winner=$(sed -n 's/^| 2x2 | 0.1 ms | \([a-z]* 0.1 ms\) | .*/\1/p' first)
mean=$(nxn report --tsv=means board/fresh | awk -F '\t' -v label="\"$winner\"" '$1 == label && $2 == "\"2x2\"" { printf "%.0f", $4 }')
row="^| 2x2 | 0.1 ms | $winner | 60 | $mean \\[[0-9]*, [0-9]*\\] | [01].[0-9]* \\[[0-9., ]*\\] | [a-z0-9., ]* |\$"
grep -q "$row" first || complain 'no row of 2x2 at 0.1 ms'
grep -qx '# seed: 2' board/fresh/games.tsv || complain 'the seed is that of the first games'
grep -q '^| 2x2 | 1 ms |' first && grep -q '^| 2x3 | 0.1 ms |' first || complain 'rows are missing'
lines=$(cat board/games.tsv board/fresh/games.tsv | wc -l)
gives 0 "sh '$source/analysis/leaderboard.sh' board"
cmp -s stdout first || complain 'a second run prints something else'
[ "$(cat board/games.tsv board/fresh/games.tsv | wc -l)" -eq "$lines" ] || complain 'a second run plays games'
exit $bad
