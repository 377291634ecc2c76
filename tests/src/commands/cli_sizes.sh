#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Players across boards: the first table, within 80 columns; the sentences on leads say what the intervals of
# the slopes allow; and slopes with their bounds follow from the ratios by least squares (awk).
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'

gives 0 'nxn compare -b 3x3,2x3,2x2,3x4 -a "random;greedy;expectimax:depth=1" -g 40 -o out --no-figures --by-board'
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

# Two games a board decide nothing, a board alone has no sizes, and seventeen boards fit: on a wide
# terminal side by side.
gives 0 'nxn compare -b 2x2,2x3 -a "random;greedy" -g 2 -o few --no-figures'
tr '\n' ' ' <stdout | tr -s ' ' | grep -q 'grows\|shrinks' && complain 'two games tell a trend'
gives 0 'nxn compare -b 3x3 -a "random;greedy" -g 20 -o one --no-figures'
grep -qE '^mean score' stdout && complain 'sizes of a single board'
[ "$(grep -vc '^#' one/tables/leads.tsv)" -eq 1 ] || complain 'leads of a single board'
gives 0 'nxn compare -b 2x2,2x3,2x4,2x5,2x6,3x2,3x3,3x4,3x5,3x6,4x2,4x3,4x4,4x5,5x2,5x3,6x2 -a "random;greedy" -g 3 -o many --no-figures'
awk 'length > 80' stdout | grep . && complain 'lines of more than 80 columns'
gives 0 'COLUMNS=400 nxn report many'
[ "$(grep -c '^mean score' stdout)" -eq 1 ] || complain 'boards that fit side by side are not'

# Players have names, and {board} stands for the board: one learner a board is one player, in a file as well.
for board in 2x2 2x3; do gives 0 "nxn train qlearn -b $board -e 20 -o q$board.nxn"; done
gives 0 'nxn compare -b 2x2,2x3 -a "random,TD=qlearn:q{board}.nxn,greedy" -g 4 -o named --no-figures --no-times'
grep -v '^#' named/games.tsv | cut -f 2-4 | grep -P '\tTD\t' | sort -u >got
printf '2x2\tTD\tqlearn:file=q2x2.nxn\n2x3\tTD\tqlearn:file=q2x3.nxn\n' | cmp -s - got ||
	complain "players in the log: $(cat got)"
cat >named.yaml <<END
boards: [2x2, 2x3]
games: 4
agents: ["random"]
players:
  - {name: TD, agent: "qlearn:q{board}.nxn"}
  - {name: greedy, agent: greedy}
END
for share in 1/2 2/2; do gives 0 "nxn compare named.yaml -o file --no-figures --no-times --shard $share"; done
gives 0 'nxn compare named.yaml -o file --no-figures --no-times'
grep -v '^#' named/games.tsv | sort >want
grep -v '^#' file/games.tsv | sort | cmp -s - want || complain 'a file names other players'
gives 0 'nxn duel -b 2x2 "TD=qlearn:q{board}.nxn" "poor one=random" -g 50 -o duel --no-figures'
has 'A = TD, B = poor one, on 2x2'
gives 0 'nxn compare -b 2x2 -a "mcts:sims=5,prior=greedy,rollout=random,plain=random" -g 1 -o texts --no-figures'
[ "$(grep -v '^#' texts/games.tsv | cut -f 3 | tail -n +2 | sort | tr '\n' ' ')" = 'mcts:sims=5,prior=greedy,rollout=random plain ' ] ||
	complain 'a parameter that is an agent becomes a label, or a label a parameter'
