#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn verify with other vectors: a wrong number is a line that fails, and what is no number an error with its place.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

gives 0 'nxn verify --only playouts'
isas=$(grep -c '2x3: mean of 20032 games of playouts.* ok$' stdout)
# A wrong number is a failed check, once for each kind of number.
cp -r "$source/tests/vectors" vectors && chmod -R u+w vectors
# changed FILE SCRIPT: the vectors with FILE edited, and with nothing else.
changed()
{
	[ "${edited:=$1}" = "$1" ] || cat "$source/tests/vectors/$edited" >"vectors/$edited"
	edited=$1
	sed "$2" "$source/tests/vectors/$1" >"vectors/$1"
	cmp -s "vectors/$1" "$source/tests/vectors/$1" && complain "no change of $1: $2"
}
# alter FILE CHECK [LINES]: with FILE edited by the scripts on standard input, CHECK has a FAILED line, or LINES, for
# each, with the words behind the script and "|".
alter()
{
	cat >rows
	while IFS='|' read -r script words; do changed "$1" "$script"; done <rows
	changed "$1" "$(cut -d '|' -f 1 rows)"
	gives 1 "nxn verify --vectors vectors --only $2"
	[ "$(grep -c '[^;] FAILED$' stdout)" -eq "${3:-$(wc -l <rows)}" ] || complain "$1, $2: other checks fail: $(cat stdout)"
	while IFS='|' read -r script words; do
		grep ' FAILED$' stdout | grep -qF -e "$words" || complain "$script: no '$words' failed"
	done <rows
	tail -n 1 stdout | grep -q '; FAILED$' || complain "$1, $2: the last line"
}
alter perft.txt perft <<'END'
/^[3-5]x/d; s/^\(2x2 .* 3 [0-9]* [0-9]*\) /\11 /|2x2: counts
/^[3-5]x/d; s/^\(6x6 .*\)0$/\12/|6x6: counts
END
has 'first: perft.txt:'
alter expectimax.txt expectimax <<'END'
s/^\(zero 3x3 16,8,4.* 2 8 R\) 2.2 /\1 2.2000001 /|3x3: values
END
has 'U is worth 2.2, expected 2.2000001'
alter expectimax.txt expectimax <<'END'
s/^\(zero 3x3 16,8,4.* 2 8\) R /\1 D /|3x3: values
END
has 'plays R, expected one of D'
alter exact.txt playouts "$isas" <<'END'
s/^\(2x3 policy.random.score\) .*/\1 63/|2x3: mean of 20032 games of playouts
END
alter exact.txt simulations <<'END'
s/^\(2x2 policy.random.score\) .*/\1 20.2/|2x2: mean of 20032 games of random
s/^\(2x2 policy.greedy_URDL.score\) .*/\1 27.3/|games of greedy
s/^\(2x2 policy.random.p_max_tile.4\) .*/\1 0.324361/; s/^\(2x2 policy.random.p_max_tile.8\) .*/\1 0.553886335556/|2x2: their largest tiles, random
END
alter exact.txt solver <<'END'
s/^\(2x2 states\) .*/\1 111/|2x2: states 
s/^\(2x3 move_pairs_raw\) .*/\1 180925/|2x3: move_pairs_raw
s/^\(2x3 optimal_score\) .*/\1 480.258273/|2x3: optimal_score
s/^\(2x2 start_value.2,2.0,0\) .*/\1 67.69627/|2x2: values of starts
s/^\(2x2 p_reach.16\) .*/\1 0.9625112/|2x2: p_reach.16
s/^\(2x2 max_score\) .*/\1 184/|2x2: max_score
s/^\(2x3 max_moves\) .*/\1 119/|2x3: max_moves
END
alter exact.txt search <<'END'
s/^\(2x2 start_value.2,2.0,0\) .*/\1 67.69627/|2x2: values of starts, searched
END
alter exact.txt policies <<'END'
s/^\(2x3 policy.greedy_URDL.score\) .*/\1 81.799223/|2x3: policy.greedy_URDL.score
s/^\(2x2 policy.random.sd\) .*/\1 14.65705/|2x2: policy.random.sd
s/^\(2x2 policy.random.moves\) .*/\1 5.60073/|2x2: policy.random.moves
s/^\(2x2 policy.greedy_URDL.states\) .*/\1 231/|2x2: policy.greedy_URDL.states
s/^\(2x3 policy.random.p_max_tile.128\) .*/\1 6.684e-12/|2x3: policy.random.p_max_tile
END
alter layers.txt layers <<'END'
s/^\(2x3 20 [0-9]* [0-9]*\) /\11 /|2x3: counts by sum
/^2x2 20 /d|2x2: counts by sum
END

# The mean is 19.562: 3.9 standard errors from 19.966 and 4.1 from 19.987. Rounded, these are right and wrong.
changed exact.txt 's/^\(2x2 policy.random.score\) .*/\1 19.966/'
gives 0 'nxn verify --vectors vectors --only simulations'
alter exact.txt simulations <<'END'
s/^\(2x2 policy.random.score\) .*/\1 19.987/|(-4.1 SE)
END

# Files that cannot be read are errors, with the line.
# torn FILE SCRIPT CHECK WORDS
torn()
{
	changed "$1" "$2"
	fails 2 "$4" "nxn verify --vectors vectors --only $3"
}
torn perft.txt '20s/ [0-9]*$//' perft 'vectors/perft.txt:20: expected SHAPE BOARD and eight whole'
torn perft.txt '20s/[0-9]$/x/' perft 'vectors/perft.txt:20: expected'
torn expectimax.txt '30s/ [^ ]*$//' expectimax 'vectors/expectimax.txt:30: expected LEAF'
torn expectimax.txt '30s/^[a-z]*/none/' expectimax 'vectors/expectimax.txt:30: expected LEAF'
torn layers.txt '30s/$/ 1/' layers 'vectors/layers.txt:30: expected SHAPE and seven'
torn exact.txt '3s/$/ 1/' solver 'vectors/exact.txt:3: expected SHAPE KEY VALUE'
torn exact.txt '/^2x3 max_sum/d' solver 'vectors/exact.txt: no max_sum of 2x3'
torn exact.txt '/^2x2 policy.random.p_max_tile.8 /d' simulations 'p_max_tile of 2x2 add up to 0.466'
exit $bad
