#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Learners that are trained several times, up to a list of points, against players that do not learn: the table
# crossover follows from the rows of the log (awk), and so do the lines on the screen; the games are the same for any threads
# and interruptions; a training is that of another seed.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'

cat >cross.yaml <<'END'
boards: [2x3, 3x3]
games: 10
sequences:
  - players: [{name: "search, 1 ply", agent: "expectimax:depth=1"}, {name: poor, agent: random}]
  - {label: TD, agents: "ntuple:tuples=rectangles=2x2", train: {6: [5, 20, 400], 9: [20, 500]}, evaluate: 12, trainings: 2, games: 0}
  - {agents: qlearn, train: [10, 100, 1000], evaluate: {3x3: 20, else: 15}, trainings: 3, games: 0}
  - {label: TD, agents: "ntuple:tuples=rectangles=2x2", train: {6: [5, 20, 400, 600], 9: [20, 500]}, evaluate: 12, trainings: 1, games: 0}
END
gives 0 'nxn compare cross.yaml --dry-run --no-times'
[ "$(grep -c '^2x3	TD.*	5,20,400	12	3	0	' stdout) $(grep -c '^2x3	TD #3.*	5,20,400,600	12	4	0	' stdout)" = '2 1' ] ||
	complain 'a dry run does not list the trainings'
has '# 547 games and 8900 training games with seed 1' # by hand
gives 0 'nxn compare cross.yaml -o out -j 1 --no-times'
cp stdout screen
[ -s out/figures/crossover.svg ] && [ -s out/figures/crossover.pdf ] || complain 'no figure'
for text in '2x3: TD' '3x3: qlearn' 'search, 1 ply' 'training games'; do has ">$text<" out/figures/crossover.svg; done

