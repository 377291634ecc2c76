#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random valid experiments, one after the other, for SOAK seconds (300 by default; an hour with NXN
# built under sanitizers says most): board, spawn rule, agents with random parameters, learners, sweeps,
# gaps, duels. Each has to end well and silently; with other threads, and in two shares, it has to come
# to the same results; asked once more it plays nothing and prints the same.
# SEED for the same experiments again, FIRST for the number of the first one.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
seconds=${SOAK:-300}
seed=${SEED:-$(date +%s)}
number=${FIRST:-1}
echo "# SEED=$seed SOAK=$seconds"

# Prints the arguments of experiment number NUMBER: a command without folder and threads.
draw()
{
	awk -v seed="$seed" -v number="$1" '
	function below(n) { return int(rand() * n) }
	function pick(text,  a, n) { n = split(text, a, " "); return a[1 + below(n)] }
	# One of the values of each parameter in TEXT, each parameter with probability P.
	function some(text, p,  a, n, i, out) {
		n = split(text, a, ";")
		for (i = 1; i <= n; i++)
			if (rand() < p) {
				split(a[i], item, "=")
				out = out (out == "" ? "" : ",") item[1] "=" pick(item[2])
			}
		return out
	}
	# The same behind parameters that there are already.
	function more(text, p,  out) { out = some(text, p); return out == "" ? "" : "," out }
	function with(name, text) { return text == "" ? name : name ":" text }
	function search(  value) {
		value = pick("heuristic strong linear9 ordered score empty")
		return with("expectimax", "depth=" pick("1 1 2") ",value=" value \
			more("leaf=auto state after;cutoff=0 1e-3 0.05 1;tt=0 1M;" (below(2) ? "threads=1 2" : "nodes=500 4000"), 0.3))
	}
	function plain(  kind) {
		kind = below(9)
		if (kind == 0) return "random"
		if (kind == 1) return with("greedy", some("ties=random LDRU", 0.5))
		if (kind == 2) return "corners"
		if (kind <= 5) return search()
		return with("mcts", "sims=" pick("1 5 20") more("memory=1M 4M;c=0.1 1 3", 0.4))
	}
	function learner() {
		return pick("qlearn adp policy relative ntuple ntuple")
	}
	function learned(name) {
		if (name == "qlearn")
			return with(name, some("eta=0.5 1;gamma=0.9 1;epsilon=0 0.1;error=sqrt linear;terminal=zero neg-score;scale=visits none;reward=added learned;levels=0 6", 0.3))
		if (name == "adp")
			return with(name, some("update=descent printed lstsq;error=mean sum;constant=0 1;batch=1 5;reward=sum score max;standardise=0 1;ties=first random;lost=shown zero", 0.3))
		if (name == "policy")
			return with(name, "hidden=" pick("4 9 8,5") more("play=argmax sample;input=onehot exponents;symmetry=none canonical;actions=probabilistic egreedy;batch=2 5;gradient=reinforce printed;reward=sum score max moves win;credit=game togo critic;minibatch=0 7;epochs=1 3;clip=0 0.2;alpha=0 0.01", 0.25))
		if (name == "relative")
			return with(name, "hidden1=" pick("3 9") ",hidden2=" pick("2 7") more("play=argmax sample;batch_size=2 5;lr=0 0.01;input=exponents onehot;symmetry=none canonical;among=legal all;bad=0 1;minibatch=0 9;win=none 32", 0.25))
		return with("ntuple", "tuples=lines" more("levels=4 9 auto;share=none orbit all;init=0 500;rule=td-after td-state q;update=forward backward;rate=fixed tc visits;alpha=0 0.05 0.1;lambda=0 0.3 0.8;gamma=0.9 1;epsilon=0 0.1;error=linear sqrt;retries=0 2;lanes=1 2 5", 0.3))
	}
	# N agents that differ.
	function agents(n,  out, agent) {
		for (out = plain(); --n > 0; )
			if (index(";" out ";", ";" (agent = plain()) ";") == 0)
				out = out ";" agent
		return out
	}
	function rules(  text) {
		if (rand() < 0.4)
			text = text " --spawn " pick("2:1 4:1 2:0.8,4:0.2 2:0.5,4:0.3,8:0.2 2:0.9,8:0.1")
		if (rand() < 0.3)
			text = text " --start-tiles " (1 + below(3))
		return text
	}
	BEGIN {
		srand(seed)
		for (i = 0; i < number; i++)
			start = int(rand() * 2 ^ 31)
		srand(start); rand()
		small = pick("2x2 2x3 3x2 2x4")
		board = rand() < 0.4 ? small : pick("3x3 3x4 4x3 2x5 4x4 2x6")
		large = pick("4x5 5x5 6x6 5x4")
		kind = below(10)
		common = " -s " below(1000000)
		if (kind <= 3)
			print "compare -b " board (rand() < 0.3 && board != small ? "," small : "") " -g " 1 + below(20) common rules() " -a \x27" agents(1 + below(3)) "\x27"
		else if (kind == 4)
			print "compare -b " large " -g " 1 + below(2) common " -a \x27random;" pick("greedy corners mcts:sims=1") "\x27"
		else if (kind <= 6) {
			name = learner()
			print "train -b " board " -e " (name == "relative" ? 8 : 20 + below(80)) " --block " 4 + below(16) common rules() " \x27" learned(name) "\x27"
		} else if (kind == 7)
			print "gap -b " pick("2x2 2x3") " -g " 2 + below(30) common " -a \x27" agents(1 + below(2)) "\x27"
		else if (kind == 8)
			print "duel -b " small " --max-games " pick("100 400") common " \x27" agents(1) "\x27 greedy:ties=DRUL"
		else
			print "sweep -b " pick("2x3 3x3") " -d " pick("1 1,2") " -c " pick("1e-2 0 1e-1,1e-3") " -p 3 -g 2" common
	}'
}

