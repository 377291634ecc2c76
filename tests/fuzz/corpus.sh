#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus.sh NXN UNPACK: makes what fuzz targets start from in tests/fuzz/corpus, by nxn itself where it
# is binary. What is there already stays: inputs that have crashed a target once are there, too.
set -eu
nxn=$(realpath "$1") unpack=$(realpath "$2")
cd "$(dirname "$0")/corpus"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seed NAME FILE: standard input becomes FILE of target NAME, unless it is there.
seed()
{
	mkdir -p "$1"
	if [ -e "$1/$2" ]; then cat >/dev/null; else cat >"$1/$2"; fi
}

printf '0,2/4,8' | seed position 2x2
printf '2,2,0,4/0,0,0,0/8,0,0,131072' | seed position 3x4
printf '0,2,0,0,0,0/0,0,0,0,0,0/0,0,0,2,0,0/0,0,0,0,0,0/0,4,0,0,0,68719476736/0,0,0,0,0,0' | seed position 6x6
printf '4x4\n2:0.9,4:0.1\n2\n' | seed game plain
printf '2x3\n2:0.5,4:0.25,8:0.125,1024:0.125\n6\n' | seed game kinds
printf '\n\n\n0,2,4,8/2,2,0,0/0,0,0,0/0,0,0,0' | seed game start
printf '3x3\n2:1\n1\n2,0,0/0,2,0/0,0,0' | seed game start-3x3

printf '2x2\nrandom' | seed agent random
printf '3x3\nexpectimax:depth=2,cutoff=1e-3,value=heuristic,w_empty=3,tt=1M' | seed agent expectimax
printf '2x3\nexpectimax:ms=10,threads=1,value=strong,prob=auto' | seed agent expectimax-ms
printf '4x4\nmcts:playouts=100,prior=policy:hidden=4,4+play=sample' | seed agent mcts
printf '2x2\nqlearn:eta=0.5,error=linear,levels=4,terminal=zero' | seed agent qlearn
printf '3x3\nntuple:tuples=lines+rectangles=2x2,share=none,rate=tc,levels=6' | seed agent ntuple
printf '3x3\nntuple:tuples=lines,share=all,curriculum=2x3:9+3x3:1' | seed agent ntuple-shared
printf '2x2\npolicy:hidden=4,4,stages=8+16,credit=critic,batch=2' | seed agent policy
printf '3x3\nrelative:game_type=mini_random,mini_first=16,mini_last=32,win=none' | seed agent relative
printf '3x3\nadp:ties=UR,DL,constant=1,batch=3' | seed agent adp
printf '2x2\nexternal:command=true one=2,timeout=3' | seed agent external
printf '2x2\noptimal:file=/nowhere' | seed agent optimal

printf '4x4\n012345,456789+012456,45689a' | seed patterns digits
printf '5x5\nlines+rectangles=2x3,snakes=6' | seed patterns sets
printf '3x5\n4x6+8x6' | seed patterns published
printf '4x4\ngroup1' | seed patterns group1

for words in "nc -l 2048" "'a b' \"c d\" e\\ f" "x"; do
	printf '%s' "$words" | seed command "$(printf '%s' "$words" | cksum | cut -d' ' -f1)"
done

printf '1-9' | seed options depths
printf '1e-4' | seed options cutoff
printf '10ms' | seed options budget
printf '3x3,4x4,5x6' | seed options boards
printf 'random,expectimax:depth=2,cutoff=1e-3,corners' | seed options agents
printf 'adp:ties=UR,DL;greedy' | seed options semicolon
printf '18446744073709551615' | seed options number

printf '# comment\n0,2/4,8\n\n0,2,4,8/2,2,0,0/0,0,0,0/0,0,0,0\n2,0,0,0,0/0,0,2,0,0/0,0,0,0,0\n' | seed positions three
printf '0,2/4,8\n2,2/4,8\r\n0,0/2,2 \n' | seed positions one

printf 'hello 1 moves act step value boards=3x3,3x4 largest=131072\nnew\nmoves 0:2,2,0,4/0,0,0,0/8,0,0,2 4:4,0,0,0/0,0,0,0/8,0,0,2 - 8:0,0,0,2/0,0,0,0/8,0,0,2\nact U 1.5 - -2e10 0\nstart 0,0,0,2/0,0,0,0/2,0,0,0 URDL 0\nstep 2,0,0,2/0,0,0,0/0,0,2,0 RDL 0\nvalue -3.5e2\nmoves - - - -\nact L\nerror no\n' | seed protocol session
printf 'hello 1\nnew 4x4 2:0.9,4:0.1\nmoves 2,2/4,0\nact 2,2/4,0 7\nact 0,2,0/0,0,0\nnew 2x3 2:1\nact 0,2,0/0,0,0 3\nnonsense\nstart 7\nstep U\nstep L\nquit\n' | seed serve session


