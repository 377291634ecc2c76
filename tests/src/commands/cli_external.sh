#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that are asked about many positions at once: as an agent, a value and a prior they do what
# the same player does inside nxn, game by game; and every kind of answer that is none is a line.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'
speaker=$(dirname "$nxn_path")/tests/src/commands/speaker
[ -x "$speaker" ] || complain "no $speaker: make check builds it"
ln -s "$speaker" bin/speaker

# scores AGENT [OPTION...]: seed, game, score and moves of its games.
scores()
{
	agent=$1
	shift
	rm -rf out
	nxn compare --boards 2x3 --games 4 --agents "$agent" --out out --no-figures "$@" >/dev/null 2>stderr ||
		complain "compare $agent"
	awk -F '\t' '/^[^#]/ {
		if (!at["score"]) { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i }; next }
		print $at["seed"], $at["game"], $at["score"], $at["moves"]
	}' out/games.tsv | sort -k 2 -n
}

# alike WHAT AGENT...: the same games, and there are some.
alike()
{
	what=$1
	shift
	scores "$1" >first
	[ "$(wc -l <first)" -eq 4 ] || complain "$what: not 4 games of $1"
	shift
	for other; do
		[ "$other" != "$1" ] || scores "$other" --threads 1 >one
		scores "$other" --threads 3 >three
		cmp -s first one || complain "$what: other games by $other"
		cmp -s first three || complain "$what: other games by $other on three threads"
	done
}
alike agent corners 'external:nxn eval --serve --agent corners' 'external:nxn eval --serve --agent corners,batch=7' \
	${all:+'external:nxn eval --serve --agent corners,batch=65536'}
alike 'agent that draws' 'external:nxn eval --serve --agent random' 'external:nxn eval --serve --agent random,batch=20'
alike value 'expectimax:depth=2,leaf=after,rewards=0,value=empty' \
	'expectimax:depth=2,leaf=after,rewards=0,value=external:speaker none values=64,batch=10' \
	'expectimax:depth=2,leaf=after,rewards=0,value=external:speaker none value' \
	${all:+'expectimax:depth=2,leaf=after,rewards=0,value=external:speaker none values=65536'}
alike prior 'mcts:sims=20,prior=external:nxn eval --serve --agent corners' \
	'mcts:sims=20,prior=external:nxn eval --serve --agent corners+batch=8'
alike roll-out 'mcts:sims=10,rollout=external:nxn eval --serve -a greedy' 'mcts:sims=10,rollout=external:nxn eval --serve -a greedy+batch=8'
alike chances 'mcts:sims=20,select=puct,prior=external:command=speaker chances acts=1' \
	'mcts:sims=20,select=puct,prior=external:command=speaker chances acts=64+batch=8'
scores 'mcts:sims=20,select=puct,prior=external:command=speaker none acts=8' >other
cmp -s first other && complain 'chances make no difference'

# Games that are there are not played again; games that are missing are.
rm -rf out
gives 0 "nxn compare --boards 3x3 --games 10 --agents 'external:nxn eval --serve -a greedy,batch=4' --out out --no-figures"
games out/games.tsv | cut -f 1-9 >before
gives 0 "nxn compare --boards 3x3 --games 25 --agents 'external:nxn eval --serve -a greedy,batch=4' --out out --no-figures"
[ "$(games out/games.tsv | wc -l)" -eq $((15 + $(wc -l <before))) ] || complain 'not 15 more games'

# eval: rows in the order of the lines, whatever the number at once; of positions without a move, too.
{
	printf '2,2/4,0\n2,4/4,2\n# comment\n\n0,2/2,0\n2,2,0/0,0,4\n4,8/8,4\n'
	for i in 0 1 2 3 4 5 6 7 8 9; do printf '2,0,0/0,%s,0/0,0,4\n' $((1 << i >> 1 << 1)); done
	printf '2,2/0,0\n'
} | sed 's/,1,/,0,/' >positions
gives 0 'nxn eval --agent greedy positions'
cut -f 1-6 stdout >want
for batch in 3 ${all:+1 100}; do
	gives 0 "nxn eval --agent 'external:nxn eval --serve -a greedy,batch=$batch' positions"
	cut -f 1-6 stdout | cmp -s - want || complain "eval: other rows with batch=$batch"
