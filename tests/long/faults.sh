#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever a disk or the memory refuses, and whenever: exit status 1 with one line that says what and
# why, and in a world that holds the same command then comes to what it comes to without. Every
# command of tests/faults/cases.sh; every call that writes, and every allocation, one after the other.
# CASES for some of the commands, KINDS for some of what can go wrong.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/faults/cases.sh"
. "$source/tests/faults/faults_lib.sh"
set -f
faults_possible || exit 77
cases=${CASES:-run figures sweep tune solve gap record duel report shard gather $(printf 'train-%s ' $learners)}
for name in $cases; do
	case_whole "$name"
	for kind in ${KINDS:-error full half again lost read readonly kill stop thread memory}; do
		case $kind in
		error) broken "$name" none $writing EIO '0 1' ;;
		full) broken "$name" half write,fsync,open,mkdir ENOSPC '0 1' -a ;;
		half) broken "$name" none write HALF '0 1' ;;
		again) broken "$name" half write,read,open,openread EINTR '0 1' ;;
		lost) broken "$name" none $writing LOSE=out '0 1 2' ;;
		read) broken "$name" half read,openread,flock,ftruncate EIO '0 1' ;;
		readonly) broken "$name" half $writing,unlink EROFS '0 1' -a ;;
		kill) broken "$name" none $writing,unlink SIGKILL 137 ;;
		stop)
			broken "$name" none $writing,unlink SIGTERM '0 75 143'
			broken "$name" half $writing,unlink SIGINT '0 130'
			;;
		thread)
			# Learning is on one thread.
			case $name in
			train-*) ;;
			*) broken "$name" none clone EAGAIN '0 1' ;;
			esac
			broken "$name" none mmap ENOMEM '0 1' '' $(($(calls_before mmap) + 1))
			;;
		memory)
			starved "$name" half '' 5
			starved "$name" none all 5
			;;
		esac
	done
done
[ "${CASES:-}" ] || { reads_fail 1 && interrupted 1; }
exit $bad