fails 2 "qlearn:q{bord}.nxn: '{bord}' is not known; {board} stands for the board" 'nxn compare -b 2x2 -a "TD=qlearn:q{bord}.nxn"'
fails 2 'q3x3.nxn: cannot open the model' 'nxn compare -b 2x2,3x3 -a "TD=qlearn:q{board}.nxn"'
fails 2 'control character' 'nxn compare -b 2x2 -a "$(printf "T\tD=random")"'
fails 2 "named: there 'TD' on 2x2 is qlearn:file=q2x2.nxn; expected another label" 'nxn compare -b 2x2 -a "TD=corners" -o named'
fails 2 "X=random: a gap has no labels" 'nxn gap -b 2x2 -a X=random'
sed -i 's/name: TD, //' named.yaml
fails 2 'named.yaml:5:5: name is missing' 'nxn compare named.yaml'

# A folder is reported whole, in the order in which its players came, whatever was added how; --only narrows it.
add() { gives 0 "nxn compare -o grown --no-figures --no-times $*"; }
add -b 2x2,2x3 -a "'a=random;b=greedy'" -g 9
add -b 3x3 -a "'c=corners;a=random;b=greedy'" -g 9
has '36 of these games were in grown before, of players'
[ "$(head -n 1 stdout | tr -s ' ')" = 'mean score [95%] 2x2 2x3 3x3' ] || complain "boards of a folder: $(head -n 1 stdout)"
add -b 2x2,2x3 -a c=corners -g 9
gives 0 'nxn compare -b 2x2,2x3,3x3 -a "a=random;b=greedy;c=corners" -g 9 -o once --no-figures --no-times'
for table in means leads ratios scores; do
	grep -v '^#' once/tables/$table.tsv >want
	grep -v '^#' grown/tables/$table.tsv | cmp -s - want || complain "$table of a folder that grew is another"
done
add -b 2x2,2x3 -a c=corners -g 9 --only
grep -q 'a\|b' stdout && ! head -n 1 stdout | grep -q '3x3' || complain '--only shows a board that was not asked for'
[ "$(grep -vc '^#' grown/tables/results.tsv)" -eq 3 ] || complain '--only: not two rows'

# --against sets the player of reference; the one who scores more on the last board has the lead. Lists by board on demand.
gives 0 'nxn report once --against a'
tr '\n' ' ' <stdout | tr -s ' ' >flat
for pair in 'c.*as much as a' 'b.*as much as a'; do grep -q "$pair on 2x2" flat || complain "no sentence on $pair"; done
grep -q 'as much as [bc] on' flat && complain 'a sentence without the player of reference'
grep -q '^2x3 .*mean score' stdout && complain 'lists by board that nobody asked for'
gives 0 'nxn report once --against a --by-board'
[ "$(grep -c '^[23]x[23] .*mean score' stdout)" -eq 3 ] || complain 'not three lists by board'
gives 0 'nxn compare -b 2x2,2x3,3x3 -a "a=random;b=greedy;c=corners" -g 9 -o once --no-figures --against b'
ratio() { awk -F '\t' -v a="$1" -v b="$2" '{ gsub(/"/, "") } $1 == a && $2 == "3x3" && $NF == b { printf "%.6g", $4 }' "$3"; }
[ "$(cut -f 10 once/tables/leads.tsv | grep -v '^#' | sort -u | tr -d '\n')" = '"against""b"' ] || complain 'leads over another player'
gives 0 'nxn report once --out against --against a'
# leads.gp beside its figure draws that figure again, and no other.
cp -r against/figures/once again && rm again/*.svg && (cd again && gnuplot leads.gp)
cmp again/leads.svg against/figures/once/leads.svg && [ ! -e again/sizes.svg ] || complain 'leads.gp draws another figure'
there=$(ratio b a against/tables/once/leads.tsv) back=$(ratio a b once/tables/leads.tsv)
awk "BEGIN { exit !($there * $back > 0.9999 && $there * $back < 1.0001) }" || complain "leads $there and $back are not inverse"
fails 2 "--against: no player is called 'd'" 'nxn compare -b 2x2 -a "a=random;b=greedy" -g 9 -o once --against d'
fails 2 "--against: no player 'd'; there are a, b, c" 'nxn report once --against d'

# In print the means are one table of boards by players, the smallest board first.
sed -n 's/\\\\ *$//; s/ *& */|/g; /|/p' against/tables/once/means.tex | cut -d '|' -f 1,2 | tr '\n' ' ' >got
[ "$(cat got)" = 'board|cells 2x2|4 2x3|6 3x3|9 ' ] || complain "rows in print: $(cat got)"
grep -q '^board & cells & a \[95\\%\] & b \[95\\%\] & c \[95\\%\]' against/tables/once/means.tex || complain 'columns in print'
[ "$(grep -c 'begin{tabular}' against/tables/once/means.tex)" -eq 1 ] || complain 'not one tabular'

