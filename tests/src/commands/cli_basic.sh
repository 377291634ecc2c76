#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn verify, eval, play and info from the outside: the examples of their --help, their answers
# against tests/vectors/, and every error with its exit status and its one line.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
vectors=$source/tests/vectors

examples eval play info

# perft: a row as in the vectors, which test_perft compares in full.
row='4x4 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0 3 12032 0 46108 2392 145376 1129120 6194432'
grep -qxF "$row" "$vectors/perft.txt" || complain "perft.txt lacks its row"
gives 0 'nxn verify --plies 3 --start 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0'
awk '{ print $2 }' stdout | paste -s -d ' ' | grep -qxF "$row" || complain 'perft: not the row of perft.txt'
# The names are those of the table for programs.
awk '{ print "\"" $1 "\"" }' stdout | paste -s >want
nxn verify --plies 1 --start 0,2/2,0 --format=tsv | grep '^"board"' | cmp - want || complain 'perft: other names in a table'
# From the start of games: 2 or 4 in two of four cells; one ply on, what is counted from each of these.
gives 0 'nxn verify --boards 2x2 --plies 0'
grep -qx 'states *24' stdout || complain 'perft: not the 24 positions that games on 2x2 start from'
for two in 2 4; do
	for other in 2 4; do
		printf '%s\n' "$two,$other/0,0" "$two,0/$other,0" "$two,0/0,$other" "0,$two/$other,0" "0,$two/0,$other" "0,0/$two,$other"
	done
done | while read -r position; do nxn verify --plies 3 --start "$position"; done |
	awk '$1 == "leaves" || $1 == "leaf_score" { sum[$1] += $2 } END { print sum["leaves"], sum["leaf_score"] }' >want
gives 0 'nxn verify --boards 2x2 --plies 3'
awk '$1 ~ /^leaf|leaves/ { print $2 }' stdout | paste -s -d ' ' | cmp - want || complain 'perft: from the start, not the sum over starts'
# Counting that takes minutes ends at once.
for signal in INT:130 TERM:75 HUP:75; do
	nxn verify --boards 4x4 --plies 9 >stdout 2>stderr &
	pid=$!
	signals_wait $pid
	sleep 0.1
	signalled "${signal%:*}"
	[ $got -eq "${signal#*:}" ] || complain "exit status $got after SIG${signal%:*}"
done
fails 2 'expected 2x3' 'nxn verify --boards 2x3 --start 0,2/2,0 --plies 1'
fails 2 'at least 2 rows' 'nxn verify --start 2,2,2,4,4,8 --plies 1'
fails 2 '--plies: expected --start, such as 0,2/2,0, or one board of --boards' 'nxn verify --plies 1'
fails 2 '--plies: expected --start, such as 0,2/2,0, or one board' 'nxn verify --plies 1 --start 0,2/2,0 -b 2x2,3x3'
fails 2 '--start, --start-tiles and --spawn: only for games of a RUN and --plies' 'nxn verify --start 0,2/2,0'
fails 2 "--plies: 'two' is not a whole number" 'nxn verify --start 0,2/2,0 --plies two'
fails 2 'RUN: not with --against or --plies' 'nxn verify --start 0,2/2,0 --plies 3 3'
fails 2 'character 5: expected a tile' 'nxn verify --start 0,2/x,0 --plies 1'
fails 2 'no game on 2x2 reaches' 'nxn verify --start 1024,0/0,0 --plies 1'
fails 2 'probabilities add up to 0.9' 'nxn verify --start 0,2/2,0 --plies 1 --spawn 2:0.9'
fails 1 'does not fit in 64 bits' 'nxn verify --start 0,2/2,0 --plies 20 --spawn \
	2:0.125,4:0.125,8:0.125,16:0.125,32:0.125,64:0.125,128:0.125,256:0.125'

# eval: every value of expectimax.txt. A value there is rounded to 12 digits.
for leaf in zero empty; do
	value=$leaf
	[ $leaf = zero ] && value=score
	for depth in 1 2 3 4 5; do
		grep "^$leaf [^ ]* [^ ]* $depth " "$vectors/expectimax.txt" >rows
		cut -d ' ' -f 3 rows >positions
		agent=expectimax:depth=$depth,cutoff=0,terminal=0,rewards=1,value=$value
		gives 0 "nxn eval --agent $agent positions"
		tail -n +2 stdout | tr '\t' ' ' | paste -d ' ' rows - | awk '
		function differs(want, got) {
			if (want == "-")
				return got != "NaN"
			difference = got > want ? got - want : want - got
			return got == "NaN" || difference > 1e-9 * want
		}
		{
			# rows: leaf shape board d V best q q q q; answer: position move v v v v nodes ms
			letter = $12 == "none" ? "-" : toupper(substr($12, 1, 1))
			wrong = $3 != $11 || !index($6, letter)
			for (d = 0; d < 4; d++)
				wrong += differs($(7 + d), $(13 + d))
			if (wrong) {
				print
				failed = 1
			}
		}
		END { exit failed || NR == 0 }' || complain "values of $agent"
		cat rows >>compared
	done
