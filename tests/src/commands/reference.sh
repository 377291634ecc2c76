#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reference runs: small runs of every command, agent and learner give what they gave when reference.txt
# was made, to the last digit. It holds a line a run: the name, and the first 16 digits of the SHA-256 of
# what the run gave, without what another machine, build or moment changes: times, version, compiler,
# processor and instruction set.
#
#     reference.sh            makes a sample of the runs, the quick ones, and complains of each that differs;
#                             what the runs gave is then kept in the folder reference.out, a file a run
#     reference.sh --all      makes all of them, in minutes: tests/long/reference.sh
#     reference.sh --print    prints a new reference.txt
#     KEEP=DIR reference.sh   keeps what the runs gave in DIR, whatever comes out; also with --all
#
# To see what has changed: run it with one KEEP for an old nxn, with another for the new one, diff -r.
# Runs of qlearn, and what tells of its parameters, have names that begin with qlearn.
here=$(cd "$(dirname "$0")" && pwd) || exit 99
started=$PWD
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
[ -x "$nxn_path" ] || { echo "$nxn_path: no program"; exit 99; }
all=
[ $# -eq 0 ] || all=1
unset NXN_PLOTS SOURCE_DATE_EPOCH
LC_ALL=C
export LC_ALL
out=$work/out
mkdir "$out"

# What is common to all runs -----------------------------------------------------------------------

# made RUN: whether this run is made: each is with --all or --print.
made()
{
	[ "$all" ] && return
	case $1 in
	help | info-* | completion | perft* | serve-board | solve-2x2 | solve-rules | eval-simple | \
		play-random | play-corners | play-expectimax | play-mcts | ntuple-tc | ntuple-q | policy | policy-critic | \
		relative | adp | qlearn | verify-list | tune) ;;
	*) return 1 ;;
	esac
}

# plain: standard input without what another build or machine changes.
plain()
{
	sed -e 's/nxn [0-9][0-9.]*\( ([^)]*)\)\{0,1\}/nxn VERSION/' \
		-e 's/, [0-9.]* \([num]*s\|min\|h\)$/, ... time/' \
		-e '/^# \(about\|at least\) .* on this machine with /d' \
		-e '/^# [2-6]x[2-6] .* games \(left, .*\|are played\)$/d' -e '/^# bounds: /d' \
		-e 's/^\([# %]*\|run [^ ]*: \)\(instruction set\|compiler\|processor\|host\): .*/\1\2: .../'
}

# shown FILE...: each under its name, plain.
shown()
{
	for file; do
		echo "== $file"
		plain <"$file"
	done
}

# sums FILE...: the digest of each, plain.
sums()
{
	for file; do
		echo "$(plain <"$file" | sha256sum | cut -c 1-32)  $file"
	done
}

# told NAME COMMAND: run NAME is what COMMAND says on both outputs. It must succeed.
told()
{
	made "$1" || return 0
	gives 0 "$2"
	shown stdout stderr | grep -v '^== ' >"$out/$1"
	[ -s stdout ] || complain "$1: no output"
}

# also NAME COMMAND: what COMMAND writes to standard output belongs to run NAME, too.
also()
{
	made "$1" || return 0
	sh -c "$2" 2>stderr | plain >>"$out/$1" || complain "$1: $2"
	[ -s stderr ] && complain "$1: $2"
}

# logged NAME LOG: so do the rows of a log, in any order.
logged()
{
	made "$1" || return 0
	echo "== $2" >>"$out/$1"
	games "$2" >>"$out/$1"
	[ -s "$2" ] || complain "$1: no $2"
}

# tabled NAME FOLDER: so do the tables of a folder, those of its figures, the sums of their scripts and
# the names of all its files. What gnuplot draws is left out: another version draws it otherwise.
tabled()
{
	made "$1" || return 0
	{
		for file in "$2"/tables/${3:+$3/}*.tsv "$2"/figures/${3:+$3/}*.tsv; do
			[ ! -e "$file" ] || shown "$file"
		done
		for file in "$2"/figures/${3:+$3/}*.gp; do
			[ ! -e "$file" ] || sums "$file"
		done
		echo "== files of $2"
		find "$2" -type f | sort
	} >>"$out/$1"
	ls "$2"/[ft]*/${3:+$3/}*.tsv >/dev/null 2>&1 || complain "$1: no tables"
}

# alike NAME FOLDER FOLDER LOG: equal rows in a log and equal tables, but for where they come from.
alike()
{
	made "$1" || return 0
	runs_same "$2" "$3" "$4"
}

# Positions: of every shape, early and late ones, lost ones, tiles that models do not tell apart.
cat >positions.txt <<'END'
0,2/2,0
2,4/4,8
16,8/2,4
2,2/2,2
4,2/16,2
0,2,0/0,0,2
8,4,2/32,16,2
2,2,4/0,0,2
64,32,2/4,2,4
2,4,8/4,2,4
0,2,0,4/8,2,0,16
2,0/4,2/8,8
0,0,2/0,2,4/2,4,64
2,2,4/0,0,0/0,0,2
64,4,2/8,2,0/4,0,0
4,16,32/0,4,8/0,2,4
8,2,32/8,2,2/2,0,0
256,128,64/8,16,32/4,2,2
512,256,2/2,4,2/4,2,4
2,4,2/4,2,4/2,4,2
512,512,4/8,2,16/2,4,64
2,4,2,4/8,16,32,64/512,256,128,64
0,0,0,2/0,2,4,8/64,32,16,8
2,0,0/0,4,0/2,2,4/8,16,32
2,0,2,4,8/4,4,8,16,32/1024,512,256,128,64
0,0,0,0,0/0,2,0,4,0/0,0,0,0,2
2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4
0,0,2,2/0,4,4,8/2,2,16,16/2,128,64,32
2048,1024,512,256/16,32,64,128/8,4,2,2/0,0,0,2
32768,16384,8192,4096/256,512,1024,2048/128,64,32,16/2,4,8,8
65536,2,4,2/4,8,16,4/2,16,2,8/4,2,8,2
131072,65536,2,2/4,8,16,32/2,4,8,16/2,2,4,4
2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2
2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4
2,2,4,4/2,2,4,4/8,8,16,16/8,8,16,16
0,2,0,0,4/0,0,0,0,0/0,0,8,0,0/2,0,0,0,0
4096,2048,1024,512,256/2,4,8,16,128/4,2,4,8,64/2,2,4,4,32/0,0,2,2,16
67108864,4,2,4,2/4,2,4,2,4/2,4,2,4,2/4,2,4,2,4/2,4,2,4,4
0,0,0,0,0,0/0,2,0,0,0,0/0,0,0,0,0,0/0,0,0,4,0,0/0,0,0,0,0,0/0,0,0,0,0,0
2,4,8,16,32,64/4096,2048,1024,512,256,128/2,2,4,4,8,8/2,0,0,0,0,2/4,0,0,0,0,4/0,0,0,2,0,0
34359738368,2,4,8,16,32/2,4,8,16,32,64/4,8,16,32,64,128/8,16,32,64,128,256/16,32,64,128,256,512/2,2,4,4,8,8
END

