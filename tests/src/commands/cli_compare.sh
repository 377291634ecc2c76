#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn compare and report from the outside: examples, files, threads, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*/scores.gp | svg:*/tiles.gp'

# ./quickstart plays the quickstart.
elsewhere='nxn compare quickstart --out*'
examples compare report

# The files, and nothing that was not asked for.
gives 0 'nxn compare -b 2x2,2x3 -a random,greedy -g 5 -o made --no-figures'
has 'Game log made/games.tsv, tables in made/tables.'
[ "$(games made/games.tsv | wc -l)" -eq 21 ] || complain 'expected a header and 20 games'
[ ! -e made/figures ] || complain 'figures without being asked for'
[ ! -e made/models ] || complain 'models without a learner'
for table in summary spread tiles reach scores curve means ratios law front; do
	has '# nxn ' made/tables/$table.tsv
	has '# command: nxn compare -b 2x2,2x3 -a random,greedy -g 5 -o made --no-figures' \
		made/tables/$table.tsv
	has '# seed: 1' made/tables/$table.tsv
	has 'BCa' made/tables/$table.tsv
done
gives 0 'nxn compare -b 2x2 -a random,greedy -g 5 -o drawn'
for file in tiles.svg tiles.pdf tiles.gp tiles.tsv scores.svg means.svg; do
	[ -s drawn/figures/$file ] || complain "no drawn/figures/$file"
done
for locale in C; do
	gives 0 "LC_ALL=$locale nxn report drawn -o in-$locale"
	cmp drawn/figures/tiles.svg in-$locale/figures/drawn/tiles.svg || complain "another figure in the locale $locale"
done

# Two players with equal scores in each game are said to have them.
gives 0 "nxn compare -b 3x3 -a 'expectimax:depth=1;expectimax:depth=1,tt=0;random' -g 30 -o equal --no-figures"
tr '\n' ' ' <stdout >line
has 'expectimax:depth=1 and expectimax:depth=1,tt=0 have the same score in all 30 games. ' line
grep -q 'undecided' stdout && complain 'equal players are undecided'

# Games of a learner are explained where there is a column of games, also if it has the fewest.
cat >fewer.yaml <<'END'
boards: 2x2
sequences:
  - {agents: random, games: 40}
  - {agents: qlearn, train: 10, evaluate: 10, games: 20}
END
gives 0 'nxn compare fewer.yaml -o fewer --no-figures'
grep -q '^random .*  40$' stdout || complain 'no column of games'
grep -q '^qlearn .*  30$' stdout || complain 'a learner without its last evaluation'
has '30 to 40 games of a player on a board, those of a learner with its last'
column fewer/tables/curve.tsv seconds >seconds
awk '{ good = $1 + 0 > 0 } END { exit !good }' seconds || complain "training takes no time: $(cat seconds)"

# Twelve players have twelve colours.
colours()
{
	grep -o "stroke='rgb([^)]*)'" "$1/figures/scores.svg" | sort -u | wc -l
}
some=random
for ties in URDL RDLU DLUR LURD UDRL ULDR RULD DRUL LDRU RLUD DULR; do
	some="$some;greedy:ties=$ties"
done
gives 0 "nxn compare -b 3x3 -a '$some' -g 2 -o dozen"
[ "$(colours dozen)" -eq "$(($(colours drawn) + 10))" ] || complain 'players of one colour'

