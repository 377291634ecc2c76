#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn play --watch and --human on terminals: keys, sizes, colours, what is seen, and how the terminal is
# left whatever ends it. The terminal is tests/src/play/terminal.c, which also takes as an error whatever is
# sent to it that goes beyond its lines and columns.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
terminal=$(dirname "$nxn_path")/tests/src/play/terminal
[ -c /dev/pts/ptmx ] || { echo 'no /dev/pts'; exit 77; }
[ -x "$terminal" ] || complain "no $terminal: make check builds it"
ln -s "$terminal" bin/terminal
unset NO_COLOR COLORTERM LC_ALL LC_CTYPE LANG
export TERM=xterm-256color LC_ALL=C.UTF-8

# on SIZE COMMAND: runs it on a terminal, with what happens there on standard input; then the terminal
# is as it was.
on()
{
	cat >happens
	sanity_choose
	ASAN_OPTIONS=$sanity terminal "$1" sh -c "exec $2" <happens >stdout 2>stderr || complain "on $1: $2
$(cat stdout)"
	tail -n 5 stdout >left
	printf 'settings same\nscreen main\ncursor shown\nwrap on\ndrawing plain\n' | cmp -s - left ||
		complain "the terminal is not as it was: $2
$(cat left)"
}

# refuses WORDS COMMAND: exit status 2, and one line with WORDS in it.
refuses()
{
	printf '' | on 80x24 "$2 2>reason"
	has 'status 2'
	[ "$(wc -l <reason)" -eq 1 ] || complain "more or less than one line: $2"
	has "$1" reason
}