done
grep -v '^#' "$vectors/expectimax.txt" | sort >want
sort compared | cmp - want || complain 'some rows of expectimax.txt were not compared'

# eval: what a row looks like, comments, blank lines, a position without a move.
printf '# one\n\n2,2,4/0,0,0/0,0,2 \n \n2,4/4,2\n' >positions
gives 0 'nxn eval --agent greedy positions'
cut -f 1-7 stdout >rows
printf 'position\tmove\tup\tright\tdown\tleft\tnodes\n' >want
printf '2,2,4/0,0,0/0,0,2\tright\t0\t4\t0\t4\t0\n' >>want
printf '2,4/4,2\tnone\tNaN\tNaN\tNaN\tNaN\t0\n' >>want
cmp rows want || complain 'eval: rows of greedy'
gives 0 'nxn eval --agent greedy - <positions'
[ "$(wc -l <stdout)" -eq 3 ] || complain 'eval: - is not standard input'
gives 0 'nxn eval --agent random  </dev/null'
[ "$(cut -f 1 stdout)" = position ] || complain 'eval: no header without positions'

# eval: a row comes before the next line is asked for.
mkfifo ask answer
timeout 60 nxn eval --agent greedy <ask >answer &
exec 3>ask 4<answer
echo 0,2/2,0 >&3
read -r header <&4 && read -r first <&4
echo 2,2/0,4 >&3
read -r second <&4
exec 3>&- 4<&-
wait $! || complain 'eval: a dialogue ends with a failure'
case "$header|$first|$second" in
position*'|0,2/2,0'*'|2,2/0,4'*) ;;
*) complain "eval: a dialogue gives '$header', '$first', '$second'" ;;
esac

# eval: errors; the rows before them stay.
fails 2 "standard input:2: position '2,2/2,a', character 7: expected a tile, such as 0, 2 or 4 (row 2, column 2)" \
	"printf '2,2/2,0\\n2,2/2,a\\n' | nxn eval --agent greedy"
has '2,2/2,0	up'
fails 2 "standard input:1: position '0,2/2,0 1', character 8: expected ',' or '/'" "printf '0,2/2,0 1\\n' | nxn eval"
fails 2 'standard input:1: holds a zero byte, character 4' "printf '0,2\\0/2,0\\n' | nxn eval"
fails 2 'bad.txt:1: position 0,2/2,0 is 2x2, expected 3x3' \
	'echo 0,2/2,0 >bad.txt; nxn eval --board 3x3 bad.txt'
[ -s stdout ] && complain 'eval: a header before a first position that is none'
fails 2 "standard input:3: position '2,2/2,a'" "printf '# a comment\\n\\n2,2/2,a\\n2,2/2,0\\n' | nxn eval --agent greedy"
[ -s stdout ] && complain 'eval: a header, though the first position is none'
fails 2 'standard input:1: no game on 2x2' 'echo 1024,0/0,0 | nxn eval'
fails 2 'absent.txt: No such file' 'nxn eval absent.txt'
fails 2 '2,2/0,0: no such file; positions are read from a file or from standard input' 'nxn eval 2,2/0,0'
fails 2 '.: is a folder; expected a file' 'nxn eval .'
[ -s stdout ] && complain 'eval: a header for a folder'
fails 2 'standard input: is a folder; expected a file' 'nxn eval <.'
fails 2 'did you mean expectimax?' 'nxn eval --agent expectimaks </dev/null'
fails 2 'did you mean depth?' 'nxn eval --agent expectimax:dept=2 </dev/null'
fails 2 "depth: '0' is not a whole number from 1" 'nxn eval --agent expectimax:depth=0 </dev/null'
fails 2 "spawn '3:1'" 'nxn eval --spawn 3:1 </dev/null'
if [ -c /dev/full ]; then
	gives 1 'echo 0,2/2,0 | nxn eval >/dev/full'
	grep -q '^nxn: standard output: ' stderr || complain 'eval: a full disk goes unnoticed'
fi

