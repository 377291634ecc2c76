#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that is full, fails, is lost or may only be read, and memory that ends: each in a place or two of
# those that tests/long/faults.sh goes through one by one. Standard output that takes nothing, for every
# command.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/faults/cases.sh"
. "$source/tests/faults/faults_lib.sh"

# Standard output that is full: one line, and exit status 1; what was to be left in files is there.
if [ -w /dev/full ]; then
	gives 0 'nxn train qlearn -b 2x2 -e 5 -o q.nxn'
	gives 0 'nxn solve -b 2x2 -o opt'
	gives 0 'nxn play --agent random -b 2x2 --games 2 --record rec'
	gives 0 'nxn compare -b 2x2 -a random -g 2 -o log --no-figures'
	while read -r arguments; do
		gives 1 "nxn $arguments >/dev/full </dev/null"
		tail -n 1 stderr | grep -q '^nxn: standard output: \(No space left on device\|write error\)$' ||
			complain "nxn $arguments: not said that standard output is full"
	done <<-'END'
		--help
		--version
		verify --start 0,2/2,0 --plies 8
		info
		info q.nxn
		bench --boards 2x2 --repeats 1
		verify --list
		compare -b 2x2 -a random,greedy -g 2 -o full --no-figures
		compare quickstart --dry-run --no-times
		sweep -b 2x2 -d 1 -c 0 -p 1 -o full --no-figures
		train qlearn -b 2x2 -e 5 -o full.nxn
		tune -a expectimax:depth=1 -b 2x2 -p w_* -N 2 -m 1 -g 1 -G 1 --held-out 2 -o full.tsv
		report log
		report --tsv=reach log
		play --agent random -b 2x2
		play --replay rec
		solve -b 2x2
		gap -b 2x2 -a random -g 2 -o full --no-figures
		eval --help
		report --help
	END
	games full/games.tsv >/dev/null || complain 'no games after standard output was full'
	[ -s full.nxn ] || complain 'no model after standard output was full'
fi

# What is finished is shown where it may only be read, and left as it is; what is missing of it is said. Who
# may do everything (root) reads as nobody.
cat >read.yaml <<'END'
name: read
boards: [2x2]
traces: 1
sequences:
  - agents: [random]
    games: 5
  - agents: [qlearn]
    train: 10
    evaluate: 5
    repeat: 2
    games: 5
END
gnuplot_idle
set -- 'compare -b 2x2 -a random,greedy -g 10 -o read/compare' 'compare read.yaml -o read/run' \
	'sweep -b 2x2 -d 1-2 -c 0 -p 2 -g 2 --no-figures -o read/sweep' \
	'duel greedy random -b 2x2 -g 50 --no-figures -o read/duel' \
	'gap -b 2x2 -a random,qlearn --train 5 -g 5 --no-figures -o read/gap' \
	'gap -b 2x2 -a random,qlearn --train 5 -g 5 --no-figures -o read/parts'
for run; do
	gives 0 "nxn $run"
	grep -v '^Page read/\|, tables in read/' stdout >"${run##*/}.first"
done
# A share of gap beside its log, which has no game then.
grep '^#\|^config' read/parts/gap.tsv >kept && mv read/parts/gap.tsv read/parts/gap.1-of-2.tsv && mv kept read/parts/gap.tsv
find read -type f -exec sha256sum {} + >read.sums
chmod -R a-w read
chmod 755 .
reader=
(: >>read/compare/games.tsv) 2>stderr && reader='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ ! "$reader" ] || { ! $reader touch read/new && $reader nxn --version; } >stdout 2>&1; then
	for run; do
		gives 0 "$reader nxn $run"
		folder=${run##* }
		grep -qx "$folder may only be read: tables and figures in it are left as they are\." stdout ||
			complain "not said that $folder may only be read"
		grep -v "^$folder may only" stdout | cmp - "${run##*/}.first" || complain "shown otherwise: $run"
		[ -s stderr ] && complain "complaints: $run"
	done
	fails 1 'read/compare/games.tsv: may only be read, and 10 of 30 games are missing' \
		"$reader nxn compare -b 2x2 -a random,greedy -g 15 -o read/compare"
	fails 1 'read/sweep/searches.tsv: may only be read, and 18 of 54 searches are missing' \
		"$reader nxn sweep -b 2x2 -d 1-3 -c 0 -p 2 -o read/sweep"
	fails 1 'read/gap/gap.tsv: may only be read, and 2 of 2 games are missing' \
		"$reader nxn gap -b 2x2 -a greedy,corners -o read/gap"
	sha256sum -c --quiet read.sums || complain 'what may only be read was written'
else
	echo 'not tested: what may only be read, as nxn cannot be run by a user who may not write it'
fi
chmod -R u+w read

rm bin/gnuplot
faults_possible || exit $bad
set -f

# fault_kind KIND NAME: one of the calls of the command, in the middle, fails in this way.
fault_kind()
{
	case $1 in
	error) few "$2" none $writing EIO '0 1' 1 ;;
	full) few "$2" half write,fsync,open,mkdir ENOSPC '0 1' 1 -a ;;
	again) few "$2" half write,read,open,openread EINTR '0 1' 1 ;;
	lost) few "$2" none $writing LOSE=out '0 1 2' 1 ;;
	readonly) few "$2" half $writing,unlink EROFS '0 1' 1 -a ;;
	TERM) few "$2" none $writing,unlink SIGTERM '0 75 143' 1 ;;
	INT) few "$2" none $writing,unlink SIGINT '0 130' 1 ;;
	HUP) few "$2" none $writing,unlink SIGHUP "0 75 " 1 ;;
	memory) starved "$2" half '' 1500 ;;
	esac
}

# Some kinds of faults for each command, each kind in some of them.
while read -r name kinds; do
	case_whole "$name"
	for kind in $kinds; do
		fault_kind $kind "$name"
	done
done <<'END'
run lost again
solve readonly memory
gap full TERM
train-qlearn error INT
shard error
END

# If the results are moved away just before nxn makes a folder in them, nxn does not begin new results there,
# and nxn gap does not wait for a table that no other process makes.
case_whole run
broken run none mkdir LOSE=out '0 1 2'
case_whole gap
few gap none fsync LOSE=out '0 1 2' 8

# A terminal that is gone stops the others as well, but for what nohup has started.
case_whole sweep
few sweep none $writing,unlink SIGHUP '0 75' 1
case_whole record
command="nohup $command"
few record none $writing,unlink SIGHUP 0 1

reads_fail 200

# A model that cannot be read plays on no thread: those that wait for it do not play as what it began with.
gap='nxn gap -b 2x2 -a ntuple -g 40 -t 5 --curve 1 -s 5 -j 4 -o gap --no-figures'
gives 0 "$gap"
grep -v '	ntuple	' gap/gap.tsv >head.tsv
for try in 1 ${all:+2}; do
	cp head.tsv gap/gap.tsv
	gives 1 "$faults/fail -p gap/models -n 2 -c read -e EIO $gap"
	grep -q '	ntuple	' gap/gap.tsv && complain 'games of a model that was not read'
done

interrupted 60

# What is no bundle is left, and what a killed process has begun is no hindrance.
mkdir begun begun.nxn-new && echo 'nxn bun' >begun.nxn-new/provenance.txt
gives 0 'nxn report duel -o begun'
rm begun/provenance.txt && echo mine >begun/mine
fails 2 'begun: is there, and no bundle of nxn report' 'nxn report duel -o begun'
exit $bad
