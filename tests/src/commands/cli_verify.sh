#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn verify, nxn eval --serve and the agent external: right programs and wrong ones. Checks that fail on account of
# the vectors: cli_vectors.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
speaker=$(dirname "$nxn_path")/tests/src/commands/speaker
[ -x "$speaker" ] || complain "no $speaker: make check builds it"
ln -s "$speaker" bin/speaker

# Of a program that hangs. Nothing else on the machine sleeps for so long.
forever="sleep 1000.$$"

# left WHAT: no process of that kind is left behind.
left()
{
	# What has been killed may take a moment to end.
	waits 2 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" " " >running; ! grep -qF "$forever" running' "still running: $1"
}

elsewhere='nxn verify*'
examples verify

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
hello 1 moves act step acts=65536
moves - 4:0,4/0,4 0:2,0/4,2 4:4,0/4,0
moves - - - -
act R - 4 0 4
act -
new
moves - 4:0,2,4/0,0,4 0:0,0,2/2,2,4 4:4,2,0/4,0,0
moves - 8:0,8,8/0,0,0 0:0,0,0/4,4,8 8:8,8,0/0,0,0
END
gives 0 'nxn eval --serve -a greedy <asked'
cmp want stdout || complain 'serve: not these answers'

# serve: what cannot be answered is told in a line, and the next request is answered.
{
	printf 'nonsense\n\nhello 2\nhello\nmoves\nmoves 2,2\nmoves 2,2/2\nmoves 2,3/0,0\n'
	printf 'moves 4096,0/0,0\nmoves 2,2/0,0 3\nact 2,2/0,0 x\nact 2,2/0,0 4294967296\nact 2,2/0,0 1 2\n'
	printf 'new\nnew 2x2\nnew 7x7 2:1\nnew 2x2 2:0.5\nmoves 2,2\0/0,0\nmoves\t2,2/0,0\n'
	head -c 100000 /dev/zero | tr '\0' m
	printf '\nmoves 2,2,0/0,0,0\nstart 7\nstep U\nstart\nstart -1\nstart 4294967296\n'
} >asked
tr -cd '\n' <asked | wc -c >lines
gives 0 'nxn eval --serve -a greedy --board 2x2 <asked'
[ "$(grep -c '^error .' stdout)" -eq "$(cat lines)" ] || complain 'serve: an answer that is no error'
[ "$(wc -l <stdout)" -eq "$(cat lines)" ] || complain 'serve: not a line each'
has 'only 2x2 is known here'
printf 'new 2x2 2:1\nstep U\nstart 7\nstep\nstep X\nstep UU\nstep \nnew 2x2 2:1\nstep U\n' >asked
gives 0 'nxn eval --serve -a greedy <asked'
[ "$(grep -c '^error' stdout)" -eq 6 ] || complain 'serve: steps of no game'
grep -Eq '^start [02,/]* [URDL]* 0$' stdout || complain 'serve: start'
printf 'moves 2,2\0/0,0\nmoves 2,2/0,0' >asked
gives 0 'nxn eval --serve -a greedy <asked'
[ "$(tail -n 1 stdout)" = 'moves - 4:0,4/0,0 0:0,0/2,2 4:4,0/0,0' ] || complain 'serve: no answer behind an error'
gives 0 'nxn eval --serve -a greedy --board 5x3 </dev/null'
gives 0 'printf "hello 1\r\n" | nxn eval --serve -a greedy --board 5x3'
[ "$(cat stdout)" = 'hello 1 moves act step acts=65536 boards=5x3' ] || complain 'serve: hello'
fails 2 "agent 'nobody'" 'nxn eval --serve --agent nobody'

# external: the games of nxn eval --serve are those of its agent, however many threads.
gives 0 "nxn compare --boards 2x3,3x3 --agents 'greedy;external:nxn eval --serve -a greedy' --games 8 --threads 3 --no-times --no-figures --out same"
grep -v '^#' same/games.tsv | grep 'external:nxn eval --serve -a greedy' | cut -f 2,6-10 | sort >theirs
grep -v '^#' same/games.tsv | grep -v external | tail -n +2 | cut -f 2,6-10 | sort | cmp - theirs ||
	complain 'external: other games than those of the agent it asks'
[ "$(wc -l <theirs)" -eq 16 ] || complain 'external: games are missing'
for threads in 1 4; do
	gives 0 "nxn compare --boards 3x3 --agents 'external:nxn eval --serve --agent random' --games 12 --threads $threads --no-times --no-figures --out threads$threads"
	games threads$threads/games.tsv >games$threads