# Options for other rules than usual, of runs that say so.
spawn=
start=

# asked NAME BOARD AGENT: what AGENT says to positions of the shape, all if it is '', belongs to run
# NAME, without the milliseconds.
untrained=
asked()
{
	made "$1" || return 0
	echo "== $3 on ${2:-all boards}" >>"$out/$1"
	if [ "$2" ]; then shape "$2"; else cat positions.txt; fi >some
	nxn eval -a "$3" $untrained $spawn some 2>stderr >stdout || complain "$1: nxn eval -a $3: $(cat stderr)"
	cut -f 1-7 stdout >>"$out/$1"
	[ "$(wc -l <stdout)" -eq $(($(wc -l <some) + 1)) ] || complain "$1: not an answer a position of $3"
	cat stderr >>"$out/$1"
}

# shape RxC: the positions of that shape.
shape()
{
	awk -v shape="$1" '{ rows = split($0, row, "/"); cols = split(row[1], cell, ",") }
		rows "x" cols == shape' positions.txt
}

# played NAME BOARDS GAMES AGENTS [OPTION...]: run NAME is the games and the printed table of agents,
# which two threads play as one does.
played()
{
	made "$1" || return 0
	name=$1 boards=$2 number=$3 agents=$4
	shift 4
	for j in 2 1; do
		nxn compare --by-board -b "$boards" -g "$number" -a "$agents" -s 11 -j $j --no-times --no-figures "$@" \
			-o "play$j/$name" >"stdout.$j" 2>stderr || complain "$name: nxn compare fails"
		# That a table changes no move is what is shown here.
		grep -v 'differ in tt or threads alone' stderr && complain "$name: nxn compare complains"
	done
	sed 's|play2/||' stdout.2 >"$out/$name"
	logged "$name" "play2/$name/games.tsv"
	alike "$name" "play2/$name" "play1/$name" games.tsv
}

# The program, its help, its rules -----------------------------------------------------------------

told help 'nxn --help'
commands=$(nxn --help | sed -n '/^Commands/,/^EXAMPLES/s/^  \([a-z]*\)  .*/\1/p')
for command in $commands; do
	told "help-$command" "nxn $command --help"
done
[ ! "$all" ] || [ "$(ls "$out" | grep -c '^help-')" -ge 14 ] || complain 'commands are missing'
told info-program "nxn info program | sed 's/  .*//'"
told info-boards 'nxn info boards'
told info-values 'nxn info values'
# With all that is not about qlearn.
told info "nxn info | sed '1,4s/  .*//' | awk '/^[^ ]/ { other = /^qlearn/ } !other'"
listed=$(nxn info agents | sed -n 's/^\([a-z0-9]*\)[ :].*/\1/p' | grep -v '^Agents$')
for agent in $listed; do
	[ "$agent" = qlearn ] || told "info-$agent" "nxn info $agent"
done
for value in $(nxn info values | sed -n 's/^\([a-z0-9]*\)  .*/\1/p'); do
	echo "$listed" | grep -qx "$value" || told "info-$value" "nxn info $value"
done
told qlearn-info 'nxn info qlearn'
told completion 'nxn completion bash'
told bench 'nxn bench -b 2x2 --repeats 1 | cut -f 1,3,4 | uniq | sort -u'
told verify 'nxn verify --list'
for check in streams spawns expectimax layers; do
	also verify "nxn verify -j 2 --only $check"
done
told verify-against "nxn verify --against 'nxn eval --serve -a greedy' -b 2x3,3x4,6x6 --positions 50"

# perft NAME POSITION PLIES [OPTION...]
perft()
{
	made "$1" || return 0
	position=$2 plies=$3 name=$1
	shift 3
	nxn verify --start "$position" --plies "$plies" "$@" >>"$out/$name" || complain "$name of $position"
}
perft perft 0,2/2,0 8
perft perft 0,2,0/0,0,2 6
perft perft 0,2,0,4/8,2,0,16 4
perft perft 64,4,2/8,2,0/4,0,0 4
perft perft 2,4,2,4/8,16,32,64/512,256,128,64 3
perft perft 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4 3
perft perft 131072,65536,2,2/4,8,16,32/2,4,8,16/2,2,4,4 3
perft perft 0,2,0,0,4/0,0,0,0,0/0,0,8,0,0/2,0,0,0,0 2
perft perft 4096,2048,1024,512,256/2,4,8,16,128/4,2,4,8,64/2,2,4,4,32/0,0,2,2,16 2
perft perft "$(tail -n 2 positions.txt | head -n 1)" 2
perft perft 2,4,2/4,2,4/2,4,2 2
perft perft-spawn 0,2/2,0 6 --spawn 2:1
perft perft-spawn 64,4,2/8,2,0/4,0,0 3 --spawn 2:0.5,4:0.25,16:0.25
perft perft-spawn 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4 2 --spawn 8:1

# Protocol.
for agent in greedy corners expectimax:depth=3,cutoff=1e-3 random; do
	made serve || continue
	{
		echo 'hello 1'
		echo 'new 4x4 2:0.9,4:0.1'
		sed 's/^/moves /' positions.txt
		sed 's/^/act /; s/$/ 0.25/' positions.txt
		echo 'act 2,2/4,0'
		echo 'what?'
		echo 'quit'
	} | nxn eval --serve --agent "$agent" 2>stderr | plain >>"$out/serve"
	[ -s stderr ] && complain "serve: $agent"
