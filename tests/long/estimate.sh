#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The estimate of nxn compare --dry-run, beside what runs take: on a machine that does little else.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# bounds: of the last dry run, in seconds.
bounds()
{
	awk '
	function seconds(n, unit) { return n * (unit == "min" ? 60 : unit == "h" ? 3600 : unit == "days" ? 86400 : 1) }
	/^# about .* on this machine/ { print seconds($3, $4), seconds($3, $4); n++ }
	/^# at least .* on this machine/ { print seconds($4, $5), 10 * seconds($4, $5); n++ }
	END { exit n != 1 }' stdout || complain "no bounds: $(tail -n 1 stdout)"
}
# A file with learners is told to take at least so long.
for name in quickstart players figure9 td-rates; do
	gives 0 "nxn compare $name --dry-run"
	bounds | awk '{ good = $1 >= 1 && $1 <= $2 && $2 <= 10 * $1 } END { exit !good }' || complain "$name: $(tail -n 1 stdout)"
done
# A run takes about as long; three times as much or as little is left to a busy machine.
cat >measured.yaml <<'END'
boards: [3x3, 4x4]
duration: a year
sequences:
  - {agents: [corners, "expectimax:depth=3,cutoff=1e-3", "mcts:sims=100"], games: 40}
  - {agents: [qlearn], train: 1000, evaluate: 50, repeat: 3}
END
gives 0 'nxn compare measured.yaml --dry-run -j 1'
bounds >want
begin=$(date +%s)
gives 0 'nxn compare measured.yaml --no-figures -j 1 -o measured'
awk -v took=$(($(date +%s) - begin)) '{ good = took >= $1 / 3 - 1 && took <= 3 * $2 + 1 && $2 <= 10 * $1 } END { exit !good }' want ||
	complain "it took $(($(date +%s) - begin)) s, and was to take $(cat want)"
exit $bad