done
cmp games1 games4 || complain 'external: random games depend on the number of threads'
[ "$(cut -f 8 games1 | sort -u | wc -l)" -ge 6 ] || complain 'external: all random games are alike'
gives 0 "nxn play --agent 'external:speaker none' --board 3x3 --seed 4"
gives 0 "echo 2,2/4,0 | nxn eval --agent 'external:command=nxn eval --serve --agent=greedy'"
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
fails 2 'external: ./heard: cannot be run: Permission denied; chmod +x makes' 'nxn play --agent external:./heard'
echo 'print()' >player.py
fails 2 'player.py: cannot be run: No such file or directory; did you mean python3 player.py?' \
	'nxn play --agent external:player.py'
chmod +x player.py
fails 2 'No such file or directory; did you mean ./player.py?' 'nxn play --agent external:player.py'
fails 2 'has no key' "nxn play --agent 'external:nxn eval --serve --agent=greedy'"
fails 2 'control character' "nxn play --agent 'external:a	b'"
fails 2 'speaker none moves: it cannot play: no act' "nxn play --agent 'external:speaker none moves'"
fails 2 'speaker none "act boards=3x3": it does not know the board 4x4' "nxn play --agent 'external:command=speaker none \"act boards=3x3\"'"
fails 1 "speaker none fly: asked 'hello 1', it answers with 'fly'" "nxn play --agent 'external:speaker none fly'"
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
	limit=60
	[ "${fault%%:*}" != "$forever" ] || limit=1
	gives 1 "nxn play --board 3x3 --agent 'external:command=mortal 5 \"${fault%%:*}\",timeout=$limit'"
	grep -q "^nxn play: external: mortal 5 .*: .*${fault#*:}" stderr || complain "after five moves: $fault"
	grep -q '^# score' stdout && complain "a score after $fault"
done
left 'a program that failed in a game'
gives 1 "nxn play --agent 'external:speaker acts-illegally'"
grep -q 'speaker acts-illegally: plays [URDL] in [0-9,/]*, which is not legal' stderr || complain 'an illegal move'
gives 1 "echo 2,0/0,0 | nxn eval --agent 'external:speaker acts-illegally'"
grep -q 'standard input:1: external: speaker acts-illegally: plays' stderr || complain 'eval: an illegal move'

# A program that dies ends the run and loses no game that was over; the same command goes on.
cat >bin/sick <<'END'
#!/bin/sh
[ -e well ] && exec speaker
exec mortal 30 'exit 3'
END
chmod +x bin/sick
gives 1 'nxn compare --boards 2x2 --agents external:sick --games 40 --threads 1 --no-times --no-figures --out sick'
has 'sick: ended with exit status 3' stderr
games sick/games.tsv >before
[ "$(wc -l <before)" -ge 4 ] || complain 'no games before the end'
[ "$(wc -l <before)" -lt 40 ] || complain 'all games before the end'
touch well
gives 0 'nxn compare --boards 2x2 --agents external:sick --games 40 --threads 1 --no-times --no-figures --out sick'
games sick/games.tsv >after
[ "$(wc -l <after)" -eq 41 ] || complain 'not all games after going on'
[ "$(comm -23 before after | wc -l)" -eq 0 ] || complain 'games were lost'
rm well
gives 1 'nxn play --board 2x2 --agent external:sick --games 40 --record sick.rec'
has 'sick: ended with exit status 3' stderr
touch well
gives 0 'nxn play --board 2x2 --agent external:sick --games 40 --record sick.rec'

# verify: all is well, in lines that end with ok, in little time; with sanitizers, which take
# ten times as long, those that are quick.
if sanitized && [ ! "$all" ]; then
	for check in streams playouts expectimax policies solver; do
		gives 0 "nxn verify --only $check"
	done
else
	gives 0 'nxn verify'
	[ "$(grep -c ' ok$' stdout)" -ge 80 ] || complain 'verify: few figures'
	[ "$(grep -vc ' ok$' stdout)" -eq 1 ] || complain 'verify: other lines'
	tail -n 1 stdout | grep -qx "$(grep -c ' ok$' stdout) of $(grep -c ' ok$' stdout) figures are as expected" ||
		complain 'verify: the last line'
	cut -d ' ' -f 1 stdout | sed '$d' | uniq >ran
	grep '^spawns' stdout >seed1
	gives 0 'nxn verify --list'
	awk 'length > 80' stdout | grep . && complain 'verify: --list is wider than a terminal'
	grep -v -e '(--long)' stdout | cut -d ' ' -f 1 | cmp - ran || complain 'verify: --list'
	gives 0 "nxn verify --only 's[pt]*' --seed 3"
	cut -d ' ' -f 1 stdout | sed '$d' | uniq | tr '\n' ' ' | grep -qx 'streams spawns ' || complain 'verify: --only'
	grep '^spawns' stdout >seed3
	cmp -s seed1 seed3 && complain 'verify: --seed does not matter'