done
told serve-board 'printf "hello 1\nnew 4x4 2:0.9,4:0.1\nnew 3x3 2:1\nmoves 2,2/4,0\nquit\n" | nxn eval --serve -a greedy -b 3x3'

# Tables of the solver -----------------------------------------------------------------------------

# solved NAME FILE: a table belongs to run NAME, without the version that made it: offset 712, 256 bytes, and
# the hash with it, at 976.
solved()
{
	made "$1" || return 0
	{
		head -c 712 "$2"
		tail -c +969 "$2" | head -c 8
		tail -c +985 "$2"
	} | sha256sum | sed "s|-|$2|" >>"$out/$1"
}

told solve-2x2 'nxn solve --full --board 2x2 --no-times --out 2x2.opt'
solved solve-2x2 2x2.opt
also solve-2x2 'nxn info 2x2.opt'
also solve-2x2 'nxn solve --board 2x2 --no-times'
also solve-2x2 'nxn solve --board 2x2 --policy greedy --table 2x2.opt --no-times'
told solve-2x3 'nxn solve --full --board 2x3 --no-times --out 2x3.opt -j 2'
solved solve-2x3 2x3.opt
! made solve-2x3 || gives 0 'nxn solve --board 2x3 --no-times --out alone.opt -j 1 --work layers'
! made solve-2x3 || cmp alone.opt 2x3.opt || complain 'solve-2x3: one thread and --work make another table'
for goal in moves best-score best-moves; do
	also solve-goals "nxn solve --full --board 2x3 --goal $goal --no-times --out $goal.opt"
	solved solve-goals $goal.opt
done
also solve-goals 'nxn solve --full --board 2x3 --target 64 --no-times --out target.opt'
solved solve-goals target.opt
also solve-goals 'nxn solve --full --board 3x3 --target 32 --no-times --out target33.opt'
solved solve-goals target33.opt
also solve-rules 'nxn solve --full --board 2x3 --spawn 2:0.5,4:0.5 --start-tiles 3 --no-times --out spawn.opt'
solved solve-rules spawn.opt
also solve-rules 'nxn solve --full --board 3x2 --start 4,2/0,0/0,8 --spawn 2:0.7,8:0.3 --no-times'
also solve-sum 'nxn solve --full --board 3x3 --max-sum 80 --no-times --out sum.opt'
solved solve-sum sum.opt
also solve-sum 'nxn solve --full --board 3x4 --max-sum 34 --no-times'
also solve-sum 'nxn solve --full --board 4x4 --max-sum 20 --no-times'
told solve-count 'nxn solve --full --board 3x3 --max-sum 150 --count --no-times'
also solve-count 'nxn solve --full --board 4x3 --max-sum 50 --count --no-times'
also solve-count 'nxn solve --full --board 4x4 --max-sum 26 --count --no-times'
also solve-count 'nxn solve --full --board 2x4 --max-sum 60 --count --no-times'
for agent in random greedy greedy:ties=random corners expectimax:depth=1 expectimax \
	expectimax:value=strong expectimax:depth=1,value=linear9 expectimax:value=ordered,depth=1 optimal:2x3.opt; do
	also solve-policy "nxn solve --full --board 2x3 --policy $agent --table 2x3.opt --no-times"
done
also solve-policy 'nxn solve --full --board 2x2 --policy expectimax:value=score,depth=4,cutoff=0 --no-times --spawn 2:0.5,4:0.5'

# Agents that do not learn -------------------------------------------------------------------------

for agent in random greedy corners greedy:ties=random greedy:ties=LDRU; do
	asked eval-simple '' $agent
done
for agent in expectimax expectimax:depth=1 expectimax:depth=3,cutoff=0.01 expectimax:depth=2,cutoff=0.01,move_p=0.25 \
	expectimax:tt=0 expectimax:tt=4K,depth=3,cutoff=0.01 expectimax:leaf=after expectimax:leaf=state \
	expectimax:rewards=1 expectimax:terminal=-5000 expectimax:w_empty=30,w_merge=7,w_corner=-3 \
	expectimax:tuned=1 expectimax:nodes=2000 expectimax:nodes=2000,depth=2,cutoff=0.01 expectimax:threads=2; do
	asked eval-expectimax '' $agent
done
for board in 2x2 2x3 3x3 3x4; do
	asked eval-auto $board expectimax:depth=auto,cutoff=0.01
	asked eval-auto $board expectimax:depth=auto,cutoff=0.001,value=strong
done
asked eval-auto 3x3 expectimax:depth=5,cutoff=0
asked eval-auto 2x2 expectimax:depth=12,cutoff=0,value=score
for value in heuristic strong score empty linear9 ordered; do
	for depth in 1 2; do
		for leaf in state after; do
			asked eval-values '' expectimax:depth=$depth,value=$value,leaf=$leaf,cutoff=0.01
		done
	done
	asked eval-values '' expectimax:depth=1,value=$value,rewards=1,terminal=0
done
for agent in expectimax:value=linear9,f3=points \
	expectimax:value=linear9,w1=5,w2=-4,w3=3.5,w4=2,w5=7,w6=0.5,w7=11,w8=-6,w9=13 expectimax:value=linear9,tuned=1,depth=1 \
	expectimax:value=strong,base=500,w_sum=20,sum_power=3,mono_power=2.5,w_edge=3,w_corner=100; do
	asked eval-values '' $agent
done
asked eval-optimal 2x2 optimal:2x2.opt
asked eval-optimal 2x3 optimal:2x3.opt
asked eval-optimal 2x3 optimal:target.opt
asked eval-optimal 3x3 optimal:sum.opt
asked eval-external 4x4 'external:nxn eval --serve --agent corners'
asked eval-external 3x3 'external:command=nxn eval --serve --agent expectimax:depth=1'
for agent in mcts:sims=40 mcts:sims=40,select=ucb1 mcts:sims=40,select=printed mcts:sims=40,select=even,decide=value \
	mcts:sims=60,norm=none mcts:sims=60,norm=range mcts:sims=60,untried=zero mcts:sims=60,untried=first \
	mcts:sims=60,grow=node mcts:sims=60,decide=value mcts:sims=60,leaves=1 mcts:sims=60,leaves=7 \
	mcts:sims=60,reward=max mcts:sims=60,rewards=1 mcts:sims=60,rewards=0 mcts:sims=40,rollouts=3 \
	mcts:sims=60,rollout_moves=5 mcts:sims=60,rollout=none mcts:sims=60,rollout=none,value=heuristic \
	mcts:sims=60,rollout=none,value=linear9,leaf=after,terminal=0 mcts:sims=30,rollout=greedy \
	mcts:sims=30,rollout=corners,prior=corners mcts:sims=60,uniform=0.5,prior=greedy,depth=5,c=1 \
	mcts:sims=60,memory=1M; do
	asked eval-mcts 3x3 $agent
	asked eval-mcts 4x4 $agent
