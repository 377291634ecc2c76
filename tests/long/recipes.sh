#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The blocks of docs/recipes.md, as they stand, where there are their tools. All that load the run find the same mean
# scores. The policy plays every board; what learns, by itself or from the optimum, comes as near it as the page says.
. "${srcdir:-.}/tests/lib/python_lib.sh"

blocks_read "$source/docs/recipes.md"
means=0
for block in block*; do
	case $block in
	*.sh) tool=$(grep -o -m 1 'sqlite3' "$block" || echo nxn) run='sh -e' ;;
	*.r) tool=Rscript run='Rscript --vanilla' ;;
	*.sql) tool=duckdb run="duckdb -f" ;;
	*.python) tool=$(sed -n 's/^import \(torch\|polars\)$/\1/p' "$block") run="'$python'"
		grep -q read_games "$block" && tool=pandas
		tool=${tool:-numpy} ;;
	*) complain "a block of another kind: $block"; continue ;;
	esac
	case $block in
	*.python) python3 -c "import $tool" 2>/dev/null || { echo "$block is not run: no $tool"; continue; } ;;
	*) command -v "$tool" >/dev/null || { echo "$block is not run: no $tool"; continue; } ;;
	esac
	began=$(date +%s)
	gives 0 "$run $block"
	echo "$block ($tool): $(($(date +%s) - began)) s"
	if [ "$tool" = torch ] && grep -q nxn.exact "$block"; then
		# 480.26 is the optimum of 2x3.
		has 'of 480.26'
		awk '$1 == "learned" { found = $2 > 0.85 * 480.26 && $2 < 1.03 * 480.26 } END { exit !found }' stdout ||
			complain "far from the optimum: $(cat stdout)"
	elif [ "$tool" = torch ]; then
		[ "$(grep -c '^[2-6]x[2-6]	[0-9]* \[[0-9]*, [0-9]*\]$' stdout)" -eq 25 ] || complain 'not every board'
	elif [ "$tool" = numpy ]; then
		# 5468.49 is the optimum of 3x3; 40% is learned.
		has 'of 5468.49: 4'
	elif [ "$tool" != nxn ]; then
		means=$((means + 1))
		for agent in random greedy; do
			mean=$(awk -F '\t' -v agent=$agent '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
				$at["agent"] == agent { sum += $at["score"]; games++ } END { printf "%.2f", sum / games }' out/run/games.tsv)
			grep -q "$agent.*$mean" stdout || { cat stdout; complain "no mean of $mean for $agent with $tool"; }
		done
	fi
done
[ "$means" -ge 1 ] || complain 'nothing has loaded the run'
exit $bad