fi
fails 2 "no check is called 'perf'" 'nxn verify --only perf'
fails 2 "no check is called '*-long'; --list lists them, and which take --long" "nxn verify --only '*-long'"
gives 0 "nxn verify --list --only 'l*'"
[ "$(cut -d ' ' -f 1 stdout | tr '\n' ' ')" = 'layers layers-long ' ] || complain 'verify: --list --only'
gives 0 "nxn verify --only 'layers*'"
grep -q '^layers-long' stdout && complain 'verify: a pattern runs what takes --long'
fails 2 'perft: holds neither a bundle nor a log' 'nxn verify perft'
fails 2 '--fraction: only for games of a RUN' 'nxn verify --fraction 5%'
fails 2 "spawn 'x'" 'nxn verify out --spawn x'
fails 2 '--plies: not with --against' 'nxn verify --against true --plies 2 --boards 2x2'
fails 2 '--format: not for games of a RUN' 'nxn verify out --format=json'
fails 2 '--spawn: not with --serve' 'nxn eval --serve --spawn 2:1'
fails 2 'nowhere/perft.txt: No such file' 'nxn verify --vectors nowhere'

# verify --against: nxn itself, a program by the oracle, and the one in docs/conformance.md.
gives 0 "nxn verify --against 'nxn eval --serve -a greedy' --positions 50 --steps 1000"
[ "$(grep -c 'moves each\|legal ones\|games begun\|new tile each\|, points\|, legal moves' stdout)" -eq 150 ] ||
	complain 'against: not six lines a board'
[ "$(grep -c 'p = .* ok$' stdout)" -ge 60 ] || complain 'against: too few tests of tiles'
gives 0 "nxn verify --against 'speaker none' --boards 2x2,3x4,6x6 --positions 200"
tail -n 1 stdout | grep -qx '7 of 7 figures are as expected' || complain 'against: the oracle differs'
sed -n '/^```awk/,/^```/p' "$source/docs/conformance.md" | sed '1d;$d' >rules.awk
awk=awk
awk -W version 2>&1 </dev/null | grep -q '^mawk' && awk='awk -W interactive'
gives 0 "nxn verify --against '$awk -f rules.awk' --boards 2x2,3x4,6x6 --positions 200"
tail -n 1 stdout | grep -qx '7 of 7 figures are as expected' || complain 'docs/conformance.md: its program is wrong'
gives 0 "nxn play --board 4x3 --agent 'external:$awk -f rules.awk'"
if command -v python3 >/dev/null; then
	sed -n '/^```python/,/^```/p' "$source/docs/check-program.md" | sed '1d;$d' >rules.py
	gives 0 "nxn verify --against 'python3 rules.py' --boards 2x3,4x4 --positions 100 --steps 3000"
	[ "$(grep -c ' ok$' stdout)" -eq 17 ] || complain 'docs/check-program.md: its program is wrong'
else
	echo 'no python3: the program of docs/check-program.md was not run'
fi
sed -n 's/^    \([a-z].*[^ ]\)   *\(moves .*\|act .*\|error .*\|new\|hello .*\)$/\1|\2/p' "$source/docs/conformance.md" |
	grep '^hello\|^new\|^moves\|^act\|^dance' >dialogue
[ "$(wc -l <dialogue)" -eq 5 ] || complain 'docs/conformance.md: no dialogue'
grep '^moves' dialogue | cut -d '|' -f 1 | $awk -f rules.awk >stdout
[ "$(cat stdout)" = "$(grep '^moves' dialogue | cut -d '|' -f 2)" ] || complain 'docs/conformance.md: its dialogue is wrong'

# Every rule broken is seen, on a board each and with the least number of positions that it takes.
breaks()
{
	gives 1 "nxn verify --against 'speaker $1' --boards 4x4 --positions 100"
	grep -q "4x4: $2.*FAILED$" stdout || complain "$1 was not seen"
	grep -q "^            [0-9,/]* *$3" stdout || complain "$1 is not shown"
	[ "$(grep -c '^            ' stdout)" -le 5 ] || complain "$1: more than five positions"
}
for fault in merges-again merges-far merges-once merges-hasty reward-none reward-half reward-16-bits \
	idle-legal slides-illegal saturates spawns stays up-is-down right-is-left; do
	breaks $fault 'positions' '[URDL]: .*, expected .'