# Equal results for any number of threads, and what --no-times is for. The first player is the
# slowest, so that with two threads others are the first in the log.
common="compare --by-board -b 3x3,2x2 -a 'expectimax:depth=3,cutoff=0;random;corners' -g 3 -s 9 --no-figures"
# tables FOLDER: all of them, without what names the command.
tables()
{
	grep -v '^# command: \|^# configuration: \|^# games by: ' "$1"/tables/*.tsv | sed 's/^[^:]*://'
}
gives 0 "nxn $common --no-times -j 1 -o one"
sed '/^Game log/d' stdout >table.one
gives 0 "nxn $common --no-times -j 2 -o two"
sed '/^Game log/d' stdout >table.two
games one/games.tsv >one.games
games two/games.tsv >two.games
cmp one.games two.games || complain 'games depend on the number of threads'
cmp table.one table.two || complain 'the table depends on the number of threads'
tables one >one.tables
tables two | cmp - one.tables || complain 'the tables depend on the number of threads'
gives 0 "nxn $common --no-times -j 1 -o one --full"
[ "$(sed -n 's/^2x2 *\([a-z]*\).*/\1/p' stdout | head -n 3 | tr '\n' ' ')" = 'expectimax random corners ' ] ||
	complain 'players are not in the order given'
[ "$(sed -n '/^2x2 /,/^$/s/^\([a-z]\{6,\}\).*/\1/p' table.one | head -n 3 | sort | tr '\n' ' ')" = 'corners expectimax random ' ] ||
	complain 'not a row for each player'
awk '/^[a-z].*\[.*\] .*%/ { if (last && $2 > last) exit 1; last = $2 } /^$/ { last = 0 }' table.one || complain 'players are not ranked'
[ "$(awk 'length > 80' table.one | wc -l)" -eq 0 ] || complain 'lines of more than 80 columns'
COLUMNS=60 nxn report one | awk 'length > 60 { exit 1 }' || complain 'COLUMNS counts for nothing'
# What is wider comes in parts, each with the names of the players; no line ends with a blank.
for option in --full --spread; do
	nxn report one $option | awk 'length > 80 || / $/ { exit 1 }' || complain "report $option: a line too long"
done
[ "$(nxn report one --full | grep -c '^2x2 *expectimax')" -gt "$(COLUMNS=200 nxn report one --full | grep -c '^2x2 *expectimax')" ] ||
	complain 'report --full: no part has the names again'
[ "$(cut -f 11 one.games | sort -u | tr '\n' ' ')" = 'NaN seconds ' ] || complain 'seconds in spite of --no-times'
gives 0 'nxn report --by-board two; echo'
cmp stdout table.one || complain 'report prints another table than compare'
# Without tables of the run, those of the bundle are made of its log.
mkdir bare && cp two/games.tsv bare
gives 0 'nxn report bare -o again'
for file in one/tables/*.tsv; do
	grep -v '^# command: \|^# configuration: \|^# games by: ' "$file" >wanted
	grep -v '^# command: \|^# configuration: \|^# games by: ' "again/tables/bare/${file##*/}" | cmp - wanted ||
		complain "report makes another table than compare: $file"
done

# The same games under another label are the same games.
sed 's/\trandom\trandom\t/\tother\trandom\t/' one/games.tsv >other.tsv
gives 0 'nxn report --by-board one/games.tsv other.tsv'
head -n -1 table.one | cmp - stdout || complain 'another label makes another table'

# Who tells the chances of its moves has the sum of the tiles in the end and its uncertainty in the log, a
# search has not; a log without columns for them is refused.
[ "$(grep -c '	random	random	.*	NaN	[0-9]*	[01]\.[0-9]*$' one.games)" -eq 6 ] ||
	complain 'no sum and uncertainty of random'
[ "$(grep -c '	NaN	NaN	NaN$' one.games)" -eq 6 ] || complain 'sum or uncertainty of a search, which tells no chances'
[ "$(grep -c '	corners	.*	0.000000$' one.games)" -eq 6 ] || complain 'uncertainty of a player that is always sure'
[ "$(awk -F '\t' '{ print NF }' one.games | sort -u)" = 13 ] || complain 'rows of several widths'
grep '	3x3	random	' one.games | sed 's/.*	//' | awk '{ sum += $1 } END { printf "%.6f\n", sum / 3 }' >mean
awk -F '\t' '$1 == "\"3x3\"" && $3 == "\"random\"" { printf "%.6f\n", $(NF - 2) }' one/tables/summary.tsv | cmp - mean ||
	complain 'the summary has another uncertainty'
gives 0 'nxn compare -b 2x2 -a random -g 4 -o early --no-figures --no-times'
cut -f 1-11 early/games.tsv >fewer.tsv
fails 2 "fewer.tsv:$(grep -n '^config' fewer.tsv | cut -d: -f1): not a game log: expected the column names config" 'nxn report fewer.tsv'

