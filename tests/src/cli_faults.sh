#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that is full, fails, is lost or may only be read, and memory that ends: in a few of the places
# that tests/long/faults.sh goes through one by one. Standard output that takes nothing, for every
# command.
. "${srcdir:-.}/tests/src/cli_lib.sh"
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
		perft --position 0,2/2,0 --plies 8
		info
		info q.nxn
		bench --boards 2x2 --signature
		verify --list
		compare -b 2x2 -a random,greedy -g 2 -o full --no-figures
		run quickstart --dry-run
		sweep -b 2x2 -d 1 -c 0 -p 1 -o full --no-figures
		train qlearn -b 2x2 -e 5 -o full.nxn
		tune -a expectimax:depth=1 -b 2x2 -p w_* -N 2 -m 1 -g 1 -G 1 --held-out 2 -o full.tsv
		stats log
		stats --tsv=reach log
		play --agent random -b 2x2
		play --replay rec
		solve -b 2x2
		gap -b 2x2 -a random -g 2 -o full --no-figures
		eval --help
		serve --help
		plot --help
	END
	games full/games.tsv >/dev/null || complain 'no games after standard output was full'
	[ -s full.nxn ] || complain 'no model after standard output was full'
fi

faults_possible || exit $bad
set -f

# A few of the calls and of the allocations of each command.
for name in run tune solve gap train-qlearn; do
	case_whole "$name"
	few "$name" none $writing EIO '0 1' 3
	few "$name" half write,fsync,open,mkdir ENOSPC '0 1' 2 -a
	few "$name" half write,read,open,openread EINTR '0 1' 1
	few "$name" none $writing LOSE=out '0 1 2' 2
	few "$name" half $writing,unlink EROFS '0 1' 1 -a
	few "$name" none $writing,unlink SIGTERM '0 75 143' 1
	few "$name" none $writing,unlink SIGINT '0 130' 1
	starved "$name" half '' 150
done
exit $bad