# Schedules by board: a board's name counts before a range of cells, the first range, and then else.
cat >map.yaml <<END
boards: [2x2, 2x3, 3x3, 4x4]
games: {2x3: 7, 4-9: 5, 6-16: 1, else: 3}
sequences:
  - {agents: random}
  - {agents: qlearn, train: {2x2: 30, 6: 20, else: 10}, evaluate: {else: 0}}
END
gives 0 'nxn compare map.yaml --dry-run --no-times'
grep -P '^\dx\d\t' stdout | cut -f 1,2,4,5,7 | tr '\t\n' ' ;' >got
echo '2x2 random 0 0 5;2x3 random 0 0 7;3x3 random 0 0 5;4x4 random 0 0 1;2x2 qlearn 30 0 5;2x3 qlearn 20 0 7;3x3 qlearn 10 0 5;4x4 qlearn 10 0 1;' |
	tr -d '\n' | cmp -s - got || complain "schedules by board: $(cat got)"
for row in "games: {3x3: 7}|2:8: games: says nothing of 2x2" "games: {3by3: 7, else: 1}|2:9: games: '3by3': expected a board, a number of cells" \
	"games: {9-4: 7, else: 1}|2:9: games: '9-4': expected" "games: {4- 5: 7, else: 1}|2:9: games: '4- 5': expected" \
	"games: {4294967300: 7, else: 1}|2:9: games: '4294967300': expected" "games: {2x2: 0, else: 1}|2:14: games: '0'"; do
	sed "2s/.*/${row%%|*}/" map.yaml >wrong.yaml
	fails 2 "wrong.yaml:${row#*|}" 'nxn compare wrong.yaml --dry-run'
done
gives 0 'nxn compare sizes --dry-run --no-times' # as when it had a line for each board and player
has '# 11780 games and 761746 training games with seed 1'

# Precision instead of games: the same games for any threads, shares, ranks and interruptions; each player stops
# at the first look where its interval is within the precision, and not before.
precise() { nxn compare -b 2x2,2x3,3x3 -a "random;greedy;expectimax:depth=2" --precision 10% --no-figures --no-times "$@" >stdout 2>stderr; }
sorted() { grep -v '^#' "$1/games.tsv" | sort; }
precise -o p1 -j 1 || complain 'nxn compare --precision'
has 'All means are within 10%.'
precise -o p2 -j 2
for share in 1/3 2/3 3/3 ''; do precise -o p3 ${share:+--shard $share}; done
budgets precise -o p4
for run in p2 p3 p4; do sorted p1 >want; sorted $run | cmp -s - want || complain "$run: other games"; done
# wide TABLE: BOARD LABEL GAMES, and 1 where a bound is farther from the mean than 10% of it.
wide() { awk -F '\t' '{ gsub(/"/, "") } /^#/ || NF < 7 { next } $1 == "label" { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ m = $at["mean"]; w = $at["mean_high"] - m; v = m - $at["mean_low"]; if (v > w) w = v
	print $at["board"], $at["label"], $at["games"], (w > 0.1 * m) }' "$1" | sort; }
