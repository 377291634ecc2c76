#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn solve --policy from the outside: the vectors; the same for any number of threads; interrupted;
# every error.
. "${srcdir:-.}/tests/src/cli_lib.sh"
. "$source/tests/src/solve_lib.sh"

# policy_agrees BOARD AGENT NAME: its lines of exact.txt.
policy_agrees()
{
	gives 0 "nxn solve --board $1 --policy $2 --no-times"
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
has '# command: nxn solve --board 2x3 --policy greedy:LDRU --no-times'

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
gives 0 'nxn solve --board 2x3 --policy corners'
has 'seconds	'
has 'memory	'
run='nxn solve --board 3x3 --max-sum 120 --policy corners --no-times'
for threads in 1 2 3; do
	gives 0 "$run -j $threads"
	untitled stdout >out.$threads
	cmp -s out.1 out.$threads || complain "$threads threads: another result"
done
has 'max_sum_asked	120'
gives 0 "$run --progress"
has 'corners, sum ' stderr

# Interrupted.
nxn solve --board 3x3 --policy random >stdout 2>stderr &
pid=$!
sleep 0.3
kill -INT $pid
wait $pid
[ $? -eq 130 ] && has 'stopped; to begin anew:' stderr || complain 'INT: not stopped'
[ -s stdout ] && complain 'INT: half a table'

# Errors.
fails 2 'mcts: it has no exact value, expected an agent' 'nxn solve --board 2x2 --policy mcts'
fails 2 'expected one of random, greedy' 'nxn solve --board 2x2 --policy nobody'
fails 2 '80 bits, expected at most 64' 'nxn solve --policy random'
fails 2 '--max-sum: 6 is less than the 8' 'nxn solve --board 2x2 --max-sum 6 --policy random'
fails 2 'of 2044 take more than 2.0 MiB of memory: allow more (--memory)' \
	'nxn solve --board 3x3 --policy random --memory 2M'
fails 2 'absent' 'nxn solve --board 2x2 --policy random --table absent'
fails 2 '--table: it is what the agent of --policy is held against' 'nxn solve --board 2x2 --table a'
fails 2 '--table is empty' 'nxn solve --board 2x2 --policy random --table ""'
for option in --count '--goal moves' '--target 8' '--out a' '--work a'; do
	fails 2 "${option% *} does not go with --policy" "nxn solve --board 2x2 --policy random $option"
done

exit $bad
