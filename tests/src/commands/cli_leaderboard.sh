#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# analysis/leaderboard.sh, in small: a row for each board and budget, of the optimum where it is known; a
# second run plays nothing and prints the same.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

export NXN=nxn TRAIN=1s BOARDS='
2x2 40 40
2x3 3 0'
gives 0 "sh '$source/analysis/leaderboard.sh' board"
mv stdout first
[ "$(wc -l <first)" -eq 5 ] || complain 'not three rows'
row='^| 2x2 | 0.1 ms | `expectimax:[^`]*` | 40 | 6[0-9] \[[0-9]*, [0-9]*\] | [01].[0-9]* \[[0-9., ]*\] | \(16\|32\) | [0-9.]* |$'
grep -q "$row" first || complain 'no row of 2x2 at 0.1 ms'
grep -q '^| 2x2 | 1 ms |' first && grep -q '^| 2x3 | 0.1 ms |' first || complain 'rows are missing'
lines=$(wc -l <board/games.tsv)
gives 0 "sh '$source/analysis/leaderboard.sh' board"
cmp -s stdout first || complain 'a second run prints something else'
[ "$(wc -l <board/games.tsv)" -eq "$lines" ] || complain 'a second run plays games'
exit $bad