done
asked eval-mcts '' mcts:sims=30,rollout=none
asked eval-mcts '' mcts:sims=16,rollout_moves=4

played play-random 2x2,3x3,3x5,4x4,5x5,6x6 12 random
played play-greedy 2x2,3x3,3x5,4x4,5x5,6x6 12 'greedy;greedy:ties=LDRU;greedy:ties=random'
played play-corners 2x2,3x3,3x5,4x4,5x5,6x6 12 corners
played play-expectimax 3x3,4x4,3x5 3 \
	'expectimax;expectimax:depth=1;expectimax:tt=0;expectimax:depth=2,cutoff=0.01,move_p=0.25,tuned=1'
played play-expectimax-large 5x5,6x6 1 'expectimax:depth=1,value=empty;expectimax:depth=1,value=score'
played play-expectimax-6x6 6x6 1 expectimax:depth=1,value=strong --start "$(tail -n 1 positions.txt)"
played play-expectimax-values 3x3,4x4,3x5 2 "expectimax:value=strong,depth=1;expectimax:value=score;\
expectimax:value=empty;expectimax:value=linear9,depth=1;expectimax:value=ordered,depth=1"
played play-expectimax-deep 2x3,3x3 1 "expectimax:depth=auto,cutoff=0.001;expectimax:depth=4,cutoff=0.001,leaf=after;\
expectimax:value=strong,depth=3;expectimax:nodes=500;expectimax:rewards=1,terminal=-1000"
told play-best 'nxn play -a best -b 2x3 -s 11'
played play-mcts 3x3,4x4,3x5 1 "mcts:sims=30;mcts:sims=30,rollout=none;mcts:sims=20,select=ucb1,norm=range;\
mcts:sims=20,reward=max,leaves=1,decide=value,prior=corners"
played play-mcts-large 5x5 1 'mcts:sims=8,rollout_moves=5,depth=2'
played play-external 3x3,4x4,3x5 2 'external:nxn eval --serve --agent corners;external:command=nxn eval --serve --agent expectimax:depth=1'
played play-optimal 2x3 40 'optimal:2x3.opt;optimal:target.opt'
played play-optimal-2x2 2x2 40 optimal:2x2.opt
# The version that made a table is part of what its games are filed under, and of the drawing of intervals.
for name in play-optimal play-optimal-2x2; do
	made $name || continue
	games "play2/$name/games.tsv" | cut -f 2- | sort >"$out/$name"
done
played play-spawn 2x3,4x4 4 'random;expectimax:depth=1;mcts:sims=20,rollout=none' --spawn 2:0.5,4:0.3,8:0.2 --start-tiles 3
played play-start 3x3 4 'random;corners;expectimax' --start 64,4,2/8,2,0/4,0,0

# Threads that share a decision do not change it.
played play-threads 3x3,4x4 2 'expectimax:threads=2,depth=3,cutoff=0.001'
played play-thread 3x3,4x4 2 'expectimax:threads=1,depth=3,cutoff=0.001'
for threads in play-threads play-thread; do
	! made play-threads || games play2/$threads/games.tsv | cut -f 2,5- | sort >$threads.rows
done
! made play-threads || cmp play-threads.rows play-thread.rows || complain 'threads of a search change its games'

# Learners -----------------------------------------------------------------------------------------

# learns NAME AGENT BOARD GAMES [OPTION...]: run NAME is a training: the sum of the model, which is the same
# in two parts, the curve, what the model answers and games of it.
learns()
{
	made "$1" || return 0
	name=$1 agent=$2 board=$3 number=$4
	shift 4
	mkdir "learn-$name" "parts-$name"
	block=$((number / 3))
	for part in "learn-$name $number" "parts-$name $((2 * block))" "parts-$name $number"; do
		nxn train "$agent" -b "$board" -s 7 -e "${part#* }" --block $block $spawn $start "$@" -o "${part% *}/m.nxn" \
			--curve "${part% *}/c.tsv" >stdout 2>stderr || complain "$name: nxn train fails"
		[ -s stderr ] && complain "$name: nxn train complains"
		[ "$part" = "learn-$name $number" ] && plain <stdout >"$out/$name"
	done
	cmp "learn-$name/m.nxn" "parts-$name/m.nxn" || complain "$name: trained in parts it is another model"
	for folder in learn parts; do
		plain <"$folder-$name/c.tsv" | cut -f 1,2,4- >"$folder.curve"
		grep -v '^#' "$folder.curve" >"$folder.rows"
	done
	cmp learn.rows parts.rows || complain "$name: trained in parts it has another curve"
	cat learn.curve >>"$out/$name"
	cp "learn-$name/m.nxn" "$name.nxn"
	{
		echo "$(sha256sum <"$name.nxn" | cut -d ' ' -f 1) $(wc -c <"$name.nxn") bytes"
		nxn info "$name.nxn"
	} >>"$out/$name"
	asked "$name" "$board" "${agent%%:*}:$name.nxn"
	nxn compare -b "$board" -g 3 -a "${agent%%:*}:$name.nxn" -s 11 -j 2 --no-times --no-figures \
		$spawn $start -o "play2/$name" >stdout 2>stderr || complain "$name: the model does not play"
	sed 's|play2/||' stdout >>"$out/$name"
	logged "$name" "play2/$name/games.tsv"
}

# threaded NAME AGENT BOARD GAMES [OPTION...]: learners by batches give the same with two threads.
threaded()
{
	made "$1" || return 0
	name=$1 agent=$2 board=$3 number=$4
	shift 4
	gives 0 "nxn train '$agent' -b $board -s 7 -e $number $* -j 2 -o threaded.nxn"
	cmp threaded.nxn "$name.nxn" || complain "$name: two threads make another model"
	rm -f threaded.nxn
}