# play: the rows follow from each other, the last one is the end, and a game can be repeated.
gives 0 'nxn play --agent random --board 3x4 --seed 5 --game 2'
awk -F '\t' '
NR == 1 { next }
/^# / { summary = $0; next }
{
	score += $3
	moves += $2 != "none"
	wrong += $1 != NR - 1 || $4 != score || last == "none"
	last = $2
	largest = 0
	n = split($5, tile, "[,/]")
	for (i = 1; i <= n; i++)
		largest = tile[i] > largest ? tile[i] + 0 : largest
}
END {
	want = "# score " score ", largest tile " largest ", " moves " moves, "
	exit wrong || last != "none" || index(summary, want) != 1
}' stdout || complain 'play: rows that do not follow from each other'
head -n -1 stdout >first
gives 0 'nxn play --agent random --board 3x4 --seed 5 --game 2 --moves'
head -n -1 stdout | cmp - first || complain 'play: the same game differs'
gives 0 'nxn play --agent random --board 3x4 --seed 5 --game 3'
head -n -1 stdout | cmp -s - first && complain 'play: another index gives the same game'
gives 0 'nxn play --start 2,4/4,2'
has '# score 0, largest tile 4, 0 moves, '
gives 0 'nxn play --agent greedy --board 2x3 --start-tiles 6'

# play --trace: a row a move, with the chances that the agent tells; the table is there whole or not at
# all.
gives 0 'nxn play --agent random --board 3x4 --seed 5 --game 2 --trace trace.tsv'
has '# command: nxn play --agent random --board 3x4 --seed 5 --game 2 --trace trace.tsv' trace.tsv
has '# seed: 5' trace.tsv
grep -v '^#' trace.tsv | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	function value(name) { return $column["\"" name "\""] }
	function near(a, b) { return a - b < 1e-9 && b - a < 1e-9 }
	!near(value("chance"), 1 / value("legal")) || !near(value("uncertainty"), 2 - 2 / value("legal")) { exit 1 }
	value("move") != NR - 1 || value("game") != 2 || value("trained") != 0 || value("value") != "NaN" { exit 1 }
	{ print value("move"), value("direction"), value("score") }' >traced || complain 'play: a wrong trace'
awk -F '\t' 'BEGIN { n["up"] = 0; n["right"] = 1; n["down"] = 2; n["left"] = 3 }
	NR > 1 && ($2 in n) { print $1, n[$2], $4 - $3 }' first | cmp - traced || complain 'play: a trace of another game'
gives 0 'nxn play --agent expectimax:depth=1 --board 2x2 --trace sure.tsv'
grep -v '^#' sure.tsv >sure.rows
tail -n 1 sure.tsv | grep -q '	NaN	NaN	[1-4]$' || complain 'play: chances of a player that tells none'
fails 2 '--record, --human, --replay and --watch: not with --trace' 'nxn play --trace a.tsv --record b.rec'
fails 2 '--record, --human, --replay and --watch: not with --trace' 'nxn play --trace a.tsv --human'
fails 1 '/proc/trace.tsv: cannot be written' 'nxn play --agent random --trace /proc/trace.tsv'
gives 0 'nxn play --agent random --board 2x2 --trace sure.tsv'
gives 0 'nxn play --agent random --board 2x2 --record kept.rec'
cp kept.rec kept
fails 2 'kept.rec: exists and is not the trace of a game' 'nxn play --agent random --board 2x2 --trace kept.rec'
cmp kept kept.rec || complain 'play: a trace in place of recorded games'
mkdir taken
fails 2 'taken: is a folder; expected a file' 'nxn play --agent random --board 2x2 --trace taken'
[ -s stdout ] && complain 'play: a game whose trace is refused'
mkfifo pipe
fails 2 'pipe: exists and is not a regular file; expected a file, or none' \
	'timeout 20 nxn play --agent random --board 2x2 --trace pipe'
[ -s stdout ] && complain 'play: a game whose trace is refused'
[ -p pipe ] || complain 'play: a trace in place of a pipe'
if mknod full c 1 7 2>stderr; then
	fails 2 'full: exists and is not a regular file' 'timeout 20 nxn play --agent random --board 2x2 --trace full'
	[ -c full ] || complain 'play: a trace in place of a device'
fi
[ -e taken.nxn-1.tmp ] && complain 'play: half a trace is left'
# A link stays, and what it leads to is replaced, or made.
mkdir traces
cp trace.tsv traces/real.tsv
ln -s traces/real.tsv link.tsv
ln -s traces/new.tsv none.tsv
for link in link none; do
	gives 0 "nxn play --agent expectimax:depth=1 --board 2x2 --trace $link.tsv"
	[ -L $link.tsv ] || complain 'play: a trace in place of a link'
	grep -v '^#' $link.tsv | cmp - sure.rows || complain 'play: another trace through a link'
done
[ "$(ls traces | tr '\n' ' ')" = 'new.tsv real.tsv ' ] || complain "play: traces through links: $(ls traces)"
ln -s round.tsv round.tsv
fails 2 'round.tsv: a symbolic link that leads in a circle' 'nxn play --agent random --board 2x2 --trace round.tsv'