# More games of the same players go on; a folder is reported whole, with --only what the command asks for.
gives 0 'nxn compare -b 2x2 -a random -g 3 -o grow --no-figures --no-times'
cp grow/games.tsv before
gives 0 'nxn compare -b 2x2 -a random -g 6 -o grow --no-figures --no-times'
head -c "$(wc -c <before)" grow/games.tsv | cmp - before || complain 'the log was rewritten'
gives 0 'nxn compare -b 2x2 -a greedy -g 2 -o grow --no-figures --no-times'
has '6 of these games were in grow before, of players, boards, seeds or' stdout
for player in random greedy; do has $player stdout; done
for by in '-a random -g 3' '-a random -g 6'; do
	has "# games by: nxn compare -b 2x2 $by -o grow --no-figures --no-times" grow/tables/results.tsv
	has "# command: nxn compare -b 2x2 $by -o grow --no-figures --no-times" grow/games.tsv
done
[ "$(grep -c '^# command: ' grow/games.tsv)" -eq 3 ] || complain 'the log does not have each command once'
for format in tsv json; do
	gives 0 "nxn compare -b 2x2 -a greedy -g 2 -o grow --no-figures --no-times --format=$format"
	has random
	has '6 of these games were in grow before, of players, boards, seeds or numbers that this command does not ask for; --only leaves them out.' stderr
	gives 0 "nxn compare -b 2x2 -a greedy -g 2 -o grow --no-figures --no-times --format=$format --only"
	grep -q 'these games' stderr && complain "$format: games that --only leaves out are mentioned"
done
gives 0 'nxn compare -b 2x2 -a greedy -g 2 -o grow --no-figures --no-times --only'
grep -q 'games by' grow/tables/results.tsv && complain 'with --only the games are those of other commands'
[ "$(games grow/games.tsv | wc -l)" -eq 9 ] || complain 'expected a header and 6 + 2 games'
grep -q random stdout && complain "another comparison's player is in the table"
has 'The log has 6 more games: of other players, seeds or numbers' stdout
has 'nxn report grow shows all' stdout
gives 0 'nxn compare -b 2x2 -a random -s 2 -g 1 -o grow --no-figures --no-times --only'
has 'The log has 8 more games' stdout
gives 0 'nxn compare -b 2x2 -a greedy -g 2 -o grown --no-figures'
grep -q 'more game' stdout && complain 'games that are in the table are called others'
gives 0 'nxn compare -b 2x2 -a random -g 4 -o grow --no-figures --no-times --full --only'
grep -q '^2x2 *random *0 *4 ' stdout || complain 'expected the first 4 of 6 games'
gives 0 'nxn report grow'
has random
has greedy
gives 0 'nxn report --tsv grow one/games.tsv'
has '"board"'
has '# seed: several'

# Start positions, spawn rules and labels. Rules that only an experiment file says are in the log, as options of verify.
printf 'boards: 2x2\nspawn: 2:0.5,8:0.5\nstart-tiles: 1\nagents: random\ngames: 4\n' >rules.yaml
gives 0 'nxn compare rules.yaml -o rules --no-figures && rm rules.yaml'
rules=$(sed -n 's/^# rules: //p' rules/games.tsv)
gives 0 "nxn verify rules $rules --fraction 100%"
has '4 of 4 games played again; all agree'
gives 0 'nxn compare --start 2,4/0,2 -a random -g 4 -o start --no-figures --full'
grep -q '^2x2 *random *0 *4 ' stdout || complain 'the start position does not tell the board'
gives 0 'nxn compare -b 2x2 --spawn 8:1 --start-tiles 1 -a random -g 4 -o spawn --no-figures'
[ "$(games spawn/games.tsv | cut -f 9 | sort -n | head -2 | tail -1)" -ge 8 ] || complain 'tiles below 8'

# Equal time: filed under it, gone on with, and said to be of this machine; others are not.
timed='expectimax:ms=0.05,expectimax:ms=0.1,leaf=after,random'
gives 0 "COLUMNS=200 nxn compare -b 2x3 -a $timed -g 4 -o timed --no-figures --full"
note='agents with ms= decide by the clock: their games depend on the machine and its load'
tr '\n' ' ' <stdout >line
has "Note: $note" line
has "# $note" timed/tables/summary.tsv
for label in expectimax:ms=0.05 expectimax:ms=0.1,leaf=after; do
	[ "$(grep -c "^2x3  *$label  *0  *4 " stdout)" -eq 2 ] || complain "no row of $label"
