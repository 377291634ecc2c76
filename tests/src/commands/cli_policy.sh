#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn solve --policy from the outside: the vectors; the same for any number of threads; interrupted;
# every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/src/commands/solve_lib.sh"

# policy_agrees BOARD AGENT NAME: its lines of exact.txt.
policy_agrees()
{
	gives 0 "nxn solve --full --board $1 --policy $2 --no-times"
	[ -s stderr ] && complain "complaints of $2"
	sed -n "s/^$1 policy\.$3\.\(.*\) \(.*\)/\1	\2/p" "$vectors/exact.txt" |
		sed 's/^score/expected_score/' >want
	[ "$(wc -l <want)" -gt 5 ] || complain "exact.txt has too little of $3 on $1"
	same_values want stdout || complain "$2 on $1: not as in exact.txt"
	[ "$(grep -c ^p_max_tile stdout)" -eq "$(grep -c ^p_max_tile want)" ] || complain "$2: other tiles"
}

for board in 2x2 2x3; do
	policy_agrees $board random random
	policy_agrees $board greedy greedy_URDL
	policy_agrees $board greedy:ties=random greedy_random_ties
done
policy_agrees 2x3 greedy:LDRU greedy_LDRU
has 'policy	greedy:ties=LDRU'
has 'symmetric	0'
has '# command: nxn solve --full --board 2x3 --policy greedy:LDRU --no-times'

# A tile is reached if the largest is not less.
reached()
{
	awk -F '\t' -v least="$1" '
	sub("^p_max_tile.", "", $1) && $1 + 0 >= least + 0 { sum += $2 }
	sub("^p_reach.", "", $1) && $1 + 0 == least + 0 { reach = $2 }
	END { exit !(reach > 0 && (reach - sum) ^ 2 < 1e-24) }' stdout || complain "p_reach.$1"
}
for tile in 4 8 16 32 64; do
	reached $tile
done
[ "$(grep -c '^p_reach' stdout)" -eq 6 ] || complain 'other tiles are reached'

# Time and memory; any number of threads.
gives 0 'nxn solve --full --board 2x3 --policy corners'
has 'seconds	'
has 'memory	'
run='nxn solve --full --board 3x3 --max-sum 120 --policy corners --no-times'
for threads in 1 2 3; do
	gives 0 "$run -j $threads"
	untitled stdout >out.$threads
	cmp -s out.1 out.$threads || complain "$threads threads: another result"
done
has 'max_sum_asked	120'
gives 0 "$run --progress"
has 'corners, sum ' stderr

# Against the optimum: what is lost is what is missing, in all and by phase.
lost()
{
	awk -F '\t' '
	function near(a, b) { return (a - b) ^ 2 <= 1e-18 * b ^ 2 }
	/^[0-9]/ { moves += $2; optimal += $3; loss += $4 }
	{ value[$1] = $2 }
	END {
		best = value["optimal_score"]; score = value["expected_score"]
		exit !(moves > 0 && near(moves, value["moves"]) && near(loss, value["loss"]) &&
		       near(optimal / moves, value["optimal_share"]) && near(score / best, value["fraction"]) &&
		       (best - score - loss) ^ 2 < 1e-14)
	}' stdout || complain "losses do not add up: $1"
}
for board in 2x2 2x3; do
	gives 0 "nxn solve --full --board $board --out $board.opt"
	for agent in random corners greedy expectimax:depth=1 optimal:$board.opt; do
		gives 0 "nxn solve --full --board $board --policy $agent --table $board.opt --no-times"
		value_agrees $board optimal_score
		lost "$agent on $board"
	done
	awk -F '\t' '{ value[$1] = $2 } END { exit !(value["fraction"] > 1 - 1e-9 && value["optimal_share"] > 1 - 1e-9) }' \
		stdout || complain 'the best play loses something'
done
has 'loss	'
gives 0 'nxn solve --full --board 2x2 --goal moves --out moves.opt'
fails 2 'of the goal moves, expected one of the goal score' 'nxn solve --board 2x2 --policy random --table moves.opt'
fails 2 'the largest sum 0, expected one with 40' \
	'nxn solve --board 2x2 --policy random --max-sum 40 --table 2x2.opt'
fails 2 '2x2.opt' 'nxn solve --board 2x3 --policy random --table 2x2.opt'
fails 2 'other games' 'nxn solve --board 2x2 --start-tiles 1 --policy random --table 2x2.opt'

# Games that are over at once have no shares.
gives 0 'nxn solve --start 2,4/4,2 --out lost.opt'
gives 0 'nxn solve --start 2,4/4,2 --policy greedy --table lost.opt'
has 'Perfect play scores 0.000.'
gives 0 'nxn solve --start 2,4/4,2 --policy greedy --table lost.opt --full'
grep -i 'nan' stdout && complain 'a share of nothing'

# Interrupted.
stopped INT 'nxn solve --board 3x3 --policy random'
[ $got -eq 130 ] && has 'stopped; to begin anew:' stderr || complain 'INT: not stopped'

# Errors.
fails 2 'mcts: it has no exact value, expected an agent' 'nxn solve --board 2x2 --policy mcts'
for agent in qlearn policy relative; do
	fails 2 "$agent has not been trained" "nxn solve --board 2x2 --policy $agent"
done
gives 0 'nxn solve --board 2x2 --policy qlearn --untrained'
fails 2 'expected one of random, greedy' 'nxn solve --board 2x2 --policy nobody'
fails 2 '80 bits, expected at most 64' 'nxn solve --board 4x4 --policy random'
fails 2 '--max-sum: 6 is less than the 8' 'nxn solve --board 2x2 --max-sum 6 --policy random'
fails 2 'of 2044 take more than 2.0 MiB of memory: allow more (--memory)' \
	'nxn solve --board 3x3 --policy random --memory 2M'
fails 2 'absent' 'nxn solve --board 2x2 --policy random --table absent'
fails 2 '--table: needs --policy, whose agent is compared with it' 'nxn solve --board 2x2 --table a'
fails 2 '--untrained: only with --policy' 'nxn solve --board 2x2 --untrained'
fails 2 '--table: must not be empty' 'nxn solve --board 2x2 --policy random --table ""'
for option in --count '--goal moves' '--target 8' '--out a' '--work a'; do
	fails 2 "${option% *}: not with --policy" "nxn solve --board 2x2 --policy random $option"
done

exit $bad
