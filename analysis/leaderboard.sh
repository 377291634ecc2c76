#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# leaderboard.sh [DIR]: the best players of every board at 0.1 and at 1 ms a move, and the table of them
# as Markdown (docs/leaderboard.md). Trains a network for each board, and plays searches with it, with the
# value strong and, from 5x5 on, over the heuristic in DIR (out/leaderboard). The highest of several means
# is too high, so the winner plays again with another seed in DIR/fresh, and these games are the table's.
# Goes on where it was interrupted. NXN names the program, TRAIN the time of training, and BOARDS has lines
# as below, of other boards or games.
set -eu
nxn=${NXN:-nxn} dir=${1:-out/leaderboard} train=${TRAIN:-60s}

# Board, games of each player at 0.1 ms a move and at 1 ms, 0: none, they take too long; and the most games
# of a winner, which ends once the interval of its mean is within 10%, from 25 cells on 15%, of it.
boards=${BOARDS:-"
2x2 200 200 2000
2x3 200 200 2000
2x4 200 200 2000
3x3 200 200 2000
2x5 200 100 2000
2x6 200 0 2000
3x4 200 0 2000
3x5 100 0 500
4x4 100 12 500
3x6 40 0 500
4x5 30 0 500
4x6 12 0 40
5x5 12 0 500
5x6 4 0 12
6x6 3 0 11"}

# Prints the columns NAMES of the table on standard input, without its head.
columns()
{
	awk -F '\t' -v OFS='\t' -v names="$1" '
		/^#/ { next }
		{ gsub(/"/, "") }
		!n { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], i < n ? OFS : "\n" }'
}

# play BOARD MS GAMES: adds the players of BOARD at MS to $dir/players, and plays their games.
play()
{
	{
		echo "strong $2 ms=expectimax:leaf=after,value=strong,ms=$2"
		echo "network $2 ms=expectimax:value=ntuple:$dir/$1.nxn,ms=$2"
		case $1 in 5x5 | 5x6 | 6x6) echo "heuristic $2 ms=expectimax:leaf=after,ms=$2" ;; esac
	} >>"$dir/players"
	"$nxn" compare --boards "$1" --games "$3" --no-figures --out "$dir" \
		--agents "$(grep " $2 ms=" "$dir/players" | paste -sd ';' -)" >/dev/null
}

# The optimum of boards that are solved in seconds, and of 2x5, which takes ten minutes (docs/solver.md).
optimum()
{
	case $1 in
	2x2 | 2x3 | 2x4 | 3x3) "$nxn" solve --board "$1" --format=tsv | columns expected_score ;;
	2x5) echo 13297.370 ;;
	*) echo 0 ;;
	esac
}

# within BOARD MS: of the lines LABEL BOARD ..., those of players on BOARD that have no larger budget.
within()
{
	awk -F '\t' -v board="$1" -v ms="$2" '{ n = split($1, word, " ") } $2 == board && word[n - 1] + 0 <= ms'
}

# best BOARD MS: the name of the player with the highest mean.
best()
{
	"$nxn" report --tsv=means "$dir" | columns 'label board mean' | within "$1" "$2" |
		sort -t "$(printf '\t')" -k 3,3gr | head -n 1 | cut -f 1
}

# again BOARD MS MOST: the best player plays with another seed.
again()
{
	case $1 in 5x5 | 5x6 | 6x6) share=15% ;; *) share=10% ;; esac
	winner=$(best "$1" "$2")
	"$nxn" compare --boards "$1" --games "$3" --precision $share --seed 2 --no-figures --out "$dir/fresh" \
		--agents "$(grep "^$winner=" "$dir/players")" >/dev/null
}

# row BOARD MS OPTIMUM: with the other players whose games are too few to tell them from the winner's, since
# the difference of logarithms is within its 95% interval.
row()
{
	winner=$(best "$1" "$2")
	{
		"$nxn" report --tsv=means "$dir/fresh" | columns 'label board mean mean_low mean_high games' |
			awk -F '\t' -v board="$1" -v winner="$winner" '$1 == winner && $2 == board'
		"$nxn" report --tsv=means "$dir" | columns 'label board mean mean_low mean_high games' |
			within "$1" "$2" | awk -F '\t' -v winner="$winner" '$1 != winner'
	} | awk -F '\t' -v board="$1" -v ms="$2" -v best="$3" '
		# With a comma before every third digit from the end.
		function whole(x, text) {
			for (x = sprintf("%.0f", x); length(x) > 3; x = substr(x, 1, length(x) - 3))
				text = "," substr(x, length(x) - 2) text
			return x text
		}
		NR == 1 { name = $1; mean = $3; low = $4; high = $5; games = $6; next }
		{ width = sqrt(log(high / low) ^ 2 + log($5 / $4) ^ 2) / 2 }
		log(mean / $3) < width { text = text (text ? ", " : "") $1 }
		END {
			share = best > 0 ? sprintf("%.3f [%.3f, %.3f]", mean / best, low / best, high / best) : ""
			printf "| %s | %s ms | %s | %d | %s [%s, %s] | %s | %s |\n",
				board, ms, name, games, whole(mean), whole(low), whole(high), share, text
		}'
}

mkdir -p "$dir"
echo "$boards" | while read -r board fast slow most; do
	[ "$board" ] || continue
	[ -f "$dir/$board.nxn" ] || "$nxn" train ntuple --board "$board" --time-budget "$train" --out "$dir/$board.nxn" >/dev/null
	: >"$dir/players"
	play "$board" 0.1 "$fast"
	[ "$slow" -eq 0 ] || play "$board" 1 "$slow"
	again "$board" 0.1 "$most"
	[ "$slow" -eq 0 ] || again "$board" 1 "$most"
done

echo '| board | budget | best player | games | mean score [95%] | of the optimum | not told from it |'
echo '|---|---|---|--:|---|---|---|'
echo "$boards" | while read -r board fast slow most; do
	[ "$board" ] || continue
	best=$(optimum "$board")
	row "$board" 0.1 "$best"
	[ "$slow" -eq 0 ] || row "$board" 1 "$best"
done