# The game is that of play, and is seen to its end; then it is gone through.
nxn play -a expectimax:depth=1 -b 3x3 --seed 4 --game 2 >rows
row()
{
	awk -F '\t' -v n="$1" '$1 == n { print $4 - $3 }' rows
}
last=$(sed -n 's/^# .* \([0-9]*\) moves, .*/\1/p' rows)
on 80x24 'nxn play --watch -a expectimax:depth=1 -b 3x3 --seed 4 --game 2 --delay 0' <<END
wait game over
screen
keys g
wait move 0/$last
keys .
wait score $(row 2)  move 1/$last
keys \\e[C
wait score $(row 3)  move 2/$last
keys l,\\e[Dh
wait score 0  move 0/$last
keys ,
wait move 0/$last
keys \\e[6~
wait score $(row 11)  move 10/$last
keys \\eOF
wait move $last 
keys \\e[5~
wait move $((last - 10))/$last
keys G
wait game over
keys \\e[1~
wait move 0/$last
keys ?
wait faster, slower
keys \\e
not faster, slower
keys y
wait not a key here
keys +++----- 
not not a key here
keys 0r
wait game over
keys q
END
has 'status 0'
grep -q "$(sed -n 's/^# \(score .* moves\), .*/\1, over/p' rows)" stdout ||
	has "score $(row none)"
[ "$(grep -c "$(sed -n 's/^# \(score [0-9]*\), .*/\1/p' rows)" stdout)" -ge 1 ] || complain 'another score'

# What moves are worth, as eval tells it: the values of the position that is paused at.
nxn play -a expectimax:depth=2 -b 4x4 --seed 5 | sed -n 4p >third
cut -f 5 third | nxn eval -a expectimax:depth=2 >eval 2>&1
on 80x24 'nxn play --watch -a expectimax:depth=2 --seed 5 --delay 60000' <<'END'
wait a move in 60 s
wait nodes
keys .
wait move 1/
wait nodes
keys .
wait move 2/
wait nodes
screen
keys q
END
for value in $(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?(up|right|down|left)"?$/) at[i] }
	NR > 1 { for (i in at) if ($i != "NaN") printf "%.2f\n", $i }' eval); do
	has " $value"
	seen=yes
done
[ "${seen-}" ] || complain "no values of eval: $(cat eval)"
has "> $(cut -f 2 third)"

# A key that comes when the game ends is taken like any other.
for i in 1 2 ${all:+3 4 5 6}; do
	printf 'within 10000\nwait score\nkeys 0n0q\n' | on 80x24 'nxn play --watch -a greedy -b 2x2'
	has 'status 0'
done

# Signals and keys that end it, in the middle of a game. 128 and the signal, or a fault's own way.
for end in 'keys q=0' 'keys \x04=0' 'keys \x03=130' 'signal 2=130' 'signal 15=75' 'signal 1=75' \
	'keys \x1c=131' 'signal 11=139' 'signal 6=134'; do
	for command in 'play --watch -a greedy' 'play --human'; do
		case $command:$all:$end in *human::signal\ [126]=* | *human::signal\ 11=*) continue ;; esac
		# no core files
		printf 'wait score\n%s\n' "${end%=*}" | on 80x24 "sh -c 'ulimit -c 0; exec nxn $command'"
		has "status ${end#*=}"
	done
done

# Ctrl-Z gives the terminal back, and fg takes it again; so does a stop that cannot be seen coming.
for command in 'play --watch -a greedy --delay 60000' 'play --human'; do
	on 80x24 "nxn $command" <<'END'
wait score
keys \x1a
stopped
continue
wait score
signal 19
wait score
continue
wait score
keys q
END
	has 'status 0'
	[ "$(grep -c '^settings same' stdout)" -eq 2 ] || complain "stopped, the terminal is not as it was: $command"
	[ "$(grep -c '^screen main' stdout)" -eq 2 ] || complain "stopped, the screen is not given back: $command"
done

# A program that plays and dies: the terminal is back, and the reason is told.
cat >bin/mortal <<'END'
#!/bin/sh
read hello; echo 'hello 1 act'
read new; echo ok
read act; exit 7
END
chmod +x bin/mortal
on 80x24 'nxn play --watch -a external:mortal 2>reason' </dev/null
has 'status 1'
[ "$(wc -l <reason)" -eq 1 ] || complain "not one line: $(cat reason)"

# One that has not answered ends with the viewer, and so does what it has started.
cat >bin/slow <<'END'
#!/bin/sh
read hello; echo 'hello 1 act'
read new; echo new
read act
sleep 100 &
echo $! >sleeper
wait
END
chmod +x bin/slow
on 80x24 'nxn play --watch -b 2x2 -a external:slow' <<'END'
wait score
keys q
END
has 'status 0'
waits 10 '! kill -0 "$(cat sleeper)" 2>kill.txt' 'the program lives on after the viewer'

# An agent that thinks for minutes stops no key.
on 80x24 'nxn play --watch -a expectimax:depth=9,cutoff=0 --start 2,4,8,16/4,8,16,32/8,16,32,64/0,0,0,0' <<'END'
wait thinking
screen
within 5000
keys ?
wait faster, slower
keys ?
wait thinking
keys  
wait paused
keys q
END
has 'status 0'
has 'unfinished'
grep -q 'thinking, [0-9][0-9]\{0,1\}\.[0-9] s' stdout || complain 'how long it has thought'
on 80x24 'nxn play --human -a expectimax:depth=9,cutoff=0 --start 2,4,8,16/4,8,16,32/8,16,32,64/0,0,0,0' <<'END'
wait your move
keys ?
wait thinking
within 5000
keys s
wait move 1
keys q
END
has 'status 0'

# Sizes, and other ones while it is there. What does not fit is an error of the terminal.
huge=1048576,524288,262144,131072,65536,32768
for command in 'play --watch -a greedy --delay 60000' 'play --human'; do
	on 80x24 "nxn $command --start $huge/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/2,4,8,16,32,2/4,8,16,32,64,4" <<'END'
wait 1048576
size 60x20
wait 1M
wait score 0
size 59x20
wait too small: 60 columns, 20 lines; q ends
size 60x19
wait too small
size 120x40
wait 1048576
keys q
END
	has 'status 0'
done

# screen SIZE COMMAND: what is there at once, in the file picture.
screen()
{
	printf 'wait q quit\nscreen\nkeys q\n' | on "$@"
	head -n "${1#*x}" stdout >picture
}

# On the smallest screen the largest board is whole, and the texts are there. Tiles from 2^37 down to 4.
exponents=$(seq -s ' ' 37 -1 2)
start=$(for k in $exponents; do echo $((1 << k)); done | paste -sd ',,,,,/')
for size in 60x20,4 80x24,7; do
	width=${size#*,}
	screen ${size%,*} "nxn play --watch -a greedy --start $start"
	for k in $exponents; do
		tile=$((1 << k))
		[ ${#tile} -le "$width" ] || tile=$((1 << k % 10))$(echo KMG | cut -c $((k / 10)))
		echo "$tile"
	done >want
	sed 1d picture | cut -c "1-$((6 * (width + 1)))" | grep -o '[0-9]*[0-9][KMG]*' | cmp - want ||
		complain "tiles on ${size%,*}: $(cat picture)"
done
on 60x20 'nxn play --watch -a expectimax:depth=2 -b 6x6 --delay 60000' <<'END'
wait depth 2
wait score 0
wait move 0
wait largest
wait > 
wait  ms
wait a move in 60 s
wait space pause
screen
keys q
END
for word in up right down left nodes '6x6  expectimax:depth=2  game 0, seed 1'; do
	has "$word"
done

# Drawn by hand. Down and left move nothing.
cat >bin/teller <<'END'
#!/bin/sh
read hello; echo 'hello 1 act'
while read -r word rest; do
	[ "$word" = new ] && echo new || echo "act $TELLS"
done
END
chmod +x bin/teller
teller='nxn play --watch -a external:teller --start 2,0/4,32 --delay 60000'
screen 60x20 "env NO_COLOR=1 LC_ALL=C TELLS='U 2000 1500 - -' $teller"
sed 's/[0-9.]* ms/T ms/' picture | cmp - <<'END' || complain "another picture: $(cat picture)"
2x2  external:teller  game 0, seed 1
+-------+-------+  score 0  move 0  largest 32
|       |       |
|   2   |   .   |
|       |       |
+-------+-------+  > up       2000.00 ######################
|       |       |    right    1500.00 ###
|   4   |   32  |    down           -
|       |       |    left           -
+-------+-------+
                   T ms







a move in 60 s
q quit  space pause  ? keys  left right step  +- speed
END
while read -r tells up right; do
	screen 60x20 "env TELLS='$(echo "$tells" | tr _ ' ')' $teller"
	has "> up    $(printf %10s "$up") " picture
	has "  right $(printf %10s "$right") " picture
done <<'END'
U_0.51234_-0.5_-_- 0.5123 -0.5000
U_1234.5_0.51234_-_- 1234.50 0.51
U_123456.78_-1500000_-_- 123456.8 -1500000.0
U_12345678901_123456789.44_-_- 1.23e+10 123456789
U_-1e300_1e300_-_- -1e+300 1e+300
END

# What takes no column, two, or is no character of the terminal, is a question mark.
gives 0 "printf wasdwa | nxn play --human -b 2x3 --seed 6 --record strange.rec --player 'Zoë é漢€'"
screen 80x24 'nxn play --watch --replay strange.rec'
has '2x3  Zo~ e??~  strange.rec, line ' picture
screen 80x24 'env LC_ALL=C nxn play --watch --replay strange.rec'
has '2x3  Zo?? e????????  strange.rec, line ' picture

# Colours by terminal, or none; UTF-8, or ASCII.
inks()
{
	printf 'wait score\ninks\nscreen\nkeys q\n' |
		on 80x24 "env $1 nxn play --watch -a greedy --start 2,4/8,0 --delay 60000"
}
inks TERM=xterm-256color
grep -q '^ink 0;38;5;[0-9]*;48;5;[0-9]*m$' stdout || complain 'no 256 colours'
grep -q '~' stdout || complain 'no UTF-8'
inks TERM=linux
grep -q '^ink 0;3[0-7];4[0-7]m$' stdout || complain 'no 8 colours'
for none in NO_COLOR=1 TERM=vt220; do
	inks $none
	grep '^ink ' stdout | grep -qv '^ink \(0m\|0;1m\|\)$' && complain "colours with $none"
done
inks LC_ALL=C
grep -q '~' stdout && complain 'UTF-8 in the C locale'
has '+---'

# The contrast of the text on every tile is 4.5 at least, by WCAG 2.1, with the colours of xterm: 8, or a cube
# of 6x6x6 after 16, then 24 greys.
for term in linux xterm-256color; do
	printf 'wait q quit\ninks\nkeys q\n' | on 80x24 "env TERM=$term nxn play --watch -a greedy --start $start"
	sed -n 's/^ink 0;38;5;\([0-9]*\);48;5;\([0-9]*\)m$/256 \1 \2/p; s/^ink 0;3\([0-7]\);4\([0-7]\)m$/8 \1 \2/p' stdout >tiles
	awk -v term=$term '
	function channel(c) { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4 }
	function step(n) { return n ? 55 + 40 * n : 0 }
	function light(colours, n) {
		if (colours == 8) {
			split("0,0,0 205,0,0 0,205,0 205,205,0 0,0,238 205,0,205 0,205,205 229,229,229", eight, " ")
			split(eight[n + 1], rgb, ",")
		} else if (n >= 232) {
			rgb[1] = rgb[2] = rgb[3] = 8 + 10 * (n - 232)
		} else {
			n -= 16
			rgb[1] = step(int(n / 36)); rgb[2] = step(int(n / 6) % 6); rgb[3] = step(n % 6)
		}
		return 0.2126 * channel(rgb[1]) + 0.7152 * channel(rgb[2]) + 0.0722 * channel(rgb[3]) + 0.05
	}
	{
		a = light($1, $2); b = light($1, $3)
		if ((a > b ? a / b : b / a) < 4.5) { print; bad = 1 }
		tiles += !seen[$3]++
	}
	END { exit bad || tiles < (term == "linux" ? 6 : 30) }' tiles || complain "contrast with $term"
done

# No terminal, or one that cannot position text: one line that says what is needed, and nothing else.
fails 2 'standard output is not a terminal; without it, play prints the moves' 'nxn play --watch'
[ -s stdout ] && complain 'something on standard output'
for term in dumb ''; do
	printf '' | on 80x24 "env TERM=$term nxn play --watch 2>reason"
	has 'status 2'
	grep -q 'cannot position text' reason || complain "what is said of TERM=$term"
	printf 'wait 2\nkeys wasd\\x0a\\x04\n' | on 80x24 "env TERM=$term nxn play --human"
	has 'status 0'
done
refuses '--moves and --watch: expected one of them' 'nxn play --moves --watch'
refuses '--watch: not with --trace' 'nxn play --trace x --watch'

# Without keys it ends with the game.
printf '' | on 80x24 'nxn play --watch -a greedy -b 2x2 --delay 1 </dev/null'
has 'status 0'
has ', over, '

# What is watched is recorded when it is over, and only then; it is what --games records.
gives 0 'nxn play -a random -b 2x3 --seed 6 --games 2 --record games.rec -j 1'
on 80x24 'nxn play --watch -a random -b 2x3 --seed 6 --record watched.rec --delay 0' <<'END'
wait game over; recorded
keys gn
wait game 1,
keys 0
wait game over; recorded
keys -------n
wait game 2,
keys  q
END
has 'status 0'
games games.rec >want
games watched.rec | cmp - want || complain 'what was watched is not what is recorded'
on 80x24 'nxn play --watch -a random -b 2x3 --seed 6 --record watched.rec --delay 0' <<'END'
wait game over; in the record file already
keys q
END
games watched.rec | cmp - want || complain 'a game that is there is recorded again'

# Recorded games, from one on or from the first.
gives 0 'nxn play --replay watched.rec'
cut -f 1 stdout | sed 1d >lines
on 80x24 'nxn play --replay watched.rec --watch --delay 0' <<END
wait game over
wait line $(sed -n 1p lines)
keys g.
wait move 1/
keys n0
wait line $(sed -n 2p lines)
wait game over
keys n
wait there is no next game
keys q
END
has 'status 0'
on 80x24 "nxn play --replay watched.rec --game 1 --watch" <<END
wait line $(sed -n 2p lines)
keys q
END
gives 0 'printf wasdwa | nxn play --human -b 2x3 --seed 6 --record half.rec --player me'
printf 'wait the record ends here, unfinished\nkeys q\n' | on 80x24 'nxn play --replay half.rec --watch --delay 0'
refuses 'nowhere.rec: no such record file' 'nxn play --watch --replay nowhere.rec'

# A person: keys, advice that is shown and not recorded, no way back while recording.
on 80x24 'nxn play --human --start 2,0,0/0,4,0/0,2,0 --seed 3 --game 0 --agent expectimax:depth=1 --record keys.rec' <<'END'
wait your move; recorded
keys w\e[D\eOBd
wait move 4
keys z
wait no move is taken back
keys ?
wait > 
wait expectimax:depth=1: 
keys x
wait 'x', is no key
keys q
END
has 'status 0'
has 'recorded in keys.rec: game 0 of human advised by expectimax:depth=1, seed 3'
gives 0 'printf ULDR | nxn play --human --start 2,0,0/0,4,0/0,2,0 --seed 3 --game 0 --record keys.rec'
[ "$(games keys.rec | cut -f 7- | sort -u | wc -l)" -eq 1 ] || complain 'keys and letters differ'
on 80x24 'nxn play --human --seed 3' <<'END'
wait your move
keys wdsa
wait move 4
keys z
not move 4
keys q
END
for signal in 2 15 1; do
	printf 'wait score\nkeys wdsa\nnot move 0\nsignal %d\n' $signal |
		on 80x24 "nxn play --human --record signal.rec"
	status=$((128 + signal))
	[ $signal -eq 2 ] || status=75
	has "status $status"
	has 'recorded in signal.rec'
done
[ "$(games signal.rec | cut -f 6,10 | tr '\t\n' ' ,')" = '0 unfinished,1 unfinished,2 unfinished,' ] ||
	complain "records after signals: $(games signal.rec)"

# Plain play on a terminal draws boards.
printf '' | on 80x24 'nxn play --agent greedy --board 2x2'
has 'largest tile '
has 'status 0'

exit $bad
