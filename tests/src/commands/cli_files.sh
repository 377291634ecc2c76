#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files: nothing is written through links that somebody has planted, two commands do not write in one folder
# at once, and what is no file is not waited for.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle

cat >demo.yaml <<'END'
boards: 2x2
traces: 1
games: 4
sequences:
  - {agents: qlearn, train: 9, evaluate: 2, repeat: 2}
  - {agents: [random, greedy]}
END
quick='-g 4 -j 1 --no-times'
gives 0 "nxn compare -b 2x2 -a random,greedy $quick --no-figures -o in/a"
gives 0 "nxn train qlearn -b 2x2 -e 30 --block 10 -o in/c.nxn --curve in/c.tsv"
gives 0 "seq 20 >in/scores; echo 2,2/0,0 >in/positions"

# ---- Links under temporary names. For every file that a command makes, links that lead out of the folder
# stand under the names that it may take on its way there.
mkdir outside
number=0
plant()
{
	(cd "$1" && find * -type f) | while read -r file; do
		[ -d "$2/${file%/*}" ] || case $file in */*) mkdir -p "$2/${file%/*}" ;; esac
		number=$((number + 1))
		for end in part tmp nxn-1.tmp; do
			name=$work/outside/$number-${file##*/}.$end
			echo mine >"$name"
			ln -s "$name" "$2/$file.$end"
		done
	done
}
while read -r command; do
	rm -rf out planted
	mkdir out
	gives 0 "nxn $command"
	mv out clean
	mkdir out
	plant clean out
	gives 0 "nxn $command"
	[ "$(ls outside | wc -l)" -gt 0 ] || complain "no links: nxn $command"
	grep -Lx mine outside/* >overwritten
	[ -s overwritten ] && complain "overwritten by nxn $command: $(cat overwritten)"
	(cd clean && find . -type f) | while read -r file; do
		[ -f "out/$file" ] && [ ! -L "out/$file" ] || echo "$file"
	done >missing
	[ -s missing ] && complain "no files of nxn $command: $(cat missing)"
	rm -rf clean outside/*
done <<'END'
compare demo.yaml -j 1 --no-figures -o out
train qlearn -b 2x2 -e 30 --block 10 -o out/m.nxn --curve out/c.tsv
sweep -b 2x2 -d 1 -c 1e-1 -p 2 -g 2 -j 1 --no-figures -o out
gap -b 2x2 -a random,qlearn -g 3 -t 8 -j 1 --no-figures -o out
duel greedy random -b 2x2 -g 40 --batch 20 --no-figures -o out
tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 --no-figures -o out/t.tsv
solve -b 2x2 -j 1 -o out/table --work out/layers
play -a random -b 2x2 --record out/r
play -a random -b 2x2 --trace out/t
END

# ---- Links in place of what stands in a folder: a folder or a log is refused, a page or table is replaced.
mkdir away
echo mine >away/file
while read -r name says command; do
	rm -rf out
	mkdir -p out/tables out/models out/traces out/layers out/t-games
	rm -rf "out/$name"
	case $says in folder) ln -s ../away "out/$name" ;; *) ln -s "$work/away/file" "out/$name" ;; esac
	case $says in
	folder) fails 2 "out/$name: is a symbolic link; expected a folder" "nxn $command" ;;
	file) fails 2 "out/$name: is a symbolic link; expected a" "nxn $command" ;;
	replaced)
		gives 0 "nxn $command"
		[ -L "out/$name" ] && complain "a link is left: $name"
		;;
	esac
	[ "$(ls away) $(cat away/file)" = 'file mine' ] || complain "written through out/$name: nxn $command"
done <<END
figures folder compare -b 2x2 -a random $quick -o out
tables folder compare -b 2x2 -a random $quick --no-figures -o out
models folder compare demo.yaml -o out
traces folder compare demo.yaml -o out
tables folder sweep -b 2x2 -d 1 -c 1e-1 -p 2 -j 1 -o out
models folder gap -b 2x2 -a qlearn -g 3 -t 8 -j 1 -o out
tables folder duel greedy random -b 2x2 -g 40 --batch 20 -o out
games.tsv file compare -b 2x2 -a random $quick -o out
searches.tsv file sweep -b 2x2 -d 1 -c 1e-1 -p 2 -j 1 -o out
positions.txt file sweep -b 2x2 -d 1 -c 1e-1 -p 2 -j 1 -o out
gap.tsv file gap -b 2x2 -a random -g 3 -j 1 -o out
t-games/games.tsv file tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 --no-figures -o out/t.tsv
t-games folder tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 --no-figures -o out/t.tsv
t-page folder tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 -o out/t.tsv
layers/layers.nxl file solve -b 2x2 -j 1 --work out/layers
index.html replaced compare -b 2x2 -a random $quick -o out
tables/results.tsv replaced compare -b 2x2 -a random $quick --no-figures -o out
END
rm -rf out
gives 0 'nxn report in/c.tsv -o out'
rm -r out/figures && ln -s ../away out/figures
gives 0 'nxn report in/c.tsv -o out'
[ -d out/figures ] && [ ! -L out/figures ] || complain 'a link is left in a bundle'
ln -s ../away out.nxn-new
gives 0 'nxn report in/c.tsv -o out'
[ "$(ls away)" = file ] || complain 'a bundle was written through a link'

# ---- What is not of nxn stays, and what is no folder is found, before a game is played.
while read -r file command; do
	rm -rf out
	mkdir -p "$(dirname "out/$file")"
	echo mine >"out/$file"
	fails 2 "out/$file: exists, but no log or table of nxn beside it" "nxn $command"
	[ "$(find out -type f) $(cat "out/$file")" = "out/$file mine" ] || complain "files of others: nxn $command"
done <<END
index.html compare -b 2x2 -a random $quick -o out
tables/results.tsv compare -b 2x2 -a random $quick --shard 1/2 -o out
figures/means.svg gap -b 2x2 -a random -g 3 -j 1 -o out
tables/cells.tsv sweep -b 2x2 -d 1 -c 1e-1 -p 2 -j 1 -o out
t-page/index.html tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 -o out/t.tsv
END
while read -r name make; do
	rm -rf out && mkdir out && $make "out/$name"
	fails 2 "out/$name: is not a folder" "nxn compare -b 2x2 -a random $quick -o out"
	[ "$(ls out)" = "$name" ] || complain "games were played beside $name"
done <<'END'
tables touch
figures mkfifo
models mkfifo
END

# ---- What killed processes have left goes with the next command, and what one is writing stays.
rm -rf out
compare="nxn compare -b 2x2 -a random $quick --no-figures -o out"
gives 0 "$compare"
mkdir out/figures
echo half >out/tables/means.tsv.nxn-1.tmp
echo half >out/figures/none.svg.nxn-7.tmp
echo half >out/notes.tmp
gives 0 "$compare"
[ "$(cd out && find . -name '*.tmp')" = ./notes.tmp ] || complain "leftovers: $(find out -name '*.tmp')"
if command -v flock >/dev/null; then
	gives 0 "flock out/tables/means.tsv.nxn-1.tmp $compare"
	[ -e out/tables/means.tsv.nxn-1.tmp ] || complain 'the file of another writer is removed'
fi

# ---- One command at a time in a folder.
at_work held/games.tsv 5 'nxn compare -b 3x3 -a random,expectimax:depth=4,cutoff=0 -g 3000 --no-figures -o held'
while read -r command; do
	fails 2 "held: another process is writing in this folder (process $pid on " "nxn $command"
done <<END
compare -b 2x2 -a random $quick -o held
compare -b 2x2 -a random $quick -o held --shard 1/2
compare demo.yaml -o held
sweep -b 2x2 -d 1 -c 1e-1 -p 2 -j 1 -o held
gap -b 2x2 -a random -g 3 -j 1 -o held
duel greedy random -b 2x2 -g 40 --batch 20 -o held
END
[ -e held/tables ] && complain 'a folder that another process has is written to'
gives 0 'nxn report held'
signalled KILL
gives 0 "nxn compare -b 2x2 -a random $quick --no-figures -o held"
[ -e held/.nxn.lock ] && complain 'a lock is left'
# A bundle is replaced as a whole.
gives 0 'nxn report held -o bundle'
if command -v flock >/dev/null; then
	echo "1 elsewhere" >bundle.lock
	fails 2 'bundle: another process is writing in this folder (process 1 on elsewhere)' \
		'flock bundle.lock nxn report held -o bundle'
	rm bundle.lock
fi
# The page of a tuning is in a folder, too.
tune='tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -j 1 -o t.tsv'
gives 0 "nxn $tune"
if command -v flock >/dev/null; then
	echo "1 elsewhere" >t-page/.nxn.lock
	fails 2 't-page: another process is writing in this folder (process 1 on elsewhere)' \
		"flock t-page/.nxn.lock nxn $tune >/dev/null"
fi

# ---- What is no file: refused by name, and never waited for.
mkfifo pipe
mkdir piped shared tabled vectors
mkfifo piped/games.tsv shared/games.1-of-2.tsv vectors/perft.txt
while read -r command; do
	fails 2 "$(echo "$command" | tr ' :' '\n\n' | grep -m 1 '^pipe\|^shared\|^vectors')" "timeout -k 1 20 nxn $command"
	grep -q 'a pipe\|regular file' stderr || complain "not what it is: nxn $command"
done <<END
report pipe
report pipe -o x
report piped
report piped -o x
report shared
compare -b 2x2 -a random $quick -o shared
compare -b 2x2 -a random $quick -o piped
compare pipe
info pipe
play --replay pipe
play -a random -b 2x2 --record pipe
play -a random -b 2x2 --trace pipe
play -b 2x2 -a ntuple:pipe
play -b 2x2 -a optimal:pipe
gap -b 2x2 -a random -g 3 --table pipe -o x
train qlearn -b 2x2 -e 3 -o pipe
train qlearn -b 2x2 -e 3 -o x.nxn --curve pipe
tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -o pipe
solve -b 2x2 -o pipe
verify --vectors vectors
END
for command in 'report --scores' 'sweep -b 2x2 -d 1 -c 1e-1 -o x --positions'; do
	fails 2 'in: is a folder; expected a file' "nxn $command in"
	fails 2 '/dev/zero: is a device; expected a file or a pipe' "timeout 20 nxn $command /dev/zero"
done

# A name that is too long is bad input, exit status 2: for files that nxn reads, writes and replaces, for folders
# and for locks.
long=$(printf '%0300d' 0)
while read -r command; do
	fails 2 'File name too long' "nxn $command"
done <<END
report $long
eval -b 2x2 $long
play -b 2x2 -a ntuple:$long
compare -b 2x2 -a random $quick -o $long
play -b 2x2 -a random --record $long
play -b 2x2 -a optimal:$long
train qlearn -b 2x2 -e 3 -o $long
solve -b 2x2 -o $long
solve -b 2x2 --work $long
END
# In this folder there is no room for the ending of a temporary file.
deep=$(printf '%0250d/' 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0)$(printf '%056d' 0)
fails 2 'nxn sweep: 0000' "nxn sweep -b 2x2 -d 1 -c 1e-1 -j 1 --no-figures --positions 3 -o $deep"

# What is read once may be a pipe. Ctrl-C ends the wait for one.
sweep='sweep -b 2x2 -d 1 -c 1e-1 -j 1 --no-figures --no-times'
while read -r file command; do
	gives 0 "nxn $command in/$file"
	grep -v "in/$file\|Page\|Log" stdout | sed "s|in/$file|FILE|" >from.file
	gives 0 "cat in/$file >pipe & nxn $command pipe"
	[ "$(grep -c . stdout)" -gt 0 ] || complain "no result: nxn $command pipe"
	gives 0 "cat in/$file | nxn $command /dev/stdin"
	[ "$(grep -c . stdout)" -gt 0 ] || complain "no result: nxn $command /dev/stdin"
	timeout --foreground -k 5 -s INT 1 nxn $command pipe >stdout 2>stderr
	got=$? # 124, or 137 if it had to be killed
	[ $got -eq 124 ] || complain "exit status $got: Ctrl-C does not end the wait: nxn $command pipe"
done <<END
scores report --scores
positions eval -b 2x2
positions $sweep -o swept --positions
END
gives 0 'cat in/scores >pipe & nxn duel --scores pipe in/scores --no-figures'
bash -c 'nxn report --scores <(seq 20)' >stdout 2>stderr || complain 'scores of a process'
has '10.5'
exit $bad
