#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn verify, nxn serve and the agent external: right programs and wrong ones, and every kind of check
# made to fail.
. "${srcdir:-.}/tests/src/cli_lib.sh"
speaker=$(dirname "$nxn_path")/tests/src/speaker
[ -x "$speaker" ] || complain "no $speaker: make check builds it"
ln -s "$speaker" bin/speaker

# Of a program that hangs. Nothing else on the machine sleeps for so long.
forever="sleep 1000.$$"

# left WHAT: no process of that kind is left behind.
left()
{
	cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' >running
	grep -qF "$forever" running && complain "still running: $1"
}

examples serve verify

# serve: the four after-states, worked out by hand; the least word that is right.
cat >asked <<'END'
hello 1
moves 2,2/4,0
moves 2,4/4,2
act 2,2/4,0 5
act 2,4/4,2
new 2x3 4:1
moves 2,2,2/0,0,4
moves 4,4,8/0,0,0
quit
moves 2,2/4,0
END
cat >want <<'END'
hello 1 moves act
moves - 4:0,4/0,4 0:2,0/4,2 4:4,0/4,0
moves - - - -
act R - 4 0 4
act -
new
moves - 4:0,2,4/0,0,4 0:0,0,2/2,2,4 4:4,2,0/4,0,0
moves - 8:0,8,8/0,0,0 0:0,0,0/4,4,8 8:8,8,0/0,0,0
END
gives 0 'nxn serve <asked'
cmp want stdout || complain 'serve: not these answers'

# serve: what cannot be answered is told in a line, and the next request is answered.
{
	printf 'nonsense\n\nhello 2\nhello\nmoves\nmoves 2,2\nmoves 2,2/2\nmoves 2,3/0,0\n'
	printf 'moves 4096,0/0,0\nmoves 2,2/0,0 3\nact 2,2/0,0 x\nact 2,2/0,0 4294967296\nact 2,2/0,0 1 2\n'
	printf 'new\nnew 2x2\nnew 7x7 2:1\nnew 2x2 2:0.5\nmoves 2,2\0/0,0\nmoves\t2,2/0,0\n'
	head -c 100000 /dev/zero | tr '\0' m
	printf '\nmoves 2,2,0/0,0,0\n'
} >asked
tr -cd '\n' <asked | wc -c >lines
gives 0 'nxn serve --board 2x2 <asked'
[ "$(grep -c '^error .' stdout)" -eq "$(cat lines)" ] || complain 'serve: an answer that is no error'
[ "$(wc -l <stdout)" -eq "$(cat lines)" ] || complain 'serve: not a line each'
has 'only 2x2 is known here'
printf 'moves 2,2\0/0,0\nmoves 2,2/0,0' >asked
gives 0 'nxn serve <asked'
[ "$(tail -n 1 stdout)" = 'moves - 4:0,4/0,0 0:0,0/2,2 4:4,0/0,0' ] || complain 'serve: no answer behind an error'
gives 0 'nxn serve --board 5x3 </dev/null'
gives 0 'printf "hello 1\r\n" | nxn serve --board 5x3'
[ "$(cat stdout)" = 'hello 1 moves act boards=5x3' ] || complain 'serve: hello'
fails 2 "agent 'nobody'" 'nxn serve --agent nobody'
fails 2 "'9x9'" 'nxn serve --board 9x9'
fails 2 "unexpected argument 'x'" 'nxn serve x'

# external: the games of nxn serve are those of its agent, however many threads.
gives 0 "nxn compare --boards 2x3,3x3 --agents 'greedy;external:nxn serve' --games 20 --threads 3 --no-times --out same"
grep -v '^#' same/games.tsv | grep 'external:nxn serve' | cut -f 2,6-10 | sort >theirs
grep -v '^#' same/games.tsv | grep -v external | tail -n +2 | cut -f 2,6-10 | sort | cmp - theirs ||
	complain 'external: other games than those of the agent it asks'
[ "$(wc -l <theirs)" -eq 40 ] || complain 'external: games are missing'
for threads in 1 4; do
	gives 0 "nxn compare --boards 3x3 --agents 'external:nxn serve --agent random' --games 20 --threads $threads --no-times --out threads$threads"
	games threads$threads/games.tsv >games$threads
done
cmp games1 games4 || complain 'external: random games depend on the number of threads'
[ "$(cut -f 8 games1 | sort -u | wc -l)" -ge 10 ] || complain 'external: all random games are alike'
gives 0 "nxn play --agent 'external:speaker none' --board 3x3 --seed 4"
gives 0 "echo 2,2/4,0 | nxn eval --agent 'external:command=nxn serve --agent=greedy'"
[ "$(tail -n 1 stdout | cut -f 1-6)" = "$(printf '2,2/4,0\tright\tNaN\t4\t0\t4')" ] || complain 'external: values'