# Logs, records and curves of real runs.
"$nxn" compare -b 2x2,2x3 -a 'random;greedy' -g 3 -s 1 --no-figures -o "$work/run" >/dev/null 2>&1
seed gamelog compare <"$(find "$work/run" -name '*.tsv' | xargs grep -l 'max_tile' | head -n 1)"
head -c 600 gamelog/compare | seed gamelog torn
{ head -n 20 gamelog/compare && echo ==== && grep -v '^#' gamelog/compare; } | seed parts two
"$nxn" sweep -b 2x2 --depths 1,2 --cutoffs 1e-2 --positions 2 --no-figures -o "$work/sweep" >/dev/null 2>&1
seed rowlog sweep <"$(find "$work/sweep" -type f | xargs grep -l '^config	board	agent	position' | head -n 1)"
"$nxn" gap -b 2x2 -a 'random,greedy' -g 3 --no-figures -o "$work/gap" >/dev/null 2>&1
seed rowlog gap <"$(find "$work/gap" -type f | xargs grep -l '^config	board	agent	trained' | head -n 1)"
"$nxn" play -b 2x2 -a greedy -g 3 --record "$work/games" >/dev/null 2>&1
seed record 2x2 <"$work/games"
"$nxn" play -b 3x4 -a greedy -g 1 --record "$work/wide" >/dev/null 2>&1
seed record 3x4 <"$work/wide"

# Models: packed for the target of whole files, unpacked for those of learners.
# model LEARNER NAME BOARD SETTINGS
model()
{
	"$nxn" train -b "$3" "$1:$4" -e 5 --out "$work/$1-$2" --curve "$work/$1-$2.tsv" >/dev/null 2>&1 ||
		{ echo "cannot train $1:$4" >&2; return 1; }
	seed model "$1-$2" <"$work/$1-$2"
	"$unpack" "$work/$1-$2" | seed "model_$1" "$2"
}
model qlearn plain 2x2 eta=1
model qlearn linear 2x3 error=linear,levels=3
model ntuple plain 2x2 tuples=lines,lambda=0.5
model ntuple shared 2x3 tuples=rectangles=1x2,share=all,curriculum=2x2:7,lanes=2
model ntuple backward 2x2 tuples=lines,rate=tc,update=backward
model ntuple visits 2x3 tuples=01,rate=visits,lanes=2,rule=q
model policy plain 2x2 hidden=4,batch=2
model policy critic 2x2 hidden=2,credit=critic,stages=8,optimiser=adam,batch=2
model policy stages 2x2 hidden=2,credit=critic,stages=4+8,optimiser=sgd,batch=2
model relative plain 2x2 hidden1=2,hidden2=2,batch_size=2,win=8
model relative mini 3x3 hidden1=2,hidden2=2,batch_size=2,win=none,game_type=mini_iterative,mini_first=16,mini_last=32
model adp plain 2x2 batch=3
model adp constant 3x3 constant=1,batch=2
# With a block that is open.
timeout -s TERM 1 "$nxn" train -b 3x3 adp:batch=100 -e 1000000 --block 1000000 --out "$work/open" >/dev/null 2>&1 || :
seed model open <"$work/open"
for curve in "$work"/*.tsv "$work"/*curve*; do
	[ ! -f "$curve" ] || seed curve "$(basename "$curve")" <"$curve"
done

# Tables of a report.
seed tsv summary <"$work/run/tables/summary.tsv"
seed tsv tiles <"$work/run/tables/tiles.tsv"
seed tsv gap <"$work/gap/tables/gap-phase.tsv"
printf '# a\r\n# block 1: 2x2 \302\241\n"a"\t"a_low"\t"a_high"\t"b low"\t"b"\t"b high"\n1e9\tNaN\t1\t""\t-inf\t"\r\n\n\n# block 2: \n"a"\n' |
	seed tsv odd

# Tables and layers.
"$nxn" solve -b 2x2 --out "$work/table" >/dev/null 2>&1
"$nxn" solve -b 2x2 --max-sum 12 --work "$work/layers" >/dev/null 2>&1
seed table 2x2 <"$work/table"
tail -c +1089 "$work/layers/layers.nxl" | seed layer_file 2x2
"$nxn" solve -b 2x2 --target 8 --out "$work/target" >/dev/null 2>&1
seed table target <"$work/target"

# Experiments.
sed 's/^ *//' <<-'EOF' | seed experiment none
	# nothing
EOF
cat <<'EOF' | seed experiment sequences
name: small
title: "A small one"
seed: 7
spawn: 2:0.5,4:0.5
start-tiles: 1
traces: 1
boards: [2x2, 3x3]
agents: &players
  - random
  - "expectimax:depth=1,cutoff=0"
games: 10
sequences:
  - {}
  - agents: *players
    boards: 2x3
    games: 3
  - agents: ["qlearn:eta=0.5"]
    label: learner
    train: 10
    evaluate: 5
    repeat: 2
    games: 0
EOF
cat <<'EOF' | seed experiment sweep
boards: 2x2
sweep:
  agent: expectimax
  depths: [1-3]
  cutoffs: [1e-2, 1e-3]
  positions: 5
  games: 2
  cell-limit: 1s
  budget: 10ms
EOF
printf 'boards: 2x2\nagents: random\ngames: 1\nms-per-move: 5\n' | seed experiment time
# Where it was made is nobody's business.
grep -rlaF "$work/" . | while read -r file; do sed -i "s#$work/##g" "$file"; done
du -sh . >&2