done
[ "$(games timed/games.tsv | cut -f 1 | sort -u | wc -l)" -eq 4 ] || complain 'not three configurations'
grep -v '^# command' timed/games.tsv >before
gives 0 "nxn compare -b 2x3 -a $timed -g 4 -o timed --no-figures"
grep -v '^# command' timed/games.tsv | cmp - before || complain 'timed games were played again'
gives 0 'nxn report timed'
tr '\n' ' ' <stdout >line
has "Note: $note" line
gives 0 'nxn report --tsv timed'
has "# $note"
gives 0 'nxn report --tsv one'
grep -qF 'ms=' stdout && complain 'a note on clocks without one'
gives 0 'nxn report one'
grep -qF 'Note' stdout && complain 'a note on clocks without one'

# The progress line fits the terminal, says where it is cut, and tells no time of which it knows nothing.
on_terminal 12 2 'nxn compare -b 5x5 -a expectimax:depth=2,value=strong,cutoff=0.001 -g 900000 --no-figures \
	--time-budget 0.5s -o narrow' | tr '\r' '\n' | sed 's/^.\[K//' | grep '^[0-9]' >lines
[ -s lines ] && awk 'length > 11 { bad = 1 } END { exit bad }' lines || complain 'a progress line is wider than the terminal'
awk 'length == 11 && !/\.\.\.$/ { bad = 1 } /\.\.\.$/ { some = 1 } END { exit bad || !some }' lines ||
	complain 'a progress line is cut without a word'
grep -q '>0:00:00' lines && complain 'an estimate of nothing'

# Progress when it is asked for.
gives 0 'nxn compare -b 3x3 -a random -g 2000 -o shown --no-figures --progress'
tr '\r' '\n' <stderr | grep -q '^.\[K$' || complain 'the progress line was not removed'

# A torn last line is cut off, reported, and its game played again.
gives 0 'nxn compare -b 2x2 -a random -g 5 -o torn --no-figures --no-times'
games torn/games.tsv >whole
truncate -s -7 torn/games.tsv
gives 0 'nxn report torn'
has 'nxn: torn/games.tsv: the torn last line was left out' stderr
gives 0 'nxn compare -b 2x2 -a random -g 5 -o torn --no-figures --no-times'
grep -q '^nxn: torn/games.tsv: cut off a torn last line of [0-9]* bytes$' stderr || complain 'torn line not reported'
games torn/games.tsv | cmp - whole || complain 'the torn game was not repaired'

# Equal time: who can be told it gets so much a move, and the table says so of everybody.
gives 0 "nxn compare -b 3x3 -a 'random;expectimax;expectimax:leaf=after,cutoff=0' --ms-per-move 0.5 -g 2 -j 1 -o equal --no-figures"
has 'Note: agents with ms= decide by the clock'
awk -F '\t' '/^"3x3"/ { ms[$3] = $(NF - 8); agent[$3] = $4 } END {
	fast = "\"expectimax\""; after = "\"expectimax:leaf=after,cutoff=0\""
	exit !(ms["\"random\""] < 0.2 && ms[fast] > 0.2 && ms[fast] < 20 && ms[after] < 20 &&
		agent[fast] == "\"expectimax:ms=0.5\"" && agent[after] ~ /cutoff=0,.*ms=0.5/) }' equal/tables/summary.tsv ||
	complain "unequal time: $(grep '^"3x3"' equal/tables/summary.tsv)"
fails 2 'expectimax:ms=1: has its own ms=, beside the same time for all' \
	'nxn compare -a random,expectimax:ms=1 --ms-per-move 2'
for ms in '' 0 5ms; do
	fails 2 "--ms-per-move: '$ms' is not a number of milliseconds above 0" "nxn compare -a random --ms-per-move '$ms'"
done