# silent WHAT: nothing but notes on standard error.
silent()
{
	grep -v '^nxn [a-z]*: .*\(kept\|already\|goes on\)\|they play the same games$' stderr | grep -q . && complain "$1: complaints"
	grep -q 'nan' stdout && complain "$1: nan"
}

# runs FOLDER THREADS [OPTION]: the experiment there, once.
runs()
{
	case $arguments in
	train*) into="-o $1/m.nxn --curve $1/c.tsv" ;;
	compare* | sweep*) into="-o $1 --no-figures --no-times" ;;
	*) into="-o $1 --no-figures" ;;
	esac
	gives 0 "nxn $arguments -j $2 $into ${3:-}"
}

# What must be the same: models, and rows in any order without the seconds of a game.
digest()
{
	(cd "$1" && find . -name games.tsv -o -name gap.tsv -o -name m.nxn | sort | while read -r file; do
		echo "$file"
		case $file in
		*.tsv) grep -v '^#' "$file" | cut -f 1-10,12- | sort | cksum ;;
		*) cksum <"$file" ;;
		esac
	done)
}

end=$(($(date +%s) + seconds)) done=0
while [ "$(date +%s)" -lt "$end" ] && [ "$bad" -eq 0 ]; do
	arguments=$(draw "$number")
	[ -n "${VERBOSE:-}" ] && echo "$number nxn $arguments"
	rm -rf a b
	mkdir a b
	runs a 1
	silent "nxn $arguments"
	cp stdout first
	case $arguments in
	train*) runs b 1 ;;
	compare* | gap*)
		runs b 3 --shard=2/2
		runs b 2 --shard=1/2
		runs b 3
		;;
	*) runs b 3 ;;
	esac
	digest a >digest.a
	digest b | cmp -s - digest.a || complain "other results with other threads: nxn $arguments"
	case $arguments in
	compare* | gap*)
		runs a 2
		cmp -s first stdout || complain "prints something else when asked again: nxn $arguments"
		digest a | cmp -s - digest.a || complain "plays again: nxn $arguments"
		;;
	esac
	[ "$bad" -eq 0 ] || echo "# experiment $number of SEED=$seed"
	number=$((number + 1)) done=$((done + 1))
done
echo "# $done experiments"
exit $bad
