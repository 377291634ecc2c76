#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Killed (SIGKILL) and asked to end (SIGTERM) at moments drawn uniformly from the time that a command
# takes, its start and its end included: no finished line of a log is lost, and the same command then
# comes to what it comes to without an interruption, byte for byte (tests/faults/cases.sh says of
# what). KILLS times each for each signal and command, 50 by default; what had ended before the signal
# came does not count. SEED for the same moments again; CASES for some of the commands.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/faults/cases.sh"
set -f
kills=${KILLS:-50}
seed=${SEED:-$(date +%s)}
echo "# SEED=$seed KILLS=$kills"
drawn=0

# draw LIMIT: sets moment, uniform from 0 to LIMIT, and chance, from 0 to 99.
draw()
{
	drawn=$((drawn + 1))
	set -- $(awk -v seed="$seed" -v n=$drawn -v limit="$1" 'BEGIN {
		srand(seed); r = int(rand() * 2 ^ 31)
		srand((r + n * 7919) % 2 ^ 31); for (i = 0; i < 5; i++) rand()
		printf "%.4f %d\n", rand() * limit, 100 * rand() }')
	moment=$1 chance=$2
}

# timed FOLDER: runs the command there; sets took, its seconds.
timed()
{
	begin=$(date +%s%N)
	gives 0 "cd $1 && $command"
	took=$(awk -v ns=$(($(date +%s%N) - begin)) 'BEGIN { print ns / 1e9 }')
}

# phase FOLDER: where the command was, as far as its files tell.
phase()
{
	if [ -n "$(find "$1" -name figures)" ]; then
		echo figures
	elif [ -n "$(find "$1" -name tables)" ]; then
		echo tables
	elif [ -n "$(find "$1" -name '*.tmp' -o -name '*.part')" ]; then
		echo saving
	elif [ -n "$(find "$1" -type f)" ]; then
		echo working
	else
		echo starting
	fi
}

# struck FOLDER SIGNAL: runs the command there with the signal after a moment; whether that ended it.
struck()
{
	(cd "$1" && exec $command) >stdout 2>stderr &
	pid=$!
	sleep "$moment"
	kill -"$2" $pid 2>/dev/null
	wait $pid 2>/dev/null
	got=$?
	# 143 where SIGTERM comes before nxn listens to it.
	case $2$got in
	KILL137 | TERM75 | TERM143) return 0 ;;
	KILL0 | TERM0) return 1 ;;
	esac
	complain "exit status $got after SIG$2: $command"
	return 1
}

# trial SIGNAL: into a new folder with the command until it is struck, perhaps again; then whole.
trial()
{
	case_folder part
	while :; do
		rm -rf before
		cp -r part before
		draw "$took"
		if ! struck part "$1"; then
			late=$((late + 1))
			kept before part "$command"
			break
		fi
		done=$((done + 1))
		phase part >>phases
		kept before part "$command"
		[ "$chance" -lt 30 ] || break
	done
	rm -rf before
	cp -r part before
	gives 0 "cd part && $command"
	kept before part "$command"
	matters part >part.matters
	diff whole.matters part.matters >difference || {
		complain "SIG$1 after $moment s: another result: $command"
		cat difference
		rm -rf "kept.$drawn" && cp -r part "kept.$drawn"
	}
}

# strikes NAME COUNT: trials of one command.
strikes()
{
	case_take "$1" large
	case_folder whole
	timed whole
	[ "$got" -eq 0 ] || return
	matters whole >whole.matters
	[ -s whole.matters ] || complain "no files: $command"
	for signal in KILL TERM; do
		# When all is played it is not worth while to stop.
		[ "$1$signal" != figuresTERM ] || continue
		done=0 late=0
		: >phases
		while [ $done -lt "$2" ] && [ $late -lt $((20 + 5 * $2)) ]; do
			trial $signal
		done
		[ $done -ge "$2" ] || complain "always too late: $command"
		echo "# $1 ($took s): SIG$signal $done times, while $(sort phases | uniq -c | awk '{ printf "%s %d, ", $2, $1 }')$late too late"
	done
}

kinds=$(echo $learners | wc -w)
for name in ${CASES:-run figures sweep tune solve gap duel paper record train}; do
	if [ "$name" = train ]; then
		for learner in $learners; do
			strikes "train-$learner" $(((kills + kinds - 1) / kinds))
		done
	else
		strikes "$name" "$kills"
	fi
done
exit $bad