done
breaks acts-illegally 'moves played' ': plays [URDL], which is not legal'
gives 1 "nxn verify --against 'speaker up-is-down' --boards 2x3 --positions 1"
gives 1 "nxn verify --against 'speaker agrees' --boards 2x3 --positions 1"
grep -q 'an unknown request .*FAILED$' stdout || complain 'a program that agrees to everything'
gives 1 "nxn verify --against 'speaker merges-far moves' --boards 3x3 --positions 500"
awk '/ [URDL]: / { if (split($2, a, ":") != 2 || $1 !~ "^[0-9,/]*$") exit 1; n++ } END { exit n != 5 }' stdout ||
	complain 'against: differences'

# Games of its own: every mistake is seen in its line, and no other line fails for it.
printf '%s\n' 'begun' 'new tile each' 'games, points' 'legal moves' 'start tiles' 'new tiles, cells' 'new tiles, kinds' >lines
games_break()
{
	gives 1 "nxn verify --against 'speaker $1 step' --boards 3x4 --steps 5000"
	awk -v broken="$2" 'NR == FNR { line[$0]; next }
		/3x4: / { for (l in line) if (index($0, l) && $NF != (index(broken, l) ? "FAILED" : "ok")) { print; bad = 1 } }
		END { exit bad }' lines stdout || complain "games, $1: the lines above"
	grep -q "^            .*$3" stdout || complain "games, $1: no example"
}
gives 0 "nxn verify --against 'speaker none step' --boards 3x4 --steps 5000"
[ "$(grep -c ' ok$' stdout)" -eq 8 ] || complain 'games: not a line each'
games_break stale-empty 'new tile each, new tiles, cells' 'expected [0-9,/]* and one new tile'
has ' empty ones: '
games_break mask-before 'legal moves' ': legal [URDL-]*, expected [URDL-]*$'
games_break fours-often 'start tiles, new tiles, kinds' 'tile 4: [0-9]* of [0-9]* new tiles, expected'
games_break first-cell 'start tiles, new tiles, cells' 'cell 1 of '
games_break start-corner 'start tiles' 'cell 1 of '
games_break two-tiles 'begun, new tile each' 'expected [0-9,/]* and one new tile'
games_break one-start 'begun' 'with 0 points'
games_break score-stays 'begun' 'with 8 points'
games_break score-wrong 'games, points' ': score [0-9]* after [0-9]*, expected'
games_break merges-far 'new tile each' 'and one new tile'
games_break takes-turns 'new tiles, cells' 'all counts are too even: chi-squared'
games_break odd-cells-less 'new tiles, cells' 'all counts are too uneven: chi-squared'
gives 1 "nxn verify --against 'speaker no-tile step' --boards 3x4 --steps 500"
has '3x4: games begun'

# What a program says of itself is kept to.
gives 0 "nxn verify --against 'speaker saturates \"moves largest=32768 boards=4x4,3x3\"' --positions 300"
has '4x4: positions, four moves each ('
has 'left out: tiles above 32768)'
[ "$(grep -c 'ok$' stdout)" -eq 3 ] || complain 'against: other boards than those it knows'
gives 0 "nxn verify --against 'speaker merges-far act' --positions 50"
[ "$(grep -c 'moves each' stdout)" -eq 0 ] || complain 'against: moves of a program without'
fails 2 'speaker none "moves boards=3x3": it does not know the board 4x4' "nxn verify --against 'speaker none \"moves boards=3x3\"' --boards 4x4"
fails 1 'none of moves, act and step' "nxn verify --against 'speaker none boards=3x3'"

# A program that hangs, dies or talks rubbish: one line, no hang, no process left.
fails 2 'missing: cannot be run' 'nxn verify --against missing'
fails 2 'a program is missing' 'nxn verify --against " "'
fails 1 "no answer within 0.3 s to 'hello 1'" "nxn verify --against '$forever' --timeout 0.3s"
fails 1 'says more than one line' 'nxn verify --against yes'
fails 1 'more than 4095 characters' "nxn verify --against 'cat /dev/zero'"
fails 1 'ended with exit status 0' 'nxn verify --against true'
fails 1 "it answers 'nonsense" "nxn verify --against 'sh -c \"read a; echo nonsense\"'"
cat >bin/rubbish <<'END'
#!/bin/sh
while read -r word rest; do
	case $word in
	moves) eval "$1" ;;
	*) echo "$word $rest" | speaker none moves ;;
	esac