# A label of its own is for agents; players have names.
printf 'boards: 2x2\ngames: 1\nsequences: [{players: [{name: A, agent: random}], label: B}]\n' >players.yaml
fails 2 'players.yaml:3:58: label: is for agents; players have names' 'nxn compare players.yaml --dry-run'
# Long names are cut between characters, with one byte or the number of a training before them too.
for path in '' a; do
	for i in $(seq 40); do path=${path}ä; done
	gives 0 "nxn train qlearn -b 2x2 -e 1 -o $path"
	gives 0 "nxn compare -b 2x2 -a qlearn:$path -g 1 --dry-run --no-times"
	iconv -f UTF-8 -t UTF-8 stdout >/dev/null || complain "a label cut within a character: $path"
	printf 'boards: 2x2\nsequences: [{agents: qlearn, train: 1, evaluate: 1, trainings: 2, label: "%s"}]\n' \
		"$(echo "$path" | sed 's/^\(a*\)ääääääääää/\1x/')" >long.yaml
	gives 0 'nxn compare long.yaml --no-figures -o long --no-times'
	rm -rf long
done

# A learner that has learned nothing is refused with the command that trains it, or says so in its label.
fails 2 "qlearn:eta=2 has not been trained: do that by 'nxn train qlearn:eta=2 --board 2x2 --time-budget 1m --out FILE' and name qlearn:FILE" \
	'nxn compare -b 2x2,2x3 -a random,qlearn:eta=2 -g 1 -o unlearned --no-figures'
fails 2 "policy has not been trained: do that by 'nxn train policy --board 2x2 --time-budget 1m --out FILE' and name policy:FILE" \
	'nxn compare -b 2x2 -a random,mcts:prior=policy -g 1 -o unlearned --no-figures'
fails 2 'qlearn has not been trained' 'nxn duel qlearn random -b 2x2 -o unlearned --no-figures'
fails 2 'standard input:1: adp has not been trained' 'echo 2,2/4,0 | nxn eval --agent adp'
fails 2 'ntuple has not been trained' 'nxn play --agent ntuple -b 2x2'
gives 0 'nxn play --agent ntuple -b 2x2 --untrained'
[ -e unlearned ] && complain 'a refused comparison leaves a folder'
gives 0 'echo act 2,2/4,0 | nxn eval --serve --agent relative'
has 'error relative has not been trained'
gives 0 'echo 2,2/4,0 | nxn eval --agent adp --untrained'
gives 0 'echo act 2,2/4,0 | nxn eval --serve --agent relative --untrained'
has 'act '
# An experiment that does not train its learner says so, unless its writer chose a label.
printf 'boards: 2x2\ngames: 1\nsequences: [{agents: adp}, {agents: "adp:alpha=0", label: not trained}]\n' >learners.yaml
gives 0 'nxn compare learners.yaml -o learners --no-figures'
has 'adp (untrained)'
has 'not trained '
gives 0 'nxn compare -b 2x2,2x3 -a random,qlearn:eta=2 -g 1 -o unlearned --no-figures --untrained'
has 'qlearn:eta=2 (untrained)'
printf 'boards: 2x2\nsequences: [{players: [{name: TD, agent: qlearn}], games: 1}]\n' >named.yaml
gives 0 'nxn compare named.yaml -o named.untrained --no-figures'
has 'TD (untrained)'
grep -qF '"random (untrained)"' unlearned/tables/summary.tsv && complain 'a rule is said to be untrained'
nxn train qlearn -b 2x2 -e 1 -o learned.nxn >stdout
gives 0 'nxn compare -b 2x2 -a random,qlearn:learned.nxn -g 1 -o unlearned --no-figures --only'
grep -q untrained stdout && complain 'a trained learner is said to be untrained'
[ ! -s stderr ] || complain 'complaints about a trained learner'

# Nothing but a board, and nothing at all.
gives 0 'nxn compare -b 2x3 -g 5 -o usual --no-figures'
for agent in random greedy corners expectimax:depth=1; do
	has "$agent"
done

