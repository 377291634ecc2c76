# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of nxn solve share, after tests/src/commands/cli_lib.sh: its table, in the file stdout, beside the
# vectors.
vectors=$source/tests/vectors

# same_values WANT GOT: every line of WANT, fields between tabs, is in GOT by its first field; numbers
# with a point agree to 1e-9, all else exactly.
same_values()
{
	awk -F '\t' '
	function near(a, b) {
		difference = a > b ? a - b : b - a
		return difference <= 1e-9 * (b < 0 ? -b : b)
	}
	NR == FNR { want[$1] = $0; next }
	($1 in want) {
		n = split(want[$1], field, "\t")
		wrong = n > NF
		for (i = 2; i <= n; i++)
			if (field[i] != $i && (field[i] $i !~ /[.e]/ || !near($i + 0, field[i] + 0)))
				wrong = 1
		if (wrong && ++bad <= 5)
			print "wanted " want[$1] ", got " $0
		delete want[$1]
	}
	END {
		for (key in want)
			if (++bad <= 5)
				print "wanted " want[key] ", got nothing"
		exit bad > 0
	}' "$1" "$2"
}

# vector BOARD: its lines of exact.txt, but for those of policies and other goals, as nxn solve
# prints them.
vector()
{
	sed -n "s/^$1 \(.*\) \(.*\)/\1	\2/p" "$vectors/exact.txt" |
		sed '/^policy\|^p4\|^p_reach\|^max_score\|^max_moves/d; s/^optimal_score/expected_score/'
}

# vector_agrees BOARD: all of them.
vector_agrees()
{
	vector $1 >want
	[ "$(wc -l <want)" -gt 15 ] || complain "exact.txt has too little of $1"
	same_values want stdout || complain "$1: not as in exact.txt"
}

# value_agrees BOARD KEY: this one, of another goal.
value_agrees()
{
	sed -n "s/^$1 \($2\) \(.*\)/\1	\2/p" "$vectors/exact.txt" >want
	[ "$(wc -l <want)" -eq 1 ] || complain "exact.txt has no $2 of $1"
	same_values want stdout || complain "$1: $2 is not as in exact.txt"
}

# layers_agree BOARD SUM|0: the rows, all of them or those up to SUM, are those of layers.txt, where
# 3x4 is 4x3.
layers_agree()
{
	board=$1
	[ $board = 3x4 ] && board=4x3
	awk -v board=$board -v sum=$2 '$1 == board && (!sum || $2 <= sum)' "$vectors/layers.txt" |
		cut -d ' ' -f 2- | tr ' ' '\t' >want
	[ "$(wc -l <want)" -gt 15 ] || complain "layers.txt has too little of $1"
	grep '^[0-9]' stdout | cut -f 1-7 | cmp -s - want || complain "$1: rows are not those of layers.txt"
}

# untitled FILE: without the lines that are of the command and not of the result.
untitled()
{
	grep -v '^#' "$1"
}

# stopped SIGNAL COMMAND: sends it the signal as soon as it is at work; its status in $got.
stopped()
{
	: >stderr
	(exec $2 --progress) >stdout 2>stderr &
	pid=$!
	waits 100 '[ -s stderr ]' "$1: no progress of $2"
	signalled "$1"
	[ $got -eq 0 ] || [ ! -s stdout ] || complain "$1: half a table of $2"
}