lines=ntuple:tuples=lines
learns ntuple-lines $lines 3x3 400
learns ntuple-rectangle $lines 3x5 60
learns ntuple-state $lines,rule=td-state 3x3 300
learns ntuple-q $lines,rule=q 3x3 300
learns ntuple-backward $lines,update=backward 3x3 300
learns ntuple-backward-state $lines,update=backward,rule=td-state 3x3 300
learns ntuple-backward-q $lines,update=backward,rule=q 3x3 300
learns ntuple-tc $lines,rate=tc 3x3 300
learns ntuple-tc-backward $lines,rate=tc,update=backward,alpha=0.5 3x3 300
learns ntuple-visits $lines,rate=visits 3x3 300
learns ntuple-lambda $lines,lambda=0.5 3x3 300
learns ntuple-lambda-tc $lines,lambda=0.8,trace=3,rate=tc,rule=td-state 3x3 300
learns ntuple-lambda-q $lines,lambda=0.6,trace=7,rule=q 3x3 300
learns ntuple-lambda-backward $lines,lambda=0.5,update=backward,rate=tc 3x3 300
learns ntuple-decay $lines,alpha=0.5,alpha_end=0.001,alpha_games=200 3x3 300
learns ntuple-geometric $lines,alpha=0.5,alpha_end=0.001,alpha_games=200,decay=geometric 3x3 300
learns ntuple-gamma $lines,gamma=0.95,epsilon=0.1 3x3 300
learns ntuple-sqrt $lines,error=sqrt,alpha=1 3x3 300
learns ntuple-loss $lines,terminal=neg-score 3x3 300
learns ntuple-loss-q $lines,terminal=neg-score,rule=q,rate=visits 3x3 300
learns ntuple-init $lines,init=5000 3x3 300
learns ntuple-one $lines,share=none 3x3 300
learns ntuple-levels $lines,levels=6 3x3 300
learns ntuple-lanes-1 $lines,lanes=1 3x3 300
learns ntuple-lanes-4 $lines,lanes=4,update=backward,rate=tc 3x3 300
learns ntuple-lanes-3 $lines,lanes=3,lambda=0.5,rule=td-state 3x3 300
learns ntuple-cells ntuple:tuples=012345,0134,8 3x3 200
learns ntuple-both ntuple:tuples=lines+rectangles=2x2 3x4 150
learns ntuple-snakes ntuple:tuples=snakes=4 3x3 150
learns ntuple-group0 ntuple:tuples=group0,levels=12 4x4 60
learns ntuple-group1 ntuple:tuples=group1,levels=11 4x4 40
learns ntuple-group2 ntuple:tuples=group2,levels=11 4x4 40
learns ntuple-4x6 ntuple:tuples=4x6,levels=9 4x4 60
learns ntuple-4x6-tc ntuple:tuples=4x6,levels=8,rate=tc,lambda=0.5 4x4 40
learns ntuple-8x6 ntuple:tuples=8x6,levels=8 4x4 30
learns ntuple-5x5 ntuple:tuples=lines,levels=10 5x5 9
learns ntuple-6x6 ntuple:tuples=rectangles=2x3,levels=6 6x6 3
learns ntuple-2x2 ntuple 2x2 300
learns ntuple-2x3 $lines 2x3 300
spawn='--spawn 2:0.5,4:0.3,8:0.2' start='--start-tiles 3'
learns ntuple-rules $lines 2x3 300
spawn= start=
start='--start 64,4,2/8,2,0/4,0,0'
learns ntuple-start $lines 3x3 100
start=
learns ntuple-saved $lines,rate=tc,update=backward 3x3 300 --checkpoint 37

p=policy:hidden=12
learns policy $p 3x3 200
learns policy-4x4 policy:hidden=20,10 4x4 40
learns policy-rectangle $p 3x5 40
learns policy-5x5 $p 5x5 12
learns policy-exponents $p,6,input=exponents 3x3 150
learns policy-canonical $p,symmetry=canonical 3x3 150
learns policy-stages $p,stages=32+64 3x3 150
learns policy-sample $p,play=sample 3x3 150
learns policy-egreedy $p,actions=egreedy,epsilon=0.5,epsilon_end=0.05,epsilon_games=100 3x3 150
learns policy-printed $p,gradient=printed,batch=7 3x3 150
for reward in score max moves win; do
	learns policy-$reward $p,reward=$reward 3x3 100
done
learns policy-togo $p,credit=togo,gamma=0.99 3x3 150
learns policy-critic $p,credit=critic,optimiser=adam,alpha=0.002,lambda=0.8,gamma=0.995 3x3 150
learns policy-clip $p,credit=critic,clip=1.2,epochs=3,minibatch=64,optimiser=adam 3x3 100
learns policy-clip-4x4 $p,8,credit=critic,clip=1.2,epochs=2,minibatch=100,optimiser=adam,symmetry=canonical 4x4 40
learns policy-sgd $p,optimiser=sgd,alpha=0.05,alpha_end=0.001,alpha_games=100 3x3 150
learns policy-rmsprop $p,optimiser=rmsprop,rho=0.9 3x3 150
! made policy-taught || gives 0 'nxn play -a corners -b 3x3 -s 3 -j 1 --record teacher.rec --games 30'
learns policy-taught $p,demonstrations=teacher.rec,demo_games=5 3x3 100
learns policy-taught-first $p,demo_only=6 3x3 100 --demonstrations teacher.rec
learns policy-taught-critic $p,demonstrations=teacher.rec,credit=critic,optimiser=adam,demo_only=3 3x3 100
learns policy-weights $p,weights=policy.nxn,alpha=0.003 3x3 100
learns policy-2x3 $p 2x3 200
spawn='--spawn 2:0.5,4:0.3,8:0.2' start='--start-tiles 3'
learns policy-rules $p 2x3 200
spawn= start=
threaded policy $p 3x3 200
threaded policy-critic $p,credit=critic,optimiser=adam,alpha=0.002,lambda=0.8,gamma=0.995 3x3 150
threaded policy-taught $p,demonstrations=teacher.rec,demo_games=5 3x3 100