# Names from other programs: understood, or answered.
gives 0 'nxn train qlearn --games 3 --board 2x2 --jobs 1 --output named.nxn'
has 'after 3 training games'
gives 0 'nxn train qlearn -n 4 -b 2x2 -o named.nxn'
has 'after 4 training games'
gives 0 'nxn train qlearn --rounds=5 --boards 2x2 -o named.nxn'
has 'after 5 training games'
gives 0 'nxn compare --board 2x2 --agent random,corners --rounds 3 --jobs 1 --output names --no-figures'
gives 0 'nxn compare -b 2x2 -a random,corners -n3 -o names2 --no-figures'
games names/games.tsv | cut -f 1-9 >want
games names2/games.tsv | cut -f 1-9 | cmp -s - want || complain 'other games with other names of options'
gives 0 'nxn duel corners random -b 2x2 --games 40 -o names3 --no-figures'
gives 0 'nxn duel --agents corners,random -b 2x2 --games 40 -o names4 --no-figures'
games names3/games.tsv | cut -f 1-9 >want
games names4/games.tsv | cut -f 1-9 | cmp -s - want || complain 'duel --agents: another duel'
fails 2 "unexpected argument 'greedy'; a duel is between two" 'nxn duel --agents corners,random greedy'
gives 0 'nxn train --agent qlearn -e 6 -b 2x2 -o named.nxn'
has 'after 6 training games'
fails 2 "unexpected argument 'qlearn'" 'nxn train --agent qlearn qlearn -e 7 -b 2x2 -o named.nxn'
fails 2 "'--resume' is not needed: the same command continues where it stopped" 'nxn train qlearn -b 2x2 -e 6 -o named.nxn --resume'
fails 2 "--episodes: 'x' is not a whole number" 'nxn train qlearn -n x -o named.nxn'
nxn train --help | grep -e --rounds -e --jobs && complain 'names from other programs are in --help'

# Wrong options.
fails 2 "--agents: not with an experiment; 'x'" 'nxn compare -a random x'
fails 2 "unexpected argument '3x3'; expected --boards 3x3,..." 'nxn sweep 3x3'
fails 2 "agent 'randon': did you mean random?" 'nxn compare -a randon'
fails 2 "expectimax has no key 'dept': did you mean depth?" 'nxn compare -a expectimax:dept=2'
# An error is a line that can be read, however many names there are.
for agent in policy ${all:+mcts ntuple relative} expectimax:value=strong; do
	fails 2 "'nxn info ${agent%%:*}' lists its keys" "nxn compare -a $agent$(case $agent in *:*) echo , ;; *) echo : ;; esac)qqq=1"
	awk 'length > 160' stderr | grep . && complain "a long error: $agent"
done
fails 2 'value=heuristc: no such value: did you mean heuristic? expected one of' 'nxn compare -a expectimax:value=heuristc'
fails 2 "--agents: 'random,' has an empty item" 'nxn compare -a random,'
fails 2 "--boards: '4x4,' has an empty item" 'nxn compare -b 4x4, -a random'
fails 2 "--games: '0' is not a whole number from 1 to 1000000000" 'nxn compare -a random -g 0'
fails 2 'probabilities add up to 0.9' 'nxn compare -a random --spawn 2:0.9'
fails 2 "--start-tiles: '99'" 'nxn compare -a random --start-tiles 99'
fails 2 'random plays on 2x2 already' 'nxn compare -b 2x2 -a random,random'
fails 2 'random plays on 2x2 already' 'nxn compare -b 2x2,2x2 -a random'
gives 2 'nxn compare --agnets random'
has "nxn compare: unrecognized option '--agnets'; did you mean '--agents'?" stderr
fails 2 "unrecognized option '--bords'; did you mean '--boards'?" 'nxn compare -j 1 -a random --bords=3x3'
fails 2 "did you mean '--board'?" 'nxn play --borad 3x3'
for setting in depth value; do
	fails 2 "'--$setting' is a setting of an agent, as in expectimax:$setting=..." "nxn play -a expectimax --$setting=3"
done
fails 2 "did you mean '--version'?" 'nxn --versoin'
fails 2 "nxn compare: unrecognized option '--nothing-like-it'; nxn compare --help lists the options" \
	'nxn compare -a random --nothing-like-it=3'
fails 2 "nxn compare: unrecognized option '-Z'; nxn" 'nxn compare -Z'
fails 2 "unrecognized option '-é'; nxn" 'nxn compare -é'
fails 2 "nxn: unrecognized option '--zzz'; nxn --help" 'nxn --zzz compare'
for option in '-g 5' ${all:+'-a random' '-b 3x3' '-s 1' '--ms-per-move 1' '--untrained' '--start 2,2/0,0' '--spawn 2:1'} '--start-tiles 2'; do
	fails 2 "not with an experiment; 'x.yaml' sets that" "nxn compare x.yaml $option"