done
echo nonsense >>positions
fails 2 "positions:$(wc -l <positions): " "nxn eval --agent 'external:nxn eval --serve -a greedy,batch=100' positions"
cut -f 1-6 stdout | cmp -s - want || complain 'eval: rows before an error are missing'

# serve: a frame by hand, two positions of 2x2 (2,2/4,0 and 0,2/2,0) and two draws.
printf 'new 2x2 2:1\nacts 2\n\001\001\002\000\000\001\001\000\000\000\000\000\000\000\000\000quit\n' >frame
gives 0 'nxn eval --serve -a greedy <frame'
[ "$(head -n 2 stdout | tail -n 1)" = 'acts 2 values' ] || complain 'serve: no frame'
[ "$(wc -c <stdout)" -eq $((4 + 14 + 2 + 64)) ] || complain 'serve: a frame of another size'
[ "$(tail -c 66 stdout | od -An -tu1 -N 1)" -eq 1 ] || complain 'serve: not the move of 2,2/4,0'
for frame in 'acts 0' 'acts x' 'acts 65537'; do
	echo "$frame" >frame
	gives 0 'nxn eval --serve -a greedy <frame'
	grep -q '^error' stdout || complain "serve: $frame"
done
printf 'acts 1\n' >frame
gives 0 'nxn eval --serve -a greedy <frame'
has 'error no board: expected new before acts'
printf 'new 2x2 2:1\nacts 1\n\001' >frame
gives 0 'nxn eval --serve -a greedy <frame'
has 'error fewer bytes than 1 positions'
printf 'new 2x2 2:1\nacts 1\n\001\001\001\377\000\000\000\000new 2x2 2:1\n' >frame
gives 0 'nxn eval --serve -a greedy <frame'
has 'error position 1 of the frame is no position of 2x2'
[ "$(tail -n 1 stdout)" = new ] || complain 'serve: does not go on behind a frame'
printf 'new 2x2 2:1\nacts 1\n\001\002\002\001\000\000\000\000' >frame
gives 0 'nxn eval --serve -a greedy <frame'
has 'error position 1 of the frame has no legal move'

# What is no answer: one line, no hang.
refused()
{
	fails 1 "$1" "nxn play --board 2x3 --agent '$2'"
}
refused 'which is not legal' 'external:command=speaker acts-illegally acts=4,batch=4'
refused 'the chances of legal moves sum to 0 in ' 'external:command=speaker no-chances acts=4,batch=4'
refused 'the chances of legal moves sum to inf in ' 'external:command=speaker huge-chances acts=4,batch=4'
refused 'expected a move from 0 to 3' 'external:command=speaker no-move acts=4,batch=4'
refused "expected 'acts 1'" 'external:command=speaker other-number acts=4,batch=4'
refused 'says more than one line' 'external:command=speaker too-much acts=4,batch=4'
refused 'the value of position 1 is not finite' 'expectimax:depth=1,value=external:speaker infinite values=9'
refused 'says more than one line' 'expectimax:depth=1,value=external:speaker too-much values=9'
refused 'which is not legal' 'mcts:sims=9,prior=external:command=speaker acts-illegally acts=4'
cat >bin/short <<'END'
#!/bin/sh
speaker none "acts=4 values=4" | head -c 40
END
chmod +x bin/short
fails 1 'external: short: ' "nxn play --board 2x3 --agent 'external:short,batch=4,timeout=1'"
fails 2 'no acts=N in its hello; expected batch=1' "nxn play --agent 'external:speaker none,batch=4'"
refused "expected 'value' and a number (docs/conformance.md)" 'expectimax:depth=1,value=external:speaker no-number value'
refused "expected 'value' and a number" 'expectimax:depth=1,value=external:speaker infinite value'
refused "expected 'value' and a number" 'expectimax:depth=1,value=external:speaker two-numbers value'
fails 2 'no value or values=N in its hello (docs/conformance.md)' "nxn play --agent 'expectimax:value=external:speaker'"
fails 2 'the program is missing: expected external:COMMAND' "nxn play --agent 'expectimax:value=external'"
fails 2 'it does not know the board 4x4' \
	"nxn play --agent 'expectimax:value=external:speaker none \"values=4 boards=3x3\"'"