# BOARD LEARNER RIVAL POINT-IN-GAMES TRAININGS RATIO LOW HIGH EQUAL LOW HIGH, of the rows of the log. The bounds are
# those of Student's t: 2 degrees of freedom for three trainings, 9 for ten games of a rival.
awk -F '\t' '
function ln(x) { return log(x) }
# Where the ratios y[1..n] after x[1..n] rise to 1 for the last time.
function cross(y, n,    k) {
	for (k = n; k > 0 && y[k] >= 1; k--);
	if (k == n) return "NaN"
	return k == 0 ? "0" : sprintf("%.6g", x[k] * (x[k + 1] / x[k]) ^ (ln(y[k]) / ln(y[k] / y[k + 1])))
}
/^#/ { next }
$1 == "config" { next }
{
	gsub(/"/, "")
	base = $3; sub(/ #[0-9]+$/, "", base); place = $2 "|" base
	if (!($2 in board)) board[$2]
	if ($5 == 0) { rival[place]; rn[place]++; rs[place] += $8; rq[place] += $8 * $8; next }
	learner[place]; label[place, $3]; point[place, $5]
	n[place, $3, $5]++; sum[place, $3, $5] += $8
}
END {
	for (l in learner) for (r in rival) {
		split(l, a, "|"); split(r, b, "|")
		if (a[1] != b[1]) continue
		points = bounded = 0
		for (k = 1; k <= 1000; k++) {
			if (!((l, k) in point)) continue
			m = mean = square = 0
			for (key in label) {
				split(key, part, SUBSEP)
				if (part[1] == l && (l, part[2], k) in n) {
					z = ln(sum[l, part[2], k] / n[l, part[2], k])
					m++; mean += z; square += z * z
				}
			}
			mean /= m
			R = rs[r] / rn[r]; sd = sqrt((rq[r] - rn[r] * R * R) / (rn[r] - 1))
			h = 2.262157163 * sd / sqrt(rn[r]) / R
			x[++points] = k; v[points] = exp(mean) / R; count[points] = m
			low[points] = high[points] = "NaN"
			if (m == 3) {
				t = 4.302652730 * sqrt((square - m * mean * mean) / 2 / 3)
				low[points] = v[points] * exp(-sqrt(t * t + h * h))
				high[points] = v[points] * exp(sqrt(t * t + h * h))
				bounded = points
			}
		}
		e = cross(v, points) " " cross(high, bounded) " " cross(low, bounded)
		for (k = 1; k <= points; k++)
			print a[1] "|" a[2] "|" b[2] "|" sprintf("%d %d %.6g ", x[k], count[k], v[k]) \
				(count[k] == 3 ? sprintf("%.6g %.6g ", low[k], high[k]) : "NaN NaN ") e
	}
}' out/games.tsv | sort >want
awk -F '\t' '
function number(x) { return x == "NaN" ? x : sprintf("%.6g", x) }
/^#/ { next }
!head { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i }; head = 1; next }
{
	gsub(/"/, "")
	print $at["board"] "|" $at["learner"] "|" $at["rival"] "|" $at["trained"] " " $at["trainings"] " " number($at["ratio"]) " " \
		number($at["ratio_low"]) " " number($at["ratio_high"]) " " number($at["equal"]) " " number($at["equal_low"]) " " \
		number($at["equal_high"])
}' out/tables/crossover.tsv | sort >got
[ "$(wc -l <want)" -eq 24 ] || complain "not 24 rows: $(cat want)"
cmp -s want got || complain "crossover: $(diff want got)"
grep -q ' NaN NaN ' got || complain 'a single training has bounds'

# In means and leads the trainings of a learner are one player: the geometric mean after the longest training that two of
# them have, Student's t over trainings; of a lead the squares of both intervals on the logarithm are added.
awk -F '\t' '
/^#/ || $1 == "config" || $5 == 0 { next }
{ gsub(/"/, ""); base = $3; sub(/ #[0-9]+$/, "", base); k = base "\t" $2; keys[k]; label[$3]; point[k, $5]; n[k, $3, $5]++; sum[k, $3, $5] += $8 }
END {
	for (k in keys) for (p = 1000; p > 0; p--) {
		if (!((k, p) in point)) continue
		m = mean = square = games = 0
		for (l in label) if ((k, l, p) in n) { z = log(sum[k, l, p] / n[k, l, p]); m++; mean += z; square += z * z; games += n[k, l, p] }
		if (m < 2) continue
		mean /= m
		t = 4.302652730 * sqrt((square - m * mean * mean) / 2 / 3)
		printf "%s\t%.6g\t%.6g\t%.6g\t%d\n", k, exp(mean), exp(mean - t), exp(mean + t), games
		break
	}
}' out/games.tsv | sort >want
awk -F '\t' -v OFS='\t' '/^"(TD|qlearn)/ { gsub(/"/, ""); printf "%s\t%s\t%.6g\t%.6g\t%.6g\t%d\n", $1, $2, $4, $5, $6, $7 }' out/tables/means.tsv | sort >got
cmp -s want got && [ "$(wc -l <got)" -eq 4 ] || complain "means of trainings: $(diff want got)"
awk -F '\t' '
{ gsub(/"/, "") }
FILENAME ~ /means/ { v[$1, $2] = $4; low[$1, $2] = $5; high[$1, $2] = $6; next }
/^#/ || $1 == "label" { next }
$1 ~ /#/ || $10 ~ /#/ { print "a training of its own: " $1 }
$1 ~ /^(TD|qlearn)$/ || $10 ~ /^(TD|qlearn)$/ {
	a = $1 SUBSEP $2; b = $10 SUBSEP $2; rows++
	r = v[a] / v[b]; d = sqrt(log(v[a] / low[a]) ^ 2 + log(high[b] / v[b]) ^ 2); u = sqrt(log(high[a] / v[a]) ^ 2 + log(v[b] / low[b]) ^ 2)
	if (sprintf("%.5g %.5g %.5g", r, r * exp(-d), r * exp(u)) != sprintf("%.5g %.5g %.5g", $4, $5, $6)) print $1, $2, r, r * exp(-d), r * exp(u)
}
END { if (rows < 4) print rows " rows" }' out/tables/means.tsv out/tables/leads.tsv >got
[ ! -s got ] || complain "leads of trainings: $(cat got)"
! grep -q 'TD #\|qlearn #' stdout || complain 'the screen has each training as a player'

# Games after all training can be played again, of each training with its own model.
gives 0 'nxn verify out --fraction 1'
for player in '2x3 TD: 12 of 36' '2x3 TD #2: 12 of 36' '2x3 TD #3: 12 of 48' '3x3 qlearn #3: 20 of 60'; do
	has "$player games played again, all the same;" stdout
done

# The screen has a line a pair, with a cell a board that begins with the number of the table where there is one.
sed 's/   */|/g' screen >cells
[ "$(grep -c '^[A-Za-z]*|\(search, 1 ply\|poor\)|' cells)" -eq 4 ] && grep -q '^learner|equals|2x3|3x3$' cells || complain 'not four pairs'
while IFS='|' read -r board learner rival rest; do
	set -- $rest
	column=3
	[ "$board" = 2x3 ] || column=4
	case $6 in 0) start='<' ;; NaN) start='>' ;; *) start=$(awk "BEGIN { printf \"%.0f \", $6 }") ;; esac
	grep "^$learner|$rival|" cells | cut -d '|' -f $column | grep -q "^$start" || complain "no '$start' of $learner and $rival on $board: $rest"
done <got

# The same games with two threads and after interruptions; training 2 is that of seed 2.
budgets nxn compare cross.yaml -o often --no-times --no-figures
games out/games.tsv >want
games often/games.tsv | cmp -s - want || complain 'other games after interruptions'
sed '/qlearn/!{/agents/d}; s/trainings: 3, //; s/^boards/seed: 2\nboards/' cross.yaml >second.yaml
gives 0 'nxn compare second.yaml -o second --no-times --no-figures'
grep -v '^#' out/games.tsv | tr -d '"' | grep '	qlearn #2	' | cut -f 2,5- | sort >want
grep -v '^#' second/games.tsv | grep '	qlearn	' | cut -f 2,5- | sort | cmp -s - want || complain 'training 2 is not that of seed 2'
[ "$(wc -l <want)" -eq 105 ] || complain 'not 105 games of training 2'

# Players under a learner: after each block they play what `nxn compare` plays with the model of `nxn train` to that
# point; a search with a budget of positions has rivals of the same budget. An agent with the model of the learner plays
# the games of the learner.
cat >under.yaml <<'END'
boards: [2x3, 3x3]
games: 10
sequences:
  - players: [{name: 1 ply, agent: "expectimax:depth=1"}, {name: "300", agent: "expectimax:nodes=300"}, {name: "3000", agent: "expectimax:nodes=3000"}]
  - label: TD
    agents: "ntuple:tuples=rectangles=2x2,rate=tc"
    train: {6: [5, 100], 9: [20, 200]}
    evaluate: 12
    trainings: 2
    games: 0
    under:
      - {name: "TD, 300", agent: "expectimax:leaf=after,value=ntuple,file={model},nodes=300", evaluate: {3x3: 3, else: 5}}
      - {name: "TD, 2 ply", agent: "expectimax:value=ntuple,file={model}", evaluate: {9: 0, else: 4}}
      - {name: TD again, agent: "ntuple:{model}"}
END
gives 0 'nxn compare under.yaml --dry-run --no-times'
has '# 300 games and 600 training games with seed 1' # by hand
gives 0 'nxn compare under.yaml -o under -j 1 --no-times --no-figures'
games under/games.tsv >want
[ "$(wc -l <want)" -eq 301 ] || complain 'not all games of players under a learner'
for case in '2x3 5 1 TD,_300 5' '2x3 100 1 TD,_300 5' '2x3 100 2 TD,_300_#2 5' '3x3 20 2 TD,_300_#2 3' '3x3 200 1 TD,_300 3' '2x3 5 2 TD,_2_ply_#2 4'; do
	set -- $case
	search=expectimax:leaf=after,value=ntuple,nodes=300,file=
	case $4 in *ply*) search=expectimax:value=ntuple,file= ;; esac
	gives 0 "nxn train ntuple:tuples=rectangles=2x2,rate=tc -b $1 -e $2 -s $3 -o $1-$2-$3.nxn"
	gives 0 "nxn compare -b $1 -a ${search}$1-$2-$3.nxn -s $3 -g $5 --no-times --no-figures -o alone-$1-$2-$3-$5"
	grep -v '^#' under/games.tsv | tr -d '"' | awk -F '\t' -v OFS='\t' -v b="$1" -v l="$4" -v t="$2" '{ gsub(/ /, "_", $3) } $2 == b && $3 == l && $5 == t' | cut -f 6- | sort >got
	grep -v '^#' "alone-$1-$2-$3-$5/games.tsv" | sed 1d | cut -f 6- | sort | cmp -s - got && [ "$(wc -l <got)" -eq "$5" ] ||
		complain "$4 on $1 after $2 games does not play with the model of then"
done
grep -v '^#' under/games.tsv | tr -d '"' | awk -F '\t' '$3 ~ /^TD( #2)?$/ { print $2, $3, $5, $6, $7, $8, $9, $10 }' | sort >got
grep -v '^#' under/games.tsv | tr -d '"' | sed 's/TD again/TD/' | awk -F '\t' '$4 ~ /^ntuple:file=/ { print $2, $3, $5, $6, $7, $8, $9, $10 }' | sort | cmp -s - got &&
	[ "$(wc -l <got)" -eq 96 ] || complain 'an agent with the model of a learner plays other games'
awk -F '\t' '/^"/ { gsub(/"/, ""); print $1 "|" $3 "|" $4 }' under/tables/crossover.tsv | sed 1d | sort -u >got
for b in 2x3 3x3; do for l in TD 'TD again' 'TD, 300' 'TD, 2 ply'; do
	[ "$b $l" = '3x3 TD, 2 ply' ] || for r in '1 ply' 300 3000; do [ "$l" = 'TD, 300' ] && [ "$r" != 300 ] || echo "$b|$l|$r"; done
done; done | sort | cmp -s - got || complain "crossover: $(cat got)"
gives 0 'nxn verify under'
has 'under: 3x3 TD, 300 #2: 0 of 6 games played again; 6 cannot be: it plays with what a learner had learned by then' stdout
gives 0 'nxn report under --tsv=crossover'
grep -v '^#' stdout >got
grep -v '^#' under/tables/crossover.tsv | cmp -s - got || complain 'report shows another crossover'
gives 0 'nxn compare under.yaml -o under -j 2 --no-times --no-figures'
games under/games.tsv | cmp -s - want || complain 'players under a learner went on'
budgets nxn compare under.yaml -o cut -j 2 --no-times --no-figures
games cut/games.tsv | cmp -s - want || complain 'players under a learner play other games after interruptions'
# Games that got lost, of the end and of the midst of a training, come back.
for lost in '3x3	"*TD, 300 #2"*	.*	200	' '2x3	TD again	.*	5	'; do
	grep -v "	$lost" cut/games.tsv >less && ! cmp -s less cut/games.tsv && mv less cut/games.tsv || complain "no games '$lost'"
	gives 0 'nxn compare under.yaml -o cut --no-times --no-figures'
	games cut/games.tsv | cmp -s - want || complain "games '$lost' do not come back"
done
for i in 1 2; do gives 0 "nxn compare under.yaml -o shared --shard $i/2 --no-times --no-figures"; done
gives 0 'nxn compare under.yaml -o shared --no-times --no-figures'
games shared/games.tsv | cmp -s - want || complain 'players under a learner play other games in shares'
while IFS='|' read -r agents under words; do
	printf 'boards: 2x3\nsequences: [{agents: %s, under: [{name: x, agent: "%s"}]}]\n' "$agents" "$under" >wrong.yaml
	gives 2 'nxn compare wrong.yaml --dry-run --no-times'
	grep -qF "$words" stderr || complain "no '$words': $(cat stderr)"
done <<'END'
ntuple, train: 5, evaluate: 1|expectimax:value=ntuple,file=x.nxn|expectimax:value=ntuple,file=x.nxn: expected {model} where the model file of ntuple would stand
ntuple, train: 5, evaluate: 1|expectimax:value=ntuple,file={modal}|'{modal}' is not known
qlearn, train: 5, evaluate: 1|expectimax:value=ntuple,file={model}|{qlearn}: expected a learner ntuple
ntuple, games: 1|ntuple:{model}|under: needs train or seconds
"ntuple:{model}", train: 5, evaluate: 1|ntuple:{model}|'{model}' is not known
ntuple, train: 5, games: 1|ntuple:{model}|evaluate is missing
END

# By time: blocks end where the list says, a second run has nothing to do, and another list is another training.
cat >timed.yaml <<'END'
boards: 2x3
sequences: [{agents: random, games: 10}, {agents: qlearn, train: [50ms, 0.3s], evaluate: 8, trainings: 2, under: [{name: again, agent: "qlearn:{model}"}]}]
END
gives 0 'nxn compare timed.yaml -o timed --no-figures'
awk -F '\t' '/^"2x3/ { gsub(/"/, ""); print ($8 >= 0.05 && $8 < 0.25) + 2 * ($8 >= 0.3 && $8 < 2), $15 }' timed/tables/crossover.tsv >got
printf '1 seconds\n2 seconds\n1 seconds\n2 seconds\n' | cmp -s - got || complain "seconds of training: $(cat timed/tables/crossover.tsv)"
games timed/games.tsv >want
gives 0 'nxn compare timed.yaml -o timed --no-figures'
games timed/games.tsv | cmp -s - want || complain 'a run that was complete went on'
# The log is enough: without models the run is complete, a longer list keeps its points, and lost games come back.
rm -r timed/models
gives 0 'nxn compare timed.yaml --dry-run -o timed'
[ "$(grep -c 'all games are played' stdout)" -eq 5 ] || complain "a dry run sees other games than the log has: $(cat stdout)"
sed -i 's/0.3s\]/0.3s, 0.4s]/' timed.yaml
gives 0 'nxn compare timed.yaml -o timed --no-figures'
sed -i 's/, 0.4s\]/]/' timed.yaml
games timed/games.tsv | grep -vxFf - want && complain 'games of a longer list replace those of a shorter one'
[ "$(games timed/games.tsv | wc -l)" -eq $(($(wc -l <want) + 32)) ] || complain 'points that two lists have were trained again'
gives 0 'nxn compare timed.yaml -o timed --no-figures'
[ "$(games timed/games.tsv | wc -l)" -eq $(($(wc -l <want) + 32)) ] && [ "$(ls timed/models | wc -l)" -eq 2 ] ||
	complain 'a shorter list is trained again'
sed -i 's/50ms, 0.3s/20ms/' timed.yaml
gives 0 'nxn compare timed.yaml -o timed --no-figures'
[ "$(ls timed/models | wc -l)" -eq 4 ] || complain 'another list of times is the same training'
exit $bad
