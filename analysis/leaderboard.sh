#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# leaderboard.sh [DIR]: the best players of every board at 0.1 and at 1 ms a move, and the table of them
# as Markdown (docs/leaderboard.md). Trains a network for each board, plays searches with it, with the
# value strong and, from 5x5 on, over the heuristic in DIR (out/leaderboard), and goes on where it was
# interrupted. NXN names the program, TRAIN the time of training, and BOARDS has lines as below, of other
# boards or games.
set -eu
nxn=${NXN:-nxn} dir=${1:-out/leaderboard} train=${TRAIN:-60s}

# Board, games at 0.1 ms a move and at 1 ms; 0: no games, they take too long.
boards=${BOARDS:-"
2x2 200 200
2x3 200 200
2x4 200 200
3x3 200 200
2x5 200 100
2x6 200 60
3x4 200 60
3x5 100 30
4x4 100 20
3x6 60 12
4x5 40 8
4x6 20 4
5x5 12 4
5x6 4 0
6x6 4 0"}

# play BOARD MS GAMES
play()
{
	players="expectimax:leaf=after,value=strong,ms=$2;expectimax:value=ntuple:$dir/$1.nxn,ms=$2"
	case $1 in 5x5 | 5x6 | 6x6) players="$players;expectimax:leaf=after,ms=$2" ;; esac
	[ "$3" -eq 0 ] || "$nxn" compare --boards "$1" --games "$3" --no-figures --out "$dir" \
		--agents "$players" >/dev/null
}

# The optimum of boards that are solved in seconds, and of 2x5, which takes ten minutes (docs/solver.md).
optimum()
{
	case $1 in
	2x2 | 2x3 | 2x4 | 3x3) "$nxn" solve --board "$1" --format=tsv |
		awk -F '\t' '/^#/ { next } n { print $n } { for (i = 1; i <= NF; i++) if ($i == "\"expected_score\"") n = i }' ;;
	2x5) echo 13297.370 ;;
	*) echo 0 ;;
	esac
}

mkdir -p "$dir"
echo "$boards" | while read -r board fast slow; do
	[ "$board" ] || continue
	[ -f "$dir/$board.nxn" ] || "$nxn" train ntuple --board "$board" --time-budget "$train" --out "$dir/$board.nxn" >/dev/null
	play "$board" 0.1 "$fast"
	play "$board" 1 "$slow"
done

echo '| board | budget | player | games | mean score [95%] | of the optimum | largest tile | ms per move |'
echo '|---|---|---|--:|---|---|--:|--:|'
echo "$boards" | while read -r board fast slow; do
	[ "$board" ] || continue
	best=$(optimum "$board")
	for ms in 0.1 1; do
		[ $ms = 0.1 ] || [ "$slow" -gt 0 ] || continue
		# The first row of the board, its best player, that has no larger budget.
		"$nxn" report --tsv=front "$dir" | awk -F '\t' -v board="$board" -v ms="$ms" -v best="$best" '
			{ gsub(/"/, "") }
			$1 == board && match($4, /ms=[0-9.]+/) && substr($4, RSTART + 3, RLENGTH - 3) <= ms {
				share = best > 0 ? sprintf("%.3f [%.3f, %.3f]", $7 / best, $8 / best, $9 / best) : ""
				printf "| %s | %s ms | `%s` | %d | %.0f [%.0f, %.0f] | %s | %d | %.3g |\n",
					board, ms, $3, $6, $7, $8, $9, share, $10, $11
				exit
			}'
	done
done
