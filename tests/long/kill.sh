#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGKILL, SIGTERM, SIGINT and SIGHUP at moments drawn uniformly from the time that a command takes, its
# start and its end included: no finished line of a log is lost, and the same command then comes to what
# it comes to without an interruption, byte for byte (tests/faults/cases.sh says of what). Commands and
# signals take turns for KILL_SECONDS, 200 by default; what had ended before the signal came does not
# count. SEED for the same moments again; CASES and SIGNALS for some of the commands and signals.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
. "$source/tests/faults/cases.sh"
set -f
seconds=${KILL_SECONDS:-200}
signals=${SIGNALS:-KILL TERM INT HUP}
seed=${SEED:-$(date +%s)}
echo "# SEED=$seed KILL_SECONDS=$seconds"
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
	killed "$1" "$2" "$moment" "$command"
	# 143 and 129 where a signal comes before nxn listens to it.
	case $2$got in
	KILL137 | TERM75 | TERM143 | INT130 | HUP75 | HUP129) return 0 ;;
	*[A-Z]0) return 1 ;;
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
			echo late >>"$tally"
			kept before part "$command"
			break
		fi
		echo "SIG$1 $(phase part)" >>"$tally"
		kept before part "$command"
		[ "$chance" -lt 30 ] || break
	done
	rm -rf before
	cp -r part before
	gives 0 "cd part && $command"
	kept before part "$command"
	matters part >part.matters
	diff "$expected" part.matters >difference || {
		complain "SIG$1 after $moment s: another result: $command"
		cat difference
		rm -rf "kept.$drawn" && cp -r part "kept.$drawn"
	}
}

# What each command comes to without a signal.
: >cases
for name in ${CASES:-run figures sweep tune solve gap duel report record train}; do
	if [ "$name" = train ]; then
		printf 'train-%s\n' $learners >>cases
	else
		echo "$name" >>cases
	fi
done
count=0
while read -r name; do
	count=$((count + 1))
	case_take "$name" large
	case_folder whole
	timed whole
	[ "$got" -eq 0 ] || exit $bad
	matters whole >whole.$count.matters
	[ -s whole.$count.matters ] || complain "no files: $command"
	echo "$took" >took.$count
	: >tally.$count
done <cases

# Turns of all commands, each with the next of the signals.
end=$(($(date +%s) + seconds)) turn=0
set -- $signals
while [ "$(date +%s)" -lt $end ]; do
	turn=$((turn + 1)) number=0
	while read -r name <&3 && [ "$(date +%s)" -lt $end ]; do
		number=$((number + 1))
		eval "signal=\${$(((turn + number) % $# + 1))}"
		# When all is played it is not worth while to stop.
		case $name$signal in figuresTERM | figuresINT | figuresHUP) continue ;; esac
		took=$(cat took.$number) tally=$work/tally.$number expected=$work/whole.$number.matters
		case_take "$name" large
		trial "$signal"
	done 3<cases
done
number=0
while read -r name; do
	number=$((number + 1))
	echo "# $name ($(cat took.$number) s): $(sort tally.$number | uniq -c | awk '{ printf "%s%s %s %s", n++ ? ", " : "", $2, $3, $1 }')"
	[ $turn -lt 9 ] || grep -q SIG tally.$number || complain "always too late: $name"
done <cases
exit $bad
