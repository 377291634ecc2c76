#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often intervals hold the mean where nxn compare --precision stops: REPETITIONS (1,000) draws from the
# scores of players from random to search on all boards. The table of docs/experiments.md.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
boards=2x2,2x3,2x4,3x3,2x5,2x6,3x4,3x5,4x4,3x6,4x5,4x6,5x5
gives 0 "nxn compare -b $boards,5x6,6x6 -a 'random;greedy;corners' -g 1000 -o out --no-figures --no-times"
gives 0 "nxn compare -b $boards,5x6,6x6 -a 'expectimax:depth=1' -g 600 -o out --no-figures --no-times"
gives 0 "nxn compare -b $boards -a 'expectimax:depth=2' -g 600 -o out --no-figures --no-times"
cat >learners.yaml <<END
boards: [$boards]
sequences: [{agents: qlearn, train: {4-16: 2000, else: 200}, games: 600}]
END
gives 0 'nxn compare learners.yaml -o out --no-figures --no-times'
grep -v '^#' out/games.tsv | tail -n +2 | cut -f 2,3,8 | awk -F '\t' -v OFS='\t' '{ print $2, $1, $3 }' |
	LC_ALL=C sort -t "$(printf '\t')" -k 1,2 -k 3n >scores
"$(dirname "$nxn_path")"/tests/long/precision_rates "${REPETITIONS:-1000}" 0.05 0.1 0.2 <scores ||
	complain 'intervals hold the mean too seldom'
exit $bad