done
fails 2 "unrecognized option '--games'; nxn info --help" 'nxn info --games 5'
fails 2 "option '--boards' needs an argument: --boards RxC,..." 'nxn compare --boards'
fails 2 "option '-g' needs an argument: -g N" 'nxn compare -a random -g'
fails 2 "option '--no-times' takes no argument" 'nxn compare --no-times=3'
fails 2 "option '--s' is ambiguous: '--" 'nxn compare --s 3'
# A name with a newline in it still makes one line.
fails 2 "argument: 'comp?are': byte 5 is a control character" "nxn 'comp
are'"
fails 2 "argument: 'on-nl?x': byte 6" "nxn report 'on-nl
x'"
fails 2 "argument: '1?x': byte 2" "nxn compare -a random -g '1
x'"
gives 0 'nxn compare -?; nxn compare --vers'
# The argument of an option is none, nor is what follows --, and a beginning is enough.
gives 0 'nxn compare --board 2x2 -a random -g 1 --out --agnets --no-times --no-figures'
[ -f --agnets/games.tsv ] || complain '--out --agnets is no folder'
gives 0 'nxn compare -b 2x2 -a random -g 1 -o --agnets --no-figures'
fails 2 "--agents: not with an experiment; '--agnets'" 'nxn compare -a random -- --agnets'
fails 2 'the command is missing; nxn --help lists them' 'nxn'
fails 2 "no command 'compre'; did you mean 'compare'?" 'nxn help compre'
fails 2 "no command 'compre'; did you mean 'compare'?" 'nxn compre'
fails 2 "no command 'zzz'" 'nxn zzz'

# What many commands refuse in the same words.
for command in bench 'compare a' 'duel random greedy' 'eval a' 'eval --serve -a greedy' 'gap -b 2x2' 'info a' play solve sweep \
	'train qlearn' 'tune -a expectimax -p w_* -o x.tsv'; do
	fails 2 "unexpected argument 'b'" "nxn $command b"
done
set -- 'compare -a random' 'duel random greedy' gap play sweep 'train qlearn -e 1 -o x.nxn' \
	'tune -a expectimax -p w_* -o x.tsv'
for command in "$@" bench eval 'eval --serve -a greedy' solve; do
	fails 2 "board '7x7': expected ROWSxCOLUMNS" "nxn $command -b 7x7 </dev/null"
done
for command in "$@"; do
	fails 2 "--seed: 'x' is not a whole number from 0" "nxn $command -s x"
	fails 2 "--threads: '0' is not a whole number from 1 to 1024" "nxn $command -j 0"
done
fails 2 "--threads: '0' is not a whole number from 1 to 1024" 'nxn solve -j 0'