# A comma or '=' in the command, blanks and quotes in its words.
cat >bin/arguments <<'END'
#!/bin/sh
printf '<%s>' "$@" >>heard
exec speaker
END
chmod +x bin/arguments
gives 0 "nxn play --board 2x2 --agent 'external:command=arguments a=1,b \"c d\" e\\ f '\"'g\\\\'\"' \"\",timeout=5'"
[ "$(cat heard)" = '<a=1,b><c d><e f><g\><>' ] || complain "external: words $(cat heard)"

printf '\344\n' >latin
# external: every way to fail has its line, before a game and in the middle of it.
fails 2 'external: the program is missing' 'nxn play --agent external'
fails 2 'a quote is not closed' "nxn play --agent \"external:sh -c 'x\""
fails 2 'external: missing: cannot be run: No such file' 'nxn play --agent external:missing'
fails 2 'external: ./heard: cannot be run: Permission denied' 'nxn play --agent external:./heard'
fails 2 'has no key' "nxn play --agent 'external:nxn serve --agent=greedy'"
fails 2 'external cannot be part of another agent' "nxn play --agent 'mcts:prior=external:speaker'"
fails 2 'control character' "nxn play --agent 'external:a	b'"
fails 2 'speaker: it cannot play: no act' "nxn play --agent 'external:speaker none moves'"
fails 2 'speaker: it does not know the board 4x4' "nxn play --agent 'external:command=speaker none \"act boards=3x3\"'"
fails 1 "speaker: asked 'hello 1', it answers with 'fly'" "nxn play --agent 'external:speaker none fly'"
fails 1 "it answers with 'boards=4x7'" "nxn play --agent 'external:command=speaker none boards=4x7'"
fails 1 'asked '"'hello 1', it answers 'hello 2'" "nxn play --agent 'external:sh -c \"read a; echo hello 2\"'"
fails 1 'ended with exit status 7' "nxn play --agent 'external:sh -c \"exit 7\"'"
fails 1 'was ended by signal 9' "nxn play --agent 'external:sh -c \"kill -9 \\\$\\\$\"'"
fails 1 "no answer within 0.3 s to 'hello 1'" "nxn play --agent 'external:$forever,timeout=0.3'"
fails 1 'says more than one line' "nxn play --agent 'external:yes'"
fails 1 'more than 4095 characters' "nxn play --agent 'external:cat /dev/zero'"
fails 1 'not plain ASCII text' "nxn play --agent 'external:sh -c \"read x; cat latin\"'"
fails 1 'closed its standard output' "nxn play --agent 'external:sh -c \"exec >&-; $forever\"'"
left 'a program that failed'

# mortal N FAULT: plays N moves, then does something else.
cat >bin/mortal <<'END'
#!/bin/sh
n=0
while read -r word rest; do
	case $word in
	hello) echo hello 1 act ;;
	new) echo new ;;
	act)
		n=$((n + 1))
		if [ "$n" -gt "$1" ]; then
			eval "$2"
		else
			echo "$word $rest" | speaker
		fi ;;
	quit) exit ;;
	esac
done
END
chmod +x bin/mortal
for fault in 'exit 3:exit status 3' 'echo act:expected .act. and U, R, D or L' 'echo act X:act X' \
	'echo act U 1 2:answers .act U 1 2.: .*four values or none' 'echo error tired:error tired' 'echo:it answers ..' \
	"$forever:no answer within 1 s"; do
	gives 1 "nxn play --board 3x3 --agent 'external:command=mortal 5 \"${fault%%:*}\",timeout=1'"
	grep -q "^nxn play: external: mortal: .*${fault#*:}" stderr || complain "after five moves: $fault"
	grep -q '^# score' stdout && complain "a score after $fault"
done
left 'a program that failed in a game'
gives 1 "nxn play --agent 'external:speaker acts-illegally'"
grep -q 'speaker: plays [URDL] in [0-9,/]*, which is not legal' stderr || complain 'an illegal move'
gives 1 "echo 2,0/0,0 | nxn eval --agent 'external:speaker acts-illegally'"
grep -q 'standard input:1: external: speaker: plays' stderr || complain 'eval: an illegal move'

# A program that dies ends the run and loses no game that was over; the same command goes on.
cat >bin/sick <<'END'
#!/bin/sh
[ -e well ] && exec speaker
exec mortal 300 'exit 3'
END
chmod +x bin/sick
gives 1 'nxn compare --boards 2x2 --agents external:sick --games 100 --threads 1 --no-times --out sick'
has 'sick: ended with exit status 3' stderr
games sick/games.tsv >before
[ "$(wc -l <before)" -ge 10 ] || complain 'no games before the end'
[ "$(wc -l <before)" -lt 100 ] || complain 'all games before the end'
touch well
gives 0 'nxn compare --boards 2x2 --agents external:sick --games 100 --threads 1 --no-times --out sick'
games sick/games.tsv >after
[ "$(wc -l <after)" -eq 101 ] || complain 'not all games after going on'
[ "$(comm -23 before after | wc -l)" -eq 0 ] || complain 'games were lost'
rm well
gives 1 'nxn play --board 2x2 --agent external:sick --games 100 --record sick.rec'
has 'sick: ended with exit status 3' stderr
touch well
gives 0 'nxn play --board 2x2 --agent external:sick --games 100 --record sick.rec'

