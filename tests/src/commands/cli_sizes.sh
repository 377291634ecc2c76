#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Players across boards: the first table, within 80 columns; the sentences on leads say what the intervals of
# the slopes allow; and slopes with their bounds follow from the ratios by least squares (awk).
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

gives 0 'nxn compare -b 3x3,2x3,2x2,3x4 -a "random;greedy;expectimax:depth=1" -g 40 -o out --no-figures'
head -n 1 stdout | grep -qE '^mean score.* 2x2 .* 2x3 .* 3x3 .* 3x4$' || complain "not players by boards first: $(head -n 1 stdout)"
[ "$(sed -n 2p stdout | cut -d ' ' -f 1)" = expectimax:depth=1 ] || complain 'the best does not come first'
awk 'length > 80' stdout | grep . && complain 'lines of more than 80 columns'
has ' [95%]'
cp stdout shown

# slopes FILE: LABEL SLOPE LOW HIGH of each player over the best, from the ratios of means.
awk -F '\t' '
/^[#]/ { next }
!head { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i }; head = 1; next }
{
	gsub(/"/, "")
	a = $at["a"]; b = $at["b"]; v = $at["ratio"]; low = $at["ratio_low"]; high = $at["ratio_high"]
	best = "expectimax:depth=1"
	if (a != best && b != best) next
	if (a == best) { label = b; t = low; v = 1 / v; low = 1 / high; high = 1 / t } else label = a
	n = ++count[label]
	x[label, n] = log($at["cells"]); y[label, n] = log(v); l[label, n] = log(low); h[label, n] = log(high)
}
END {
	for (label in count) {
		n = count[label]; mean = s = slope = below = above = 0
		for (i = 1; i <= n; i++) mean += x[label, i] / n
		for (i = 1; i <= n; i++) s += (x[label, i] - mean) ^ 2
		for (i = 1; i <= n; i++) {
			w = (x[label, i] - mean) / s
			slope += w * y[label, i]
			d = w * (y[label, i] - l[label, i]); u = w * (h[label, i] - y[label, i])
			below += (w > 0 ? d : u) ^ 2; above += (w > 0 ? u : d) ^ 2
		}
		printf "%s %.6f %.6f %.6f\n", label, slope, slope - sqrt(below), slope + sqrt(above)
	}
}' out/tables/ratios.tsv | sort >want
awk -F '\t' '
/^[#]/ { next }
!head { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i }; head = 1; next }
{ gsub(/"/, ""); printf "%s %.6f %.6f %.6f\n", $at["label"], $at["slope"], $at["slope_low"], $at["slope_high"] }
' out/tables/leads.tsv | sort -u >got
[ "$(wc -l <want)" -eq 2 ] || complain 'not two slopes'
cmp -s want got || complain "slopes $(cat got), expected $(cat want)"

# Of the best over another: its slope is the other's with the sign turned. Sentences are of several lines.
tr '\n' ' ' <shown | tr -s ' ' >flat
while read -r label slope low high; do
	case $(awk "BEGIN { print ($high < 0) - ($low > 0) }") in
	1) word='its lead grows with the board' ;;
	-1) word='its lead shrinks with the board' ;;
	*) word='cannot be told from these games' ;;
	esac
	grep -qE "times as much as $label on 2x2 and [0-9.]+ times on 3x4: [a-z ]*$word" flat ||
		complain "not '$word' of $label, whose slope is $slope [$low, $high]"
done <got

# Two games a board decide nothing, a board alone has no sizes, and fifteen boards fit.
gives 0 'nxn compare -b 2x2,2x3 -a "random;greedy" -g 2 -o few --no-figures'
tr '\n' ' ' <stdout | tr -s ' ' | grep -q 'grows\|shrinks' && complain 'two games tell a trend'
gives 0 'nxn compare -b 3x3 -a "random;greedy" -g 20 -o one --no-figures'
grep -qE '^mean score' stdout && complain 'sizes of a single board'
[ "$(grep -vc '^#' one/tables/leads.tsv)" -eq 1 ] || complain 'leads of a single board'
gives 0 'nxn compare -b 2x2,2x3,2x4,2x5,2x6,3x2,3x3,3x4,3x5,3x6,4x2,4x3,4x4,4x5,5x2 -a "random;greedy" -g 3 -o many --no-figures'
awk 'length > 80' stdout | grep . && complain 'lines of more than 80 columns'
exit $bad