# Folders and files that cannot be used.
echo 'something else' >file
mkdir foreign
while read -r log says command; do
	fails 2 '--out: must not be empty' "nxn $command -o ''"
	[ $log != none ] || continue
	fails 2 'file: is not a folder' "nxn $command -o file"
	fails 1 '/proc/nxn: cannot make the folder' "nxn $command -o /proc/nxn"
	cp file foreign/$log.tsv
	fails 2 "foreign/$log.tsv:1: not $(echo "$says" | tr _ ' '): expected" "nxn $command -o foreign"
	[ "$(ls foreign)" = $log.tsv ] && cmp file foreign/$log.tsv || complain "files of others: nxn $command"
	rm foreign/*
done <<'END'
games a_game_log compare -b 2x2 -a random
games a_game_log duel random greedy -b 2x2
gap a_log_of_games_compared_with_the_optimum gap -b 2x2 -a random
searches the_log_of_a_sweep sweep -b 2x2 -d 1 -c 0 -p 1
none none report grow
END
mkdir folder folder/games.tsv
fails 2 'folder/games.tsv: is a folder; expected a file' 'nxn compare -b 2x2 -a random -o folder'
fails 1 'standard output: ' 'nxn report grow >/dev/full'
mkdir full && mkdir full/tables full/tables/tiles.tsv
fails 1 'full/tables/tiles.tsv: cannot write' 'nxn compare -b 2x2 -a random -g 2 -o full'
fails 1 '' 'PATH=/nonexistent '"$nxn_path"' compare -b 2x2 -a random -g 2 -o undrawn'
[ -s undrawn/tables/tiles.tsv ] || complain 'no tables when figures cannot be drawn'
fails 2 'the run is missing' 'nxn report'
fails 2 'nowhere' 'nxn report nowhere'
# Minimum, median, maximum and standard deviation of all that is logged of a game, by hand.
gives 0 'nxn compare -b 2x2,3x3 -a random,corners -g 12 -o spread --no-figures'
for column in 8 9 10 11; do
	games spread/games.tsv | awk -F '\t' -v c=$column 'NR > 1 && $2 == "3x3" && $3 == "random" { print $c }' |
		sort -g | awk '
		{ x[NR] = $1; sum += $1 }
		END {
			for (i = 1; i <= NR; i++)
				squares += (x[i] - sum / NR) ^ 2
			low = x[int((NR + 1) / 2)]
			high = '$column' == 9 ? low : x[int(NR / 2) + 1]
			printf "%.6g %.6g %.6g %.6g\n", x[1], (low + high) / 2, x[NR], sqrt(squares / (NR - 1))
		}'
done >expected
awk -F '\t' '$2 == "\"3x3\"" && $4 == "\"random\"" { printf "%.6g %.6g %.6g %.6g\n", $8, $9, $12, $13 }' \
	spread/tables/spread.tsv | cmp - expected || complain 'stats: another spread than that of the log'
gives 0 'nxn report --spread spread'
for quantity in score 'largest tile' moves seconds; do
	grep -q "^$quantity  *3x3  *random  *[0-9]" stdout || complain "report --spread: no $quantity of random on 3x3"
done
fails 2 '--format: not with --out' 'nxn report out --out b --format json'
fails 2 '--spread: only as text; for programs, --tsv=spread' 'nxn report --spread --tsv spread'
for option in '--full --tsv' '--full --format=json' '--full --scores --tsv' '--by-board --tsv=results'; do
	fails 2 "${option%% *}: only as text" "nxn report $option spread"
done
for option in --tsv=games --tsv=means --format=json; do
	fails 2 '--against: not with a table for programs other than --tsv=leads' "nxn report --against random $option spread"
done
fails 2 '--against and --by-board: not with --scores or --spread' 'nxn report --against random --spread spread'
gives 0 'nxn report --against random --tsv=leads spread'
fails 2 "--tsv: no table 'x'" 'nxn report --tsv=x grow'
gives 0 'nxn train qlearn -b 2x2 -e 20 --block 5 -o drawn.nxn --curve drawn.tsv'
fails 2 'drawn.tsv: is a table of nxn train or nxn tune; --out DIR draws its figure' 'nxn report drawn.tsv'
fails 2 'not with --out, which has all tables' 'nxn report spread --out x --full'
fails 2 '--latex, --models and --width: only with --out' 'nxn report spread --latex'
gives 0 'nxn train qlearn -b 2x2 -e 5 -o done.nxn; nxn train qlearn -b 2x2 -e 5 -o done.nxn --curve done.tsv'
fails 2 'nxn report: done.tsv: has no rows: no block of training games has ended' 'nxn report done.tsv -o rows'
[ -e rows ] && complain 'report made a folder for nothing'
fails 2 'file:1: ' 'nxn report file'
fails 2 'file: is not a folder' 'nxn report grow -o file'
: >empty
fails 2 'empty: holds no games' 'nxn report empty'
# A log that was torn in its head, or in its first line, has nothing to tell but that.
for bytes in 20 $(($(grep -n '^config' grow/games.tsv | cut -d: -f1 | xargs -I N head -n N grow/games.tsv | wc -c) + 9)); do
	head -c "$bytes" grow/games.tsv >cut.tsv
	fails 2 'nxn report: cut.tsv: holds no games, only a torn line' 'nxn report cut.tsv'
	gives 0 'nxn report cut.tsv grow'
	[ "$(cat stderr)" = 'nxn: cut.tsv: the torn last line was left out' ] || complain 'a torn line among others'
done

exit $bad
