#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where nxn is started: closed or full standard descriptors, limits on the size of files and on time,
# links that lead nowhere, a gnuplot that hangs or prints what is no picture.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'

# rows FOLDER: what its log would hold if nothing else was written to it.
rows_plain()
{
	grep -v '^#\|^config	' "$1/games.tsv" | grep -cv '^[0-9a-f]\{16\}	2x2	random	random	0	1	[0-9]*	[0-9]*	[0-9]*	[0-9]*	[0-9.]*	[0-9]*	[0-9.]*$'
}

# What is meant for a closed descriptor lands in no file, and nothing waits for it.
compare='timeout 100 nxn compare -b 2x2 -a random'
gives 0 "$compare -g 1000 --no-figures --progress -o closed 2>&-"
[ "$(rows_plain closed)" -eq 0 ] || complain 'progress in a log'
truncate -s -3 closed/games.tsv
gives 0 "$compare -g 1000 --no-figures -o closed 2>&-"
[ "$(rows_plain closed)" -eq 0 ] || complain 'a notice in a log'
gives 0 'nxn report closed'
gives 1 'timeout 100 nxn play -a random -b 2x2 --record shown >&-'
has 'standard output: ' stderr
gives 0 'nxn play -a random -b 2x2 --record plain >plain.out'
grep -v '^# command\|^# nxn' shown >shown.rows
grep -v '^# command\|^# nxn' plain | cmp - shown.rows || complain 'a shown game in a record'
gives 0 "$compare -g 5 -o drawn 2>&-"
gives 0 "$compare -g 5 -o drawn0 <&-"
gives 1 "$compare -g 5 -o drawn1 >&-"
for folder in drawn drawn0 drawn1; do
	[ -s $folder/figures/scores.svg ] || complain "no figure in $folder"
done

cat >sleeper <<'EOF'
#!/bin/sh
read line && echo hello 1 act && read line && echo new && exec sleep 1000
EOF
chmod +x sleeper
# Ctrl-C in the middle of a long move ends the move, and says how to go on.
for agent in expectimax:depth=20,cutoff=1e-12 expectimax:depth=20,cutoff=1e-12,threads=2 \
	mcts:sims=1000000000 external:./sleeper; do
	rm -rf long
	# Passes on one signal, not a second one to the group, and kills 10 s later.
	timeout --foreground -k 10 300 nxn compare -b 4x4 -a "$agent" -g 5 -j1 -o long >stdout 2>stderr &
	pid=$!
	rows_wait long/games.tsv 1
	sleep 0.1
	signalled INT
	# 137 if it had to be killed.
	[ $got -eq 130 ] || complain "exit status $got, Ctrl-C is waited for: $agent"
	grep -q "to resume:" stderr || complain "no command to resume with: $agent"
done

# Ctrl-C before the players are there, here because a program starts slowly, says how to go on, too.
printf '#!/bin/sh\n: >started\nsleep 100\n' >starter
chmod +x starter
for command in 'compare -a' 'duel corners' 'compare slow.yaml'; do
	printf 'boards: 3x3\nagents: external:./starter\ngames: 5\n' >slow.yaml
	case $command in *.yaml) agent= ;; *) agent=external:./starter ;; esac
	rm -f started
	timeout --foreground -k 10 300 nxn $command $agent -o long >stdout 2>stderr &
	pid=$!
	waits 200 '[ -e started ]' "no program started: $command"
	signalled INT
	[ $got -eq 130 ] || complain "exit status $got, Ctrl-C waits for a program: $command"
	has 'stopped before the first game began; to resume:' stderr
done

# A file that may not grow is an error like a full disk, not a signal.
for command in 'solve -b 2x3 --out table' 'train ntuple -b 3x3 -e 50 --out model' \
	'compare -b 2x2 -a random -g 5 -o limited' 'compare -b 2x2 -a random -g 1000 --no-figures -o log' \
	'report drawn --out bundle'; do
	gives 1 "ulimit -f 1; nxn $command >/dev/null"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "more or less than one line: $command"
	grep -q 'File too large\|is the disk full' stderr || complain "not said why: $command"
