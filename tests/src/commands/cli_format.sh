#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --format on every command that prints a result: tsv and json hold the same table, which is that of the
# folder where there is one; standard output has nothing else, and the exit status is that of the text.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle
export NXN_PLOTS=
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }

# Commands with a folder: its table, from a run that has nothing left to do.
folder()
{
	gives 0 "$2"
	gives 0 "$2 --format=json"
	mv stdout "$1.json"
	gives 0 "$2 --format=tsv"
	mv stdout "$1.tsv"
	json_agrees "$1.json" "out/tables/$1.tsv" "$1"
	grep -v '^#' "$1.tsv" >rows
	grep -v '^#' "out/tables/$1.tsv" | cmp -s - rows || complain "$1: tsv is not the table in the folder"
	grep -q "^# command: nxn .* --format=tsv$" "$1.tsv" || complain "$1: no provenance"
	rm -rf out
}
folder results 'nxn compare -b 2x2,2x3 -a random,greedy -g 5 -o out --no-figures'
cat >some.yaml <<'END'
title: Some games
boards: [2x2]
agents: [random, corners]
games: 5
END
folder results 'nxn compare some.yaml -o out --no-figures'
folder sweep 'nxn sweep -b 2x2,2x3 -d 1,2 -c 0 -p 3 -g 3 -B 1ms -o out --no-figures'
folder gap 'nxn gap --board 2x2 --agents random,greedy --games 10 --exact never -o out --no-figures'
folder duel 'nxn duel -b 2x2 random greedy -g 200 -o out --no-figures'

# Those without: the same command twice. COLUMNs behind it differ from run to run.
both()
{
	table=$1 command=$2
	shift 2
	gives 0 "$command --format=tsv"
	mv stdout one.tsv
	gives 0 "$command --format=json"
	mv stdout one.json
	json_agrees one.json one.tsv "$table" "$@"
}
seq 2 2 200 >a.txt
seq 1 100 >b.txt
both duel 'nxn duel --scores a.txt b.txt'
both plan 'nxn duel --power 2% --sd 60%'
both summary 'nxn report --scores a.txt b.txt'
both solve 'nxn solve -b 2x2 --no-times'
# tests/vectors/exact.txt has these of 2x2.
grep -q '"states":110,.*"expected_score":66.96414945' one.json || complain 'solve: not the optimum of 2x2'
both solve 'nxn solve -b 2x2 --start 0,2/2,0 --policy greedy --no-times'
both perft 'nxn verify --start 0,2/2,0 --plies 8'
both verify 'nxn verify --only streams'
grep -q '"check":"streams",.*"ok":true' one.json || complain 'verify: nothing is ok'
both checks 'nxn verify --list'
both boards 'nxn info boards'
[ "$(grep -c '"kind":"boards"' one.json)" -eq 25 ] || complain 'info: not the 25 boards'
both program 'nxn info program'
for topic in agents values expectimax heuristic best; do
	both parameters "nxn info $topic"
done
nxn info expectimax | grep -c '^  [a-z_0-9]*=' >want
nxn info expectimax --format=json | grep -c '"parameter":"' | cmp -s - want || complain 'info: other parameters'
printf '0,2/2,0\n4,2/2,4\n2,4,8/4,8,2\n8,8,8/0,0,2\n' >positions
both eval 'nxn eval -a expectimax:depth=2 positions' ms
[ "$(grep -c '"move":"none","up":null,"right":null,"down":null,"left":null' one.json)" -eq 2 ] ||
	complain 'eval: games that are over have moves'
both bench 'nxn bench --boards 2x2 --repeats 1' median mad
both tune 'nxn tune -a expectimax:1 -p "w_*" -b 2x2 -N 4 -m 2 -G 2 -g 3 --held-out 20 -o tune.tsv'
both train 'rm -f m.nxn; nxn train qlearn -b 2x2 -e 300 --block 100 -o m.nxn' seconds
grep -q '"board":"2x2","trained":300,.*"games":100,' one.json || complain 'train: not its last block'
both model 'nxn info m.nxn'
gives 0 'nxn solve -b 2x2 --no-times -o t.nxo'
both table 'nxn info t.nxo'

# All else that is said is on standard error, and the exit status is what it is.
gives 0 'nxn compare -b 2x2 -a random -g 2 -o out --format=json'
has 'Page out/index.html; beside it games.tsv' stderr
mkdir vectors && cp "$source"/tests/vectors/*.txt vectors
sed '/^[13-9]x/d; /^[^#]/s/[0-9]*$/1/' "$source/tests/vectors/perft.txt" >vectors/perft.txt
gives 1 'nxn verify --only perft --vectors vectors --format=json'
has '"ok":false'
has 'first: ' stderr
has 'FAILED' stderr
gives 75 'nxn compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 1000 --time-budget 0.2s -o late --format=json'
python3 -IS -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <stdout || complain 'stopped: not JSON'
has 'stopped after' stderr
gives 0 'nxn compare --help'
for command in compare sweep gap duel report solve tune eval verify bench info train; do
	nxn "$command" --help | grep -q -e '--format=text|tsv|json' || complain "$command has no --format"
	case $all$command in 1* | compare | solve | info) fails 2 "--format: 'xml' is none of text, tsv, json" "nxn $command --format=xml" ;; esac
done
[ -e /dev/full ] && gives 1 'nxn verify --start 0,2/2,0 --plies 2 --format=json >/dev/full'
fails 2 '--format: not with --dry-run' 'nxn compare --dry-run --format=json'
fails 2 '--format: for one topic' 'nxn info --format=json'
# What changes the text alone is refused beside a format, before any work.
for command in 'compare -b 2x2' 'duel random greedy' 'sweep -b 2x2' 'gap -b 2x2 -a random' 'solve -b 2x2'; do
	fails 2 '--full: only as text, not with --format' "nxn $command --full --format=json"
done
fails 2 '--by-board: only as text, not with --format' 'nxn compare -b 2x2,2x3 --by-board --format=tsv'
[ ! -e out/duel ] || complain 'a duel was played before --full was refused'
exit $bad