wide p1/tables/means.tsv >final
[ "$(cut -d ' ' -f 4 final | sort -u)" = 0 ] && [ "$(wc -l <final)" -eq 9 ] || complain "not all within 10%: $(cat final)"
[ -z "$(cut -d ' ' -f 3 final | grep -vxE '60|72|86|103|123|147|176|211|253|303|363')" ] || complain "no looks: $(cat final)"
for look in 60 103; do
	gives 0 "nxn compare -b 2x2,2x3,3x3 -a 'random;greedy;expectimax:depth=2' -g $look --only -o p2 --no-figures --no-times"
	wide p2/tables/means.tsv >early
	# A player with more games than that was not within 10% then.
	while read -r board label games _; do
		[ "$games" -le $look ] || grep -qx "$board $label $look 1" early || complain "$label on $board went on after $look games"
	done <final
done
gives 0 'nxn compare -b 2x2,2x3 -a random --precision 1% -g 70 -o p5 --no-figures --no-times'
has '2 of 2 means are not within 1%; the widest interval is that of random on 2x2'
cat >precise.yaml <<END
boards: [2x2, 2x3]
precision: 15%
games: {else: 400}
sequences: [{agents: random}, {agents: qlearn, train: 50, evaluate: 10, repeat: 2}]
END
gives 0 'nxn compare precise.yaml -o p6 --no-figures --no-times'
has 'All means are within 15%.'
grep -q 'of other players' stdout && complain 'evaluations are games of others'
for share in 1/2 2/2 ''; do gives 0 "nxn compare precise.yaml -o p7 --no-figures --no-times ${share:+--shard $share}"; done
sorted p6 >want; sorted p7 | cmp -s - want || complain 'shares of learners: other games'
fails 2 "--precision: 'x' is not" 'nxn compare -b 2x2 --precision x'

# What a precision cannot ask for: games only of evaluations.
cat >evaluated.yaml <<END
precision: 20%
boards: [2x2]
sequences:
  - {agents: random, games: 60}
  - {agents: qlearn, train: 10, evaluate: 5}
END
fails 2 'evaluated.yaml:5:5: games: with precision expected at least 1' 'nxn compare evaluated.yaml -o none'
sed -i '5s/.*/  - {agents: ntuple, train: 10, evaluate: 5, games: 60, under: [{name: S, agent: "ntuple:{model}"}]}/' evaluated.yaml
fails 2 'evaluated.yaml:5:64: under: not with precision' 'nxn compare evaluated.yaml -o none'
[ ! -e none ] || complain 'something was played'