done
END
chmod +x bin/rubbish
for fault in 'exit 3@ended with exit status 3' 'kill -9 $$@ended by signal 9' "$forever@no answer within 0.5 s" \
	'yes@says more than one line' 'echo moves - - -@answers 3 fields instead of 4' \
	'echo moves - - - - -@more than 4 fields' 'echo moves - x - -@answers .x. for R' \
	'echo moves - 4:2,2/0 - -@for R: expected - or REWARD:POSITION on 2x3' \
	'echo moves - 4:2,2/0,0 - -@for R: expected - or REWARD:POSITION on 2x3' \
	'echo moves - 4:2,3,0/0,0,0 - -@for R: expected' 'echo moves - -4:2,2,0/0,0,0 - -@for R: expected' \
	'echo moves - 99999999999999999999:2,2,0/0,0,0 - -@for R: expected' \
	'echo error sorry@error sorry' 'echo act U@answers .act U.'; do
	program=${fault%%@*}
	said=${fault#*@}
	limit=60
	[ "$program" != "$forever" ] || limit=0.5
	gives 1 "nxn verify --boards 2x3 --timeout ${limit}s --against 'rubbish \"$program\"'"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "more or less than one line: $fault"
	grep -q "^nxn verify: rubbish .*: .*$said" stderr || complain "expected '$said' of: $program"
done
cat >bin/rubbish <<'END'
#!/bin/sh
while read -r word rest; do
	case $word in
	start) echo "$1" ;;
	step) echo 'step 2,2,0/0,0,0' ;;
	*) echo "$word $rest" | speaker none step ;;
	esac
done
END
for answer in 'start 2,2,0/0,0,0 URDL' 'start 2,2/0,0 URDL 0' 'start 2,3,0/0,0,0 URDL 0' 'start 2,2,0/0,0,0 URX 0' \
	'start 2,2,0/0,0,0 UU 0' 'start 2,2,0/0,0,0 UR -4' 'start 2,2,0/0,0,0 UR 0 0' 'start'; do
	fails 1 "expected 'start POSITION LEGAL SCORE' on 2x3" "nxn verify --boards 2x3 --against 'rubbish \"$answer\"'"
done
fails 1 "expected 'step POSITION LEGAL SCORE' on 2x3" "nxn verify --boards 2x3 --against 'rubbish \"start 2,2,0/0,0,0 RDL 0\"'"
left 'a program under test'
fails 2 "only for nxn's own checks" 'nxn verify --against yes --only perft'
fails 2 'only for --against and --plies' 'nxn verify --boards 3x3'
fails 2 'only for --against' 'nxn verify --positions 3'
fails 2 'only for --against' 'nxn verify --steps 3'
fails 2 "--timeout: 'x' is not a time" 'nxn verify --against yes --timeout x'
fails 2 "'9x9'" "nxn verify --against 'nxn eval --serve -a greedy' --boards 3x3,9x9"
[ -s stdout ] && complain 'against: a program was started for a board that there is not'
fails 2 "--positions: '0' is not a whole number from 1" "nxn verify --against 'nxn eval --serve -a greedy' --positions 0"

fails 2 "--vectors: only for nxn's own checks" 'nxn verify --plies 1 -b 2x2 --vectors x'
fails 2 '--format: not with --serve' 'nxn eval --serve --format json </dev/null'

# A clock in an agent in an agent; a model in a folder that is called as a class; shares of gap; and rows of exact values,
# which are no games.
gives 0 "nxn compare -a 'mcts:sims=4,prior=expectimax:ms=0.02' -b 2x2 -g 2 -o clocked --no-figures"
gives 1 'nxn verify clocked'
has '2 cannot be: it decides by the clock' stdout
mkdir external
gives 0 'nxn train qlearn -b 2x2 -e 20 -o external/q.nxn'
gives 0 'nxn compare -b 2x2 -a qlearn:external/q.nxn -g 5 -o learned --no-figures'
gives 0 'nxn verify learned --fraction 100%'
has '5 of 5 games played again; all agree' stdout
gives 0 'nxn gap -b 2x2 -a random --exact never -g 6 -o shares --no-figures --shard 1/2'
gives 0 'nxn verify shares --fraction 100%'
has '3 of 3 games played again; all agree' stdout
gives 0 'nxn gap -b 2x2 -a random --exact always -o exact --no-figures'
gives 1 'nxn verify exact'
has 'Nothing was checked.' stdout

# Ctrl-C ends a check that waits, and its program.
nxn verify --against "$forever" --timeout 100s >stdout 2>stderr &
pid=$!
signals_wait $pid
sleep 0.1
signalled TERM
[ $got -eq 75 ] || complain 'a signal does not end a check that waits'
left 'a program after a signal'

exit $bad
