#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exact values of simple players on 3x3: the vectors, means of games; time and memory; what greedy loses.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

"$(dirname "$nxn_path")"/tests/agents/solver/test_exact_play long >played 2>&1 || {
	cat played
	complain 'tests/agents/solver/test_exact_play long'
}
for agent in random greedy corners; do
	gives 0 "nxn solve --full --board 3x3 --policy $agent"
	awk -F '\t' -v agent=$agent '
	{ value[$1] = $2 }
	END { print agent ": " value["states"] " positions, " value["seconds"] " s, " value["memory"] / 2^20 " MiB"
	      exit value["memory"] > 64 * 2^20 }' stdout || complain "$agent takes more than 64 MiB"
done

gives 0 'nxn solve --full --board 3x3 --out best.opt'
gives 0 'nxn solve --full --board 3x3 --policy greedy --table best.opt'
awk -F '\t' '
/^[0-9]/ { loss += $4 }
{ value[$1] = $2 }
END {
	missing = value["optimal_score"] - value["expected_score"]
	print "greedy with a table: " value["seconds"] " s, loses " value["loss"]
	exit !(missing > 4000 && (missing - loss) ^ 2 < 1e-14 && (missing - value["loss"]) ^ 2 < 1e-14)
}' stdout || complain 'what greedy loses is not what is missing'

exit $bad