done

# Answers that cannot be written are no fault of the input.
fails 1 'standard output: ' 'echo 2,2/0,0 | nxn eval -b 2x2 >/dev/full'

# The limit on processor time is a budget, as long as it is not the last word.
for command in 'solve -b 3x3 --work layers' 'train ntuple -b 4x4 -e 10000000 --out spent' \
	'compare -b 4x4 -a expectimax:depth=3 -g 10000 -o spending'; do
	gives 75 "ulimit -S -t 1; timeout -s KILL 100 nxn $command"
	has ' to resume:' stderr
done

# A link that leads nowhere is there, and so no folder can be made.
ln -s nowhere link && ln -s ring ring
for folder in link ring link/below; do
	fails 2 'a symbolic link that leads nowhere; expected a folder' \
		"nxn compare -b 2x2 -a random -g 5 -o $folder"
done
fails 2 '--record: must not be empty' "nxn play -b 2x2 -a random --record ''"
fails 2 '--trace: must not be empty' "nxn play -b 2x2 -a random --trace ''"
fails 2 '--curve: must not be empty' "nxn train qlearn -b 2x2 -e 5 -o q.nxn --curve ''"
fails 2 '--demonstrations: must not be empty' "nxn train policy -b 2x2 -e 5 -o q.nxn --demonstrations ''"
fails 2 '--vectors: must not be empty' "nxn verify --only perft --vectors ''"
for command in compare eval 'train -e 5 -o q.nxn' verify info report 'duel random'; do
	fails 2 'an argument must not be empty' "nxn $command ''"
done
# Standard input that cannot be read is not the end of input.
fails 1 'standard input: cannot be read' 'nxn eval --serve <.'

for number in NXN_PLOT_SECONDS=abc NXN_PLOT_SECONDS=-1 NXN_PROGRESS_SECONDS=nan SOURCE_DATE_EPOCH=abc; do
	fails 2 "${number%%=*}: '${number#*=}' is not a number of seconds from" "$number nxn info"
done

# gnuplot is not waited for without end, nor believed.
mkdir fake
cat >fake/gnuplot <<'EOF'
#!/bin/sh
exec sleep 1000
EOF
chmod +x fake/gnuplot
fails 1 'means.svg: gnuplot has not drawn it within 0.2 s' \
	'NXN_PLOT_SECONDS=0.2 PATH=$PWD/fake:$PATH nxn report drawn --out slow >slow.out'
cat >fake/gnuplot <<'EOF'
#!/bin/sh
echo '<script>alert(1)</script>'
EOF
fails 1 'means.svg: what gnuplot has drawn is no whole svg picture' \
	'PATH=$PWD/fake:$PATH nxn report drawn --out rubbish >rubbish.out'
[ -e rubbish ] && complain 'rubbish was kept'
# That the system has no memory for it is no fault of the input.
for words in 'error while loading shared libraries: libX11.so.6: failed to map segment' 'out of memory' \
	'cannot allocate TLS data structures for initial thread'; do
	printf '#!/bin/sh\necho "gnuplot: %s" >&2\nexit 127\n' "$words" >fake/gnuplot
	fails 1 "gnuplot: $words" 'PATH=$PWD/fake:$PATH nxn tune -a expectimax:depth=1 -b 2x2 \
		-p w_empty -N 3 -m 1 -g 2 -G 2 -o starved.tsv >starved.out'
done
# A script that it refuses is no fault of the games, for whichever command.
mkdir scripts && cp "$source"/plots/* scripts
echo 'nonsense' >scripts/style.gp
fails 1 'gnuplot: ' 'NXN_PLOTS=scripts nxn report drawn --out refused >refused.out'
[ -e refused ] && complain 'a bundle without figures'
exit $bad