# The cost before the run: of each player on each board what is left, by the log or a moment of play, with bounds.
gives 0 'nxn compare -b 2x2,2x3 -a "random;greedy" -g 40 -o cost --no-figures'
gives 0 'nxn compare -b 2x2,2x3 -a "random;greedy;corners" -g 60 -o cost --dry-run'
grep -q '^# 2x3 random: 20 games left, less than 1 s, by 40 games of the log$' stdout || complain 'no cost by the log'
grep -q '^# 2x3 corners: 60 games left, \(less than 1 s\|about [0-9]* s \[[0-9]* s, [0-9]* s\]\), by 10 games here$' stdout || complain 'no cost by a moment'
# Games of 1 to 12 s: one more takes 6.5 s, at most 6.5 + sqrt((9.9 - 6.5)^2 + (1.96 * 3.6)^2), with 9.9 the upper bound of
# the mean and 3.6 the deviation of a game.
gives 0 'nxn compare -b 2x2 -a random -g 12 -o twelve --no-figures'
awk -F '\t' -v OFS='\t' '$2 == "2x2" { $11 = ++n } { print }' twelve/games.tsv >times && cp times twelve/games.tsv
gives 0 'nxn compare -b 2x2 -a random -g 13 -o twelve --dry-run'
grep -q '^# 2x2 random: 1 game left, about 7 s \[1 s, 15 s\], by 12 games of the log$' stdout || complain "bounds of one game: $(cat stdout)"
gives 0 'nxn compare -b 2x2,2x3 -a "random;greedy" -g 40 -o cost --dry-run'
[ "$(grep -c '^# 2x[23] [a-z]*: all games are played$' stdout)" -eq 4 ] || complain 'what is played is left'
gives 0 'nxn compare -b 2x2 -a random --precision 5% -o cost --dry-run'
grep -q '^# 2x2 random: some [0-9]* games left' stdout || complain 'no games for a precision'
# A training that the log has costs nothing more.
printf 'boards: 2x2\nsequences: [{agents: qlearn, seconds: 1, evaluate: 5, games: 20}]\n' >cost.yaml
gives 0 'nxn compare -b 2x2 -a qlearn --untrained -g 25 -o cost.trained --no-figures'
gives 0 'nxn compare cost.yaml -o cost.trained --dry-run'
grep -q '^# 2x2 qlearn: 25 games left' stdout || complain 'games before training pass for those after it'
gives 0 'nxn compare cost.yaml -o cost.trained --no-figures'
sed -i 's/games: 20/games: 21/' cost.yaml
gives 0 'nxn compare cost.yaml -o cost.trained --dry-run'
grep -q '^# 2x2 qlearn: 1 game left, less than 1 s, by 2[05] games of the log$' stdout || complain 'a training is counted again'
gives 0 'nxn sweep -b 2x2,2x3 -d 1-3 -c 1e-2 -p 7 -r 6 -o cost.sweep --dry-run'
[ "$(grep -c '^2x[23]	expectimax:depth=[123],cutoff=1e-2	' stdout)" -eq 6 ] || complain 'sweep: not 6 cells'
has '# 6 cells, each on 7 positions in 6 rounds, with seed 1'
gives 0 'nxn gap -b 2x2 -a random,qlearn -g 30 -t 40 --curve 3 -o cost.gap --dry-run'
grep -q '^2x2	qlearn	qlearn	40	60	1	30	' stdout || complain 'gap: no training, or no games at 3 points'
has '# 120 games and 40 training games with seed 1'
gives 0 'nxn train qlearn -b 2x2 -e 30 -o cost.nxn --dry-run'
grep -q '^# 2x2 qlearn: training, at least 1 s, learning, ' stdout || complain 'train: no estimate'
[ ! -e cost.sweep ] && [ ! -e cost.gap ] && [ ! -e cost.nxn ] || complain 'a dry run writes'
nxn train qlearn -b 2x2 -e 30 -o cost.nxn >/dev/null
gives 0 'nxn train qlearn -b 2x2 -e 50 -o cost.nxn --dry-run'
has '# 0 games and 20 training games with seed 1'
gives 0 'nxn train qlearn -b 2x2 -e 30 -o cost.nxn --dry-run'
has '# nothing is left'
fails 2 "cost.nxn: exists and was trained as qlearn, not as ntuple" 'nxn train ntuple -b 2x2 -e 50 -o cost.nxn --dry-run'
fails 2 '--format: not with --dry-run' 'nxn sweep -b 2x2 -o cost.sweep --dry-run --format=json'
gives 75 'NXN_PROGRESS_SECONDS=0.3 nxn compare -b 4x4 -a "expectimax:depth=3,cutoff=0" -g 100 -o lines --no-figures --time-budget 1.5s'
[ "$(grep -cE '^nxn: [0-9]+/100 games' stderr)" -ge 2 ] || complain 'no lines of progress without a terminal'

# Long labels stay apart in a narrow figure.
long() { echo "a long name, set $1, and then what is alike, kind $2, and the end"; }
gives 0 "nxn compare -b 2x2,2x3 -a '$(long 1 1)=random;$(long 1 2)=greedy;$(long 2 1)=corners;$(long 2 2)=expectimax:depth=1' -g 9 -o long --no-figures"
for set in 1 2; do for kind in 1 2; do has "$(long $set $kind)"; done; done
gives 0 'nxn report long --out narrow --width 3.4'
for figure in sizes means tiles scores; do
	[ "$(grep -oh '>a long[^<]*' narrow/figures/long/$figure.svg | sort -u | wc -l)" -eq 4 ] ||
		complain "$figure: not four labels"
done
exit $bad