# play: the game that compare plays.
gives 0 'nxn compare --boards 3x3 --agents random --games 3 --seed 9 --out compared.d'
grep -v '^#' compared.d/games.tsv | awk -F '\t' '
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
NR > 1 && $at["game"] == 2 {
	print "# score " $at["score"] ", largest tile " $at["max_tile"] ", " $at["moves"] " moves, "
}' >want
gives 0 'nxn play --agent random --board 3x3 --seed 9 --game 2'
[ -s want ] || complain 'compare: no game 2 in its log'
has "$(cat want)"

# play: errors.
fails 2 'standard output is not a terminal' 'nxn play --watch'
fails 2 '--delay is for --watch' 'nxn play --delay 5'
fails 2 "--delay: 'x' is not a whole number" 'nxn play --delay x'
fails 2 "--game: '-1' is not a whole number" 'nxn play --game -1'
fails 2 "--seed: '0x1' is not a whole number" 'nxn play --seed 0x1'
fails 2 "position '0,2-2,0', character 4: expected" 'nxn play --start 0,2-2,0'
fails 2 'start tiles on 2x2: expected 1..4' 'nxn play --board 2x2 --start-tiles 5'
fails 2 "agent 'nobody': expected one of random" 'nxn play --agent nobody'
fails 2 'ties=UUDL' 'nxn play --agent greedy:ties=UUDL'

# info.
gives 0 'nxn info'
has 'compiler '
has '2x2 to 6x6, rectangles too: nxn info boards'
has 'expectimax   depth-limited search'
has 'linear9      nine features'
grep -q '^  [a-z_]*=' stdout && complain 'info: parameters of all'
[ "$(wc -l <stdout)" -le 40 ] || complain 'info: too long'
gives 0 'nxn train ntuple -b 3x3 -e 1 -o auto.nxn && nxn info auto.nxn'
grep -q '^parameters  *tuples=rectangles=2x3+0134678,share=orbit,.*rate=tc,alpha=1,' stdout ||
	complain 'info: not what auto stands for'
gives 0 'nxn info program'
gives 0 'nxn info agents'
has 'corners '
has '  depth=2 '
gives 0 'COLUMNS=300 nxn info policy'
has 'falls by less than this from one pass over the recorded games to the next; 0: never'
gives 0 'nxn info values'
has 'heuristic '
has '  w_empty='
gives 0 'nxn info boards'
has '4x5        20       2097152        21          5          100           4'
[ "$(grep -c '^[2-6]x[2-6] ' stdout)" -eq 25 ] || complain 'info: not the 25 boards'
fails 2 "'nobody': expected program, boards, agents, values" 'nxn info nobody'
fails 2 "'expectimix': did you mean expectimax? expected program," 'nxn info expectimix'
fails 2 'not a model file' 'nxn info rows'

# A trained model: what it says of itself, and where an agent takes it.
gives 0 'nxn train qlearn --board 3x3 --episodes 25 --out model'
gives 0 'nxn info model'
has 'agent           qlearn'
has 'board           3x3'
has 'training games  25'
gives 0 'echo 2,2,4/0,0,0/0,0,2 | nxn eval --agent qlearn:model'
gives 0 'nxn play --agent qlearn:model --board 3x3'
fails 2 "standard input:1: model: a model for board '3x3', expected board '2x2'" 'echo 0,2/2,0 | nxn eval --agent qlearn:model'
fails 2 "model: a model for board '3x3'" 'nxn play --agent qlearn:model'
head -c 100 model >torn
fails 2 'torn: ' 'nxn info torn'

# nxn itself.
gives 0 'nxn --help'
for command in play eval verify info; do
	has "  $command "
done
mv stdout help
gives 0 'nxn help'
cmp -s help stdout || complain 'nxn help is not nxn --help'
gives 0 'nxn verify --help'
mv stdout help
gives 0 'nxn help verify'
cmp -s help stdout || complain 'nxn help verify is not nxn verify --help'
gives 2 'nxn help verif'
grep -qF "nxn: no command 'verif'; did you mean 'verify'?" stderr || complain 'nxn help verif: no hint'
fails 2 'expected one COMMAND' 'nxn help verify eval'
fails 2 "no command 'mcts', but an agent: nxn info mcts" 'nxn help mcts'
fails 2 "no command 'linear9', but a value: nxn info linear9" 'nxn linear9'
fails 2 "no command 'mcts:sims=9'" 'nxn mcts:sims=9'
gives 0 'nxn --version'
head -n 1 stdout | grep -qx 'nxn [0-9][0-9.]*\( (commit .*)\)\?' || complain "nxn --version: $(cat stdout)"
has 'GPL version 3 or later'
mv stdout version
for name in version -v -V; do
	gives 0 "nxn $name"
	cmp -s version stdout || complain "nxn $name is not nxn --version"
done
gives 2 'nxn verif'
grep -qF "nxn: no command 'verif'; did you mean 'verify'?" stderr || complain 'nxn verif: no hint'

exit $bad