fails 1 "expected moves, act, step, value, acts=N, values=N" "nxn play --agent 'external:command=speaker none acts=0'"
fails 1 "expected moves, act, step, value, acts=N, values=N" \
	"nxn play --agent 'expectimax:value=external:speaker none acts=0'"
fails 2 'batch' "nxn play --agent 'external:speaker,batch=65537'"

# docs/benchmark.md: a program against the optimum. Greedy's games of 2x2 are greedy's.
gives 0 "nxn gap --board 2x2 --games 20 --exact never --no-figures --agents 'greedy;external:nxn eval --serve -a greedy' --out gap"
has external
sed -n 's/^| \(2x[234]\|3x3\) | \([0-9,]*\) | \([0-9,.]*\) | \([0-9.]*\) .*/\1 \2 \3 \4/p' "$source/docs/benchmark.md" |
	tr -d , >told
[ "$(wc -l <told)" -eq 4 ] || complain 'docs/benchmark.md: not four boards'
while read -r board states score random; do
	[ $board = 2x4 ] && continue
	for fact in "states $states" "optimal_score $score" "policy.random.score $random"; do
		awk -v fact="$board $fact" '
		BEGIN { split(fact, want, " ") }
		$1 == want[1] && $2 == want[2] { d = $3 - want[3]; n += d < 6e-4 && d > -6e-4 }
		END { exit n != 1 }' "$source/tests/vectors/exact.txt" || complain "docs/benchmark.md: $board $fact"
	done
done <told

# The time of a player is that of the program, too; a dry run does not count the start of one, and what a program
# says that is ended in the middle of an answer is not for us.
cat >slow <<-'END'
	#!/bin/sh
	sleep 1
	nxn eval --serve --agent corners | while read -r line; do
		sleep 0.02
		echo "$line" || echo 'it complains' >&2
	done
END
chmod +x slow
gives 0 "nxn compare --boards 2x2 --games 2 --agents external:./slow --out slowly --no-figures"
gives 0 'nxn report --tsv=front slowly'
awk -F '\t' '/^"2x2"/ { seen = $11 > 15 && $11 < 1000 } END { exit !seen }' stdout || complain 'the time of a slow program is not told'
printf 'boards: 2x2\nagents: [corners, "external:./slow"]\ngames: 2\n' >slow.yaml
gives 0 'nxn compare slow.yaml --dry-run'
# Some 20 moves a game: a start for each would take 40 s. The last time of the line is its upper bound.
sed -n 's/^# .* \([0-9.]*\) \(m*s\) on this machine.*/\1 \2/p' stdout |
	awk '{ seen = $2 == "ms" || $1 < 20 } END { exit !seen }' ||
	complain 'a dry run takes the start of a program for its moves'
[ ! -s stderr ] || complain 'a dry run shows what a program says'

# A command with a '=' in it needs command=, which its label leaves out.
gives 0 "nxn duel random 'external:command=nxn eval --serve --agent=corners' -b 2x2 -g 50 --no-figures -o keyed"
has 'B = external:nxn eval --serve --agent=corners,'
grep -q 'command=nxn' stdout && complain 'a label has the key of a parameter'
has 'B: external:nxn eval --serve --agent=corners;' keyed/tables/duel.tsv