# verify: all is well, in lines that end with ok, in little time.
gives 0 'nxn verify'
[ "$(grep -c ' ok$' stdout)" -ge 80 ] || complain 'verify: few figures'
[ "$(grep -vc ' ok$' stdout)" -eq 1 ] || complain 'verify: other lines'
tail -n 1 stdout | grep -qx "$(grep -c ' ok$' stdout) of $(grep -c ' ok$' stdout) figures are as expected" ||
	complain 'verify: the last line'
cut -d ' ' -f 1 stdout | sed '$d' | uniq >ran
gives 0 'nxn verify --list'
grep -v -e '(--long)' stdout | cut -d ' ' -f 1 | cmp - ran || complain 'verify: --list'
gives 0 "nxn verify --only 's[pt]*'"
cut -d ' ' -f 1 stdout | sed '$d' | uniq | tr '\n' ' ' | grep -qx 'streams spawns ' || complain 'verify: --only'
gives 0 'nxn verify --only spawns --seed 2'
cp stdout seed2
gives 0 'nxn verify --only spawns --seed 3'
cmp -s stdout seed2 && complain 'verify: --seed does not matter'
fails 2 "no check is called 'perf'" 'nxn verify --only perf'
fails 2 "unexpected argument 'perft'" 'nxn verify perft'
fails 2 'nowhere/perft.txt: No such file' 'nxn verify --vectors nowhere'

# verify: a wrong number in the vectors is a failed check, once for each kind of number.
# alter FILE SCRIPT CHECK LINES WORDS: with FILE edited, CHECK has so many FAILED lines, one with WORDS.
alter()
{
	rm -rf vectors && cp -r "$source/tests/vectors" vectors && chmod -R u+w vectors
	sed -i "$2" "vectors/$1"
	cmp -s "vectors/$1" "$source/tests/vectors/$1" && complain "no change of $1: $2"
	gives 1 "nxn verify --vectors vectors --only $3"
	[ "$(grep -c '[^;] FAILED$' stdout)" -eq "$4" ] || complain "$2: other checks than $4 fail"
	grep ' FAILED$' stdout | grep -qF -e "$5" || complain "$2: no '$5' failed"
	tail -n 1 stdout | grep -q '; FAILED$' || complain "$2: the last line"
}
alter perft.txt 's/^\(2x2 .* 3 [0-9]* [0-9]*\) /\11 /' perft 1 '2x2: counts'
has 'first: perft.txt:'
alter perft.txt 's/^\(6x6 .*\)0$/\12/' perft 1 '6x6: counts'
alter expectimax.txt 's/^\(zero 3x3 16,8,4.* 2 8 R\) 2.2 /\1 2.2000001 /' expectimax 1 '3x3: values'
has 'U is worth 2.2, not 2.2000001'
alter expectimax.txt 's/^\(zero 3x3 16,8,4.* 2 8\) R /\1 D /' expectimax 1 '3x3: values'
has 'plays R, not one of D'
alter exact.txt 's/^\(2x2 policy.random.score\) .*/\1 20.2/' simulations 1 '2x2: mean of 20032 games of random'
alter exact.txt 's/^\(2x3 policy.random.score\) .*/\1 63/' playouts 1 '2x3: mean of 20032 games of playouts'
alter exact.txt 's/^\(2x2 policy.greedy_URDL.score\) .*/\1 27.3/' simulations 1 'games of greedy'
alter exact.txt 's/^\(2x2 policy.random.p_max_tile.4\) .*/\1 0.324361/; s/^\(2x2 policy.random.p_max_tile.8\) .*/\1 0.553886335556/' \
	simulations 1 '2x2: their largest tiles, random'
alter exact.txt 's/^\(2x2 states\) .*/\1 111/' solver 1 '2x2: states '
alter exact.txt 's/^\(2x3 move_pairs_raw\) .*/\1 180925/' solver 1 '2x3: move_pairs_raw'
alter exact.txt 's/^\(2x3 optimal_score\) .*/\1 480.258273/' solver 1 '2x3: optimal_score'
alter exact.txt 's/^\(2x2 start_value.2,2.0,0\) .*/\1 67.69627/' solver 1 '2x2: values of starts'
alter exact.txt 's/^\(2x2 p_reach.16\) .*/\1 0.9625112/' solver 1 '2x2: p_reach.16'
alter exact.txt 's/^\(2x2 max_score\) .*/\1 184/' solver 1 '2x2: max_score'
alter exact.txt 's/^\(2x3 max_moves\) .*/\1 119/' solver 1 '2x3: max_moves'
alter layers.txt 's/^\(2x3 20 [0-9]* [0-9]*\) /\11 /' layers 1 '2x3: counts by sum'
alter layers.txt '/^2x2 20 /d' layers 1 '2x2: counts by sum'

# verify: files that cannot be read are errors, with the line.
# torn FILE SCRIPT CHECK WORDS
torn()
{
	rm -rf vectors && cp -r "$source/tests/vectors" vectors && chmod -R u+w vectors
	sed -i "$2" "vectors/$1"
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