r=relative:hidden1=12,hidden2=8
learns relative $r 3x3 150
learns relative-4x4 relative 4x4 20
learns relative-rectangle $r 3x5 40
learns relative-iterative $r,game_type=mini_iterative,mini_first=16,mini_last=128,mini_batches=3 3x3 150
learns relative-random $r,game_type=mini_random,mini_first=16,mini_last=256,mini_batches=4 3x3 150
learns relative-random-4x4 $r,game_type=mini_random,mini_batches=2 4x4 60
learns relative-games $r,random_games=true,random_frac=0.2,batch_size=6 3x3 100
for penalty in nonzero linear_move_num exponential_move_num; do
	learns relative-$penalty $r,move_penalty_type=$penalty 3x3 100
done
for penalty in scores max log2_max tile_sums; do
	learns relative-$penalty $r,game_penalty_type=$penalty,lr=0.003 3x3 100
done
learns relative-onehot $r,input=onehot,symmetry=canonical 3x3 100
learns relative-all $r,among=all,bad=0.3,minibatch=50 3x3 100
learns relative-win $r,win=64,play=sample 3x3 100
threaded relative $r 3x3 150
threaded relative-games $r,random_games=true,random_frac=0.2,batch_size=6 3x3 100

learns adp adp 3x3 200
learns adp-4x4 adp 4x4 60
learns adp-rectangle adp 3x5 60
learns adp-2x3 adp 2x3 100
learns adp-printed adp:update=printed 3x3 150
learns adp-lstsq adp:update=lstsq 3x3 150
learns adp-sum adp:error=sum,constant=1,batch=4,alpha=0.001 3x3 150
learns adp-score adp:reward=score,ties=random 3x3 150
learns adp-max adp:reward=max,standardise=0,lost=zero,update=lstsq 3x3 150

learns qlearn qlearn 3x3 400
learns qlearn-4x4 qlearn 4x4 60
learns qlearn-rectangle qlearn 3x5 60
learns qlearn-5x5 qlearn 5x5 9
learns qlearn-eta qlearn:eta=0.3,gamma=0.9,epsilon=0.1 3x3 200
learns qlearn-linear qlearn:error=linear,eta=0.01 3x3 200
learns qlearn-terminal qlearn:terminal=zero,scale=none 3x3 200
learns qlearn-learned qlearn:reward=learned 3x3 200
learns qlearn-levels qlearn:levels=6 3x3 200
spawn='--spawn 2:0.5,4:0.3,8:0.2' start='--start-tiles 3'
learns qlearn-rules qlearn 2x3 200
spawn= start=
start='--start 64,4,2/8,2,0/4,0,0'
learns qlearn-start qlearn 3x3 100
start=

# What was learned in other agents, and learners that have learned nothing.
for agent in expectimax:value=ntuple:ntuple-lines.nxn expectimax:depth=1,value=ntuple:ntuple-lambda.nxn \
	mcts:sims=40,prior=policy:policy.nxn mcts:sims=40,prior=relative:relative.nxn,uniform=0.1 \
	mcts:sims=40,rollout=none,value=ntuple:ntuple-lines.nxn mcts:sims=20,rollout=ntuple:ntuple-lines.nxn; do
	asked eval-learned 3x3 $agent
done
asked eval-learned 4x4 expectimax:value=ntuple:ntuple-4x6.nxn,depth=2
played play-learned 3x3 2 "expectimax:value=ntuple:ntuple-lines.nxn,depth=1;ntuple:ntuple-lines.nxn;\
policy:policy.nxn;policy:policy.nxn,play=sample;relative:relative.nxn;adp:adp.nxn;mcts:sims=15,prior=policy:policy.nxn"
asked qlearn-eval 3x3 mcts:sims=15,rollout=qlearn:qlearn.nxn
played qlearn-play 3x3 6 qlearn:qlearn.nxn
untrained=--untrained
for agent in $lines $p $r adp; do
	asked eval-unlearned 3x3 $agent
done
asked qlearn-unlearned 3x3 qlearn
untrained=
for model in ntuple-2x3 policy-2x3 adp-2x3; do
	also solve-learned "nxn solve --full --board 2x3 --policy ${model%%-*}:$model.nxn --no-times --table 2x3.opt"
done

# Commands that make folders ------------------------------------------------------------------------

# compared NAME COMMAND: run NAME is what a command that plays games, without -o and -j, prints, its log,
# tables and figures. One thread does what two do.
compared()
{
	made "$1" || return 0
	case $2 in compare*) lists=' --by-board' ;; *) lists= ;; esac
	gives 0 "nxn $2 -o $1$lists -j 2 --no-times"
	cp stdout "$out/$1"
	[ -s stderr ] && complain "$1: complaints"
	logged "$1" "$1/games.tsv"
	gives 0 "nxn $2 -o $1.one -j 1 --no-times --no-figures"
	alike "$1" "$1" "$1.one" games.tsv
	sed -i "s|^\(# command: .*\)$lists -j 2 --no-times$|\1|" "$1/games.tsv"
	tabled "$1" "$1"
	for model in "$1"/models/*; do
		[ ! -e "$model" ] || sha256sum "$model" >>"$out/$1"
	done
	for trace in "$1"/traces/*; do
		[ ! -e "$trace" ] || shown "$trace" >>"$out/$1"
	done
}

compared compare 'compare -b 2x3,3x3,4x4 -a "random;greedy;corners;expectimax:depth=1" -g 20 -s 3'
compared compare-many "compare -b 2x2,2x3 -a 'random;corners;greedy:ties=random' -g 600 -s 3"

cat >learners.yaml <<'END'
name: learners
seed: 7
title: Learners & others, 50% of them
boards: [2x3, 3x3]
spawn: 2:0.8,4:0.2
start-tiles: 3
traces: 1
sequences:
  - agents: [random, "expectimax:depth=1"]
    games: 20
  - agents: ["ntuple:tuples=lines", "policy:hidden=8", adp]
    train: 60
    evaluate: 10
    repeat: 3
    games: 12
  - agents: ["relative:hidden1=8,hidden2=6"]
    label: Relative
    train: 40
    evaluate: 8
    repeat: 2
    games: 16
END
compared run-learners 'compare learners.yaml'
told run-dry 'nxn compare learners.yaml --dry-run'
sed 's/ntuple:tuples=lines/qlearn/; /policy:/s/, "policy.*adp//; /relative/,$d' learners.yaml | sed '$d' >qlearn.yaml
compared qlearn-run 'compare qlearn.yaml --no-figures'
cat >players.yaml <<'END'
boards: [3x3, 3x4]
seed: 5
sequences:
  - agents: [greedy, "mcts:sims=10", "expectimax:value=strong,depth=1"]
    games: 5
  - agents: [corners]
    label: "the corner's"
    games: 9
END
compared run-players 'compare players.yaml --no-figures'
# Experiments that come with nxn; rows of qlearn apart.
! made run-experiments || : >"$out/run-experiments"
! made run-experiments || : >"$out/qlearn-experiments"
for experiment in $(! made run-experiments || nxn info experiments | sed -n 's/^\([a-z0-9-]*\)  .*/\1/p'); do
	nxn compare "$experiment" --dry-run >dry 2>stderr || complain "no dry run of $experiment"
	plain <dry >stdout
	grep -v qlearn stdout | sed "s/^/$experiment: /" >>"$out/run-experiments"
	grep qlearn stdout | sed "s/^/$experiment: /" >>"$out/qlearn-experiments"