# A program that was changed plays anew; one that was not does not.
printf '#!/bin/sh\nexec nxn eval --serve --agent greedy\n' >changed.sh
for times in 1 1 2; do
	[ $times -eq 2 ] && sed -i 's/greedy/corners/' changed.sh
	gives 0 'nxn compare --boards 2x2 --games 5 --agents "external:sh changed.sh" --out changed --no-figures'
	[ "$(games changed/games.tsv | grep -c '^[0-9a-f]\{16\}')" -eq $((5 * times)) ] ||
		complain 'a changed program keeps its results, or an unchanged one loses them'
done

# What a program leaves in the background ends with it, whether its leader ends in time, early, late or by a
# signal, in a game, a duel and a dry run; a leader that has ended is seen although others hold its pipes open.
cat >bin/leaves <<-'END'
	#!/bin/sh
	(trap '' HUP INT TERM; exec sleep 300) &
	echo $! >>background
	case $1 in
	serves) nxn eval --serve --agent corners ;;
	late) nxn eval --serve --agent corners; trap '' TERM; sleep 300 ;;
	early) exit 3 ;;
	signal) kill -9 $$ ;;
	silent) sleep 300 ;;
	esac
END
chmod +x bin/leaves

# childless SECONDS STATUS COMMAND: takes less than that, and ends with what it started in the background.
childless()
{
	: >background
	begin=$(date +%s)
	timeout 60 sh -c "$3" >stdout 2>stderr
	got=$?
	[ $got -eq "$2" ] || complain "exit status $got instead of $2: $3"
	[ $(($(date +%s) - begin)) -lt "$1" ] || complain "not within $1 s: $3"
	[ -s background ] || complain "nothing was started: $3"
	# What has been killed may take a moment to end.
	while read -r pid; do
		waits 2 '! runs "$pid"' "runs on after its program: $3" || kill -9 "$pid"
	done <background
}
runs()
{
	case $(ps -o stat= -p "$1") in '' | Z*) return 1 ;; esac
}
childless 40 0 "nxn play --board 2x2 --agent 'external:leaves serves'"
childless 40 0 "nxn play --board 2x2 --agent 'external:leaves late'"
childless 40 1 "nxn play --board 2x2 --agent 'external:leaves early,timeout=50'"
has 'ended with exit status 3' stderr
childless 40 1 "nxn play --board 2x2 --agent 'external:leaves signal,timeout=50'"
has 'was ended by signal 9' stderr
childless 40 1 "nxn play --board 2x2 --agent 'external:leaves silent,timeout=1'"
childless 40 0 "nxn play --board 2x2 --agent 'mcts:sims=9,prior=external:leaves serves' | cat"
childless 40 0 "nxn duel random 'external:leaves serves' -b 2x2 -g 30 --no-figures -o left"
printf 'boards: 2x2\nagents: ["external:leaves serves", "external:leaves late"]\ngames: 2\n' >leaves.yaml
childless 40 0 'nxn compare leaves.yaml --dry-run'

# The program of docs/conformance.md.
python=python3
$python -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
if $python -c 'import numpy' 2>/dev/null; then
	sed -n '/^```python/,/^```/p' "$source/docs/conformance.md" | sed '1d;$d' >batch.py
	[ "$(wc -l <batch.py)" -le 50 ] || complain 'docs/conformance.md: its program is long'
	alike 'docs/conformance.md' "external:$python batch.py" "external:$python batch.py,batch=30"
	gives 0 "nxn play --board 3x3 --agent 'expectimax:depth=1,value=external:$python batch.py'"
	gives 0 "nxn play --board 3x3 --agent 'mcts:sims=30,prior=external:$python batch.py+batch=64,select=puct'"
else
	echo 'no numpy: the program of docs/conformance.md was not run'
fi

exit $bad