done

if [ "$all" ]; then
# Going on: fewer games, then all of them.
gives 0 'nxn compare -b 3x3 -a random,corners -g 7 -s 3 -o on --no-times --no-figures'
gives 0 'nxn compare -b 3x3 -a random,corners -g 15 -s 3 -o on --no-times --no-figures'
cp stdout "$out/compare-on"
logged compare-on on/games.tsv
# Shares, merged.
for i in 2 3 1; do
	also merge "nxn compare -b 2x3,3x3 -a 'random;expectimax:depth=1' -g 20 -s 3 -o shares --shard $i/3 --no-times -j 2"
	cat stderr >>"$out/merge"
done
gives 0 'nxn compare -b 3x3 -a greedy -g 10 -s 3 -o other --no-times --no-figures'
also merge "nxn compare -b 2x3,3x3 -a 'random;expectimax:depth=1' -g 20 -s 3 -o shares --no-times --no-figures -j 2 2>&1"
logged merge shares/games.tsv
mkdir merged && cp shares/games.tsv merged/games.shares.tsv && cp other/games.tsv merged/games.other.tsv
fi
for table in summary results spread tiles reach scores curve means ratios; do
	told "stats-$table" "nxn report --tsv=$table compare merged run-learners"
done
told stats-people 'nxn report --spread compare merged run-learners'
told stats 'nxn report compare merged run-learners compare-many'

# Curves have times, in the third column; a model's figure must not.
! made plot-curve || awk -F '\t' -v OFS='\t' '/^[0-9]/ { $3 = $1 / 1000 } { print }' learn-ntuple-lines/c.tsv >curve.tsv
told plot-curve 'nxn report curve.tsv -o plotted-curve'
tabled plot-curve plotted-curve curve

# untimed FILE: a log of searches, or a table of a sweep, without times and what follows from them; the
# machine is part of what searches are filed under.
untimed()
{
	awk -F '\t' -v OFS='\t' '
	/^#/ || /^$/ { print; next }
	!named++ { for (i = 1; i <= NF; i++) timed[i] = $i ~ /^"?(config|seconds|(ms|median|played)(_low|_high)?|front)"?$/ }
	{ for (i = 1; i <= NF; i++) if (timed[i]) $i = "-"; print }' "$1"
}

# swept NAME COMMAND: run NAME is what a sweep, without -o, finds but for times.
swept()
{
	made "$1" || return 0
	gives 0 "nxn $2 -o $1 -j 2 --no-times --no-figures"
	[ -s stderr ] && complain "$1: complaints"
	{
		shown "$1/positions.txt"
		echo "== $1/searches.tsv"
		untimed "$1/searches.tsv" | grep -v '^#' | sort
		echo "== $1/tables/sweep.tsv"
		untimed "$1/tables/sweep.tsv" | plain
		find "$1" -type f | sort
	} >"$out/$1"
	[ ! -s "$1/games.tsv" ] || logged "$1" "$1/games.tsv"
}
swept sweep 'sweep -b 2x3,3x3,4x4 -d 1-3 -c 1e-1,1e-2 -p 12 -g 3 -s 5 -B 1s'
swept sweep-strong 'sweep -b 3x3,5x5,6x6 -a expectimax:value=strong,leaf=after -d 1-2 -c 1e-2 -p 9 -s 5'
cat >sweep.yaml <<'END'
boards: [3x3, 3x4]
seed: 9
sweep:
  agent: expectimax:value=linear9
  depths: 1-2
  cutoffs: [1e-1, 1e-2]
  positions: 8
  games: 4
  budget: [1s]
END
swept sweep-run 'compare sweep.yaml'

compared duel 'duel corners greedy -b 2x3 -s 5 -g 400'
compared duel-4x4 'duel corners greedy -s 5 -g 2000'
compared duel-bound 'duel random greedy:ties=random -b 2x2 -s 5 -g 300 --bound 50% --batch 20'
told duel-power 'nxn duel corners greedy --power 5% -b 2x3 -s 5 --no-times --no-figures -o power --pilot 150'
told duel-sd 'nxn duel --power 10% --sd 60% --alpha 1% --beta 20%'

# gapped NAME COMMAND: run NAME is what nxn gap, without -o and -j, finds, which one thread does, too.
gapped()
{
	made "$1" || return 0
	gives 0 "nxn $2 -o $1 -j 2"
	cp stdout "$out/$1"
	[ -s stderr ] && complain "$1: complaints"
	logged "$1" "$1/gap.tsv"
	gives 0 "nxn $2 -o $1.one -j 1 --no-figures"
	alike "$1" "$1" "$1.one" gap.tsv
	tabled "$1" "$1"
	for model in "$1"/models/*; do
		[ ! -e "$model" ] || sha256sum "$model" >>"$out/$1"
	done
	for table in "$1"/*.nxo; do
		[ ! -e "$table" ] || solved "$1" "$table"
	done
}
gapped gap 'gap -b 2x3 -a "random;greedy;corners;expectimax:depth=1;mcts:sims=8" -g 60 -s 5'
gapped gap-learners 'gap -b 2x2 -a "ntuple:tuples=lines;policy:hidden=8;adp;relative:hidden1=8,hidden2=6" -t 200 --curve 3 -g 60 -s 5'
gapped gap-exact 'gap -b 2x3 -a "expectimax;ntuple:ntuple-2x3.nxn;policy:policy-2x3.nxn" --exact always --table 2x3.opt'
gapped gap-target 'gap -b 2x3 -a "random;expectimax:depth=1" --exact never -g 80 --table target.opt -s 5'
gapped qlearn-gap 'gap -b 2x2 -a "random;qlearn" -t 200 --curve 3 -g 60 -s 5'

# tuned NAME COMMAND: run NAME is the table of nxn tune, without -o and -j, which one thread makes, too.
tuned()
{
	made "$1" || return 0
	gives 0 "nxn $2 -s 5 -j 2 -o $1.tsv"
	cp stdout "$out/$1"
	[ -s stderr ] && complain "$1: complaints"
	sed 's/ -j 2 -o/ -o/' "$1.tsv" | plain >>"$out/$1"
	gives 0 "nxn $2 -s 5 -j 1 -o $1.one.tsv"
	grep -v '^# command: ' "$1.tsv" >rows
	grep -v '^# command: ' "$1.one.tsv" | cmp - rows || complain "$1: one thread makes another table"
}
tuned tune 'tune -a expectimax:depth=1 -p "w_*" -b 3x3 -N 7 -m 3 -G 3 -g 6 --held-out 10 --check 2'
tuned tune-linear 'tune -a expectimax:depth=1,value=linear9 -p "w1,w2=3~1" -b 2x3 -N 6 -m 2 -G 3 -g 5 --held-out 8 --objective log --constant-noise --noise 0.1 --tolerance 0.01'
tuned tune-tile 'tune -a expectimax:depth=1,value=strong -p "w_*" -b 3x3 -N 5 -m 2 -G 2 -g 4 --held-out 5 --objective tile=128 --sigma 0.3'
told plot-tune 'nxn report tune.tsv -o plotted-tune'
tabled plot-tune plotted-tune tune

# Games by themselves -------------------------------------------------------------------------------

if [ "$all" ]; then
for agent in expectimax corners random mcts:sims=10 policy:policy.nxn ntuple:ntuple-lines.nxn optimal:2x3.opt; do
	board=3x3
	[ "$agent" != optimal:2x3.opt ] || board=2x3
	also play "nxn play -a $agent -b $board -s 5 -g 2 --trace trace.tsv"
	grep -v '^# configuration: ' trace.tsv >trace
	shown trace >>"$out/play"
	rm -f trace.tsv
done
also play 'nxn play -a greedy -s 5 --moves'
also play 'nxn play -a random --start 0,2/2,0 --spawn 2:1 -s 5'
told play-record 'nxn play -a expectimax:depth=1 -b 3x3 -s 5 -j 2 --record games.rec --games 8'
also play-record 'nxn play -a corners -b 4x4 -s 6 -g 3 --record games.rec'
also play-record 'nxn play -a policy:policy.nxn -b 3x3 -s 5 -j 1 --record games.rec --games 3'
plain <games.rec | sort >>"$out/play-record"
echo 'wdsawdsazwdqq' >keys
told play-human 'nxn play --human -b 2x3 -s 5 <keys 2>/dev/null'
also play-human 'echo "urdlurdl?ud" | nxn play --human -a corners -b 3x3 -s 5 --record human.rec --player me 2>/dev/null'
plain <human.rec >>"$out/play-human"
told play-replay 'nxn play --replay games.rec | cut -f 2- | sort'
also play-replay 'nxn play --replay games.rec --game 6'
also play-replay 'nxn play --replay human.rec --line 10'
fi

# Bundles -------------------------------------------------------------------------------------------

# bundled NAME RUN...: run NAME is what the bundle of runs holds, but for drawings, and run NAME-page is its
# page.
bundled()
{
	made "$1" || return 0
	name=$1
	shift
	gives 0 "nxn report $* -o $name"
	cp stdout "$out/$name"
	[ -s stderr ] && complain "$name: complaints"
	(
		cd "$name" || exit
		find . -type f | sort
		for file in $(find . -type f ! -name '*.svg' ! -name '*.pdf' ! -name SHA256SUMS | sort); do
			case $file in
			./index.html)
				sed -e 's/"svg":"\([^"\\]\|\\.\)*"/"svg"/g' -e 's/"nxn [0-9][^"]*"/"nxn VERSION"/g' \
					-e 's/"\(instruction set\|compiler\|processor\|host\): [^"]*"/"\1: ..."/g' $file >"$out/$name-page"
				;;
			./README.md | ./provenance.txt) shown $file ;;
			./data/*/games.tsv | ./data/*/gap.tsv | ./runs/*/games.tsv) games "$file" | sha256sum | sed "s|-|$file|" ;;
			*) sums "$file" ;;
			esac
		done
	) >>"$out/$name"
	also "$name" "nxn verify $name --fraction 20% -s 3 | sort"
}
bundled paper compare run-players duel gap tune.tsv curve.tsv
bundled paper-learners run-learners gap-learners --models
bundled qlearn-paper qlearn-run qlearn-gap

# Every agent has a run in which it plays ------------------------------------------------------------

for agent in $([ ! "$all" ] || echo $listed); do
	ls "$out" | grep -q "^\(play-\)\{0,1\}$agent\(-.*\)\{0,1\}$" || complain "no run in which $agent plays"
done

# What came out --------------------------------------------------------------------------------------

for file in "$out"/*; do
	[ -s "$file" ] || complain "${file##*/} is empty"
done
grep -lF "$work" "$out"/* && complain 'these name the folder they were made in'
(cd "$out" && sha256sum -- *) | awk '{ print $2, substr($1, 1, 16) }' >reference.new

keep=${KEEP:-}
if [ "${1:-}" = --print ]; then
	cat reference.new
else
	awk -v all="$all" 'FNR == NR { want[$1] = $2; next }
		{ have[$1] = 1 }
		!($1 in want) { print $1 ": no such run in reference.txt" }
		$1 in want && want[$1] != $2 { print $1 ": differs" }
		END { if (all) for (run in want) if (!(run in have)) print run ": was not run" }' \
		"$here/reference.txt" reference.new | sort >differences
	rm -f stderr
	while read -r line; do complain "$line"; done <differences
	[ $bad -eq 0 ] || keep=${keep:-reference.out}
fi
if [ "$keep" ]; then
	(cd "$started" && mkdir -p "$keep" && cp "$out"/* "$keep") || exit 99
	[ $bad -eq 0 ] || echo "What the runs gave is in $keep." >&2
fi
exit $bad
