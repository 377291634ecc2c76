# SPDX-License-Identifier: GPL-3.0-or-later
# A world that breaks at its N-th system call or allocation, for every N; to be sourced behind
# cases.sh. Uses what the tests build: tests/faults/fail and tests/faults/memory.so.
faults=$(dirname "$nxn_path")/tests/faults
reasons='No space left on device\|Input/output error\|Read-only file system\|Permission denied
Cannot allocate memory\|Interrupted system call\|Too many open files\|Resource temporarily unavailable
is the disk full\|gnuplot: \|gnuplot has drawn nothing\|no room for more than\|No such file or directory\|out of memory\|not enough memory\|memory exhausted'
reasons=$(echo "$reasons" | tr '\n' '|' | sed 's/|$//; s/\([^\\]\)|/\1\\|/g')

# faults_possible: whether calls can be watched here; says so if not.
faults_possible()
{
	if ! "$faults/fail" -c write -e EIO true 2>stderr; then
		echo "# no faults: $(cat stderr)"
		return 1
	fi
	if nm -D "$nxn_path" 2>/dev/null | grep -q __asan_init || grep -q __asan_init "$nxn_path"; then
		echo '# no faults: nxn is built with AddressSanitizer, which has an allocator of its own'
		return 1
	fi
}

writing=write,fsync,rename,open,mkdir,ftruncate

# calls_before CALLS: how many of them there are before nxn begins to work.
calls_before()
{
	"$faults/fail" -r report -c "$1" -e EIO nxn --version >stdout 2>stderr
	sed -n 's/^calls //p' report
}

# case_whole NAME: the command of that case, small; what it comes to, in whole.matters; what is there when
# it is killed half way, in the folder half; and none of that, in the folder none. What is to be there after
# the ending, in end.matters, and how peace comes to the same.
case_whole()
{
	case_take "$1" small
	case_folder none
	case_folder whole
	gives 0 "cd whole && $command"
	matters whole >whole.matters
	[ -s whole.matters ] || complain "no files: $command"
	if [ -n "$ending" ]; then
		rm -rf peace
		mkdir peace
		gives 0 "cd peace && $peace"
		matters peace/out >end.matters
		ended whole "$command"
	fi
	case_folder half
	(cd half && exec "$faults/fail" -r ../report -c $writing -e EIO $command) >stdout 2>stderr
	calls=$(sed -n 's/^calls //p' report)
	case_folder half
	(cd half && exec "$faults/fail" -n $((calls / 2)) -c $writing -e SIGKILL $command) >stdout 2>stderr
	[ $? -eq 137 ] || complain "not killed half way: $command"
}

# ended FOLDER WHAT: the ending, behind a whole command, comes to what peace comes to.
ended()
{
	[ -n "$ending" ] || return 0
	rm -rf before
	cp -r "$1" before
	(cd "$1" && exec timeout 60 $ending) >stdout 2>stderr
	got=$?
	[ "$got" -eq 0 ] || complain "exit status $got after $2: $ending"
	kept before "$1" "after $2: $ending"
	matters "$1/out" | diff end.matters - >difference || {
		complain "another result after $2: $ending"
		cat difference
	}
}

# broken_ended WHAT STATUS...: whether the command ended as it should: with one of these statuses, and
# with one line that names the reason unless it is 0. Progress lines do not count. If gnuplot cannot read
# a file, its message names only what is missing there.
broken_ended()
{
	what=$1
	shift
	case " $* " in
	*" $got "*) ;;
	*) complain "exit status $got when $what: $command"; return ;;
	esac
	# What is said to have worked has worked; a folder that was moved away has what is missing.
	if [ "$got" -eq 0 ] && [ ! -d part/out.lost ]; then
		# What is left of saving goes with the next run, and so does what just could not be removed (with a
		# lock, the other locks), unless it is made anew.
		left=$(sed -n 's|^unlink .*\.lock$|.lock|p; s|^unlink .*/part/|./|p' report)
		! grep -qF "${left:-/} " whole.matters || left=''
		# On a file system that has become read-only no lock can be removed.
		case $what in EROFS*) locks='.lock ' ;; *) locks='/ ' ;; esac
		matters part | grep -v '\.tmp ' | grep -vF -e "${left:-/} " -e "$locks" | diff whole.matters - >difference || {
			complain "exit status 0 and another result when $what: $command"
			cat difference
		}
	fi
	[ "$got" -eq 1 ] || return
	grep -v 'cut off a torn last line of\|: merged [0-9]* records\? of [0-9]* parts\?$' stderr >lines
	[ "$(wc -l <lines)" -eq 1 ] && grep -q '^nxn [a-z]*: \|^nxn: ' lines ||
		complain "more or less than a line when $what: $command"
	grep -q "$reasons" lines || complain "no reason when $what: $command"
}

# mended WHAT: the same command in the same folder, in a world that holds.
mended()
{
	# A folder that was moved away comes back, or not, if it can be done without.
	[ ! -d part/out.lost ] || [ -z "$given" -a $((n % 2)) -eq 0 ] || cp -r part/out.lost/. part/out
	rm -rf part/out.lost before
	mkdir -p part/out
	cp -r part before
	(cd part && exec timeout 60 $command) >stdout 2>stderr
	got=$?
	[ "$got" -eq 0 ] || complain "exit status $got after $1: $command"
	kept before part "after $1: $command"
	# Where others may be at work, what is left of saving goes when all has been gathered.
	left='^$'
	[ -z "$ending" ] || left='\.tmp '
	matters part | grep -v "$left" >part.matters
	diff whole.matters part.matters >difference || {
		complain "another result after $1: $command"
		cat difference
	}
	ended part "$1"
}

# fault FROM CALLS FAULT STATUSES [ALL]: call N fails, in a copy of the folder FROM. False if there is no
# N-th call.
fault()
{
	rm -rf part report
	cp -r "$1" part
	(cd part && exec timeout 60 "$faults/fail" -n $n ${5:-} -r ../report -c "$2" -e "$3" $command) \
		>stdout 2>stderr
	got=$?
	[ -e report ] || return 1
	what="$3 at $(sed "s|$work/||" report) ($1, $2 $n)"
	broken_ended "$what" $4
	mended "$what"
}

# broken NAME FROM CALLS FAULT STATUSES [ALL [N]]: for N = 1, 2, ... as long as there is an N-th call.
broken()
{
	n=${7:-1} times=0
	while fault "$2" "$3" "$4" "$5" "${6:-}"; do
		times=$((times + 1))
		n=$((n + 1))
	done
	[ $times -gt 0 ] || complain "no fault at all: $*"
	echo "# $1: $4 at each of $times calls: $3"
}

# few NAME FROM CALLS FAULT STATUSES TIMES [ALL]: for TIMES of these N, spread over all of them.
few()
{
	rm -rf part report
	cp -r "$2" part
	(cd part && exec "$faults/fail" -r ../report -c "$3" -e EIO $command) >stdout 2>stderr
	calls=$(sed -n 's/^calls //p' report) times=0
	for i in $(seq "$6"); do
		# Threads take other turns each time, so the last call may be missing.
		n=$(((calls * (2 * i - 1) / (2 * $6)) + 1))
		fault "$2" "$3" "$4" "$5" "${7:-}" && times=$((times + 1))
	done
	[ $times -gt 0 ] || complain "no fault at all: $*"
}

# unread FOLDER STEP COMMAND: exit status 1 whichever read of files in FOLDER fails, first the first and then
# each STEP-th: nothing is taken for the end of a file, and what was not looked at is not called right.
unread()
{
	n=1
	while :; do
		rm -f report
		"$faults/fail" -p "$1" -n $n -c read -e EIO -r report $3 >stdout 2>stderr
		got=$?
		[ -e report ] || break
		[ "$got" -eq 1 ] || complain "exit status $got when $(cat report) fails: $3"
		n=$((n + $2))
	done
	[ $n -gt 1 ] || complain "nothing is read: $3"
}

# interrupted STEP: a write of nxn report that is interrupted once, with others behind it, has a reason that
# writes can have: the first, and then each STEP-th.
interrupted()
{
	n=1
	while :; do
		rm -rf interrupted report
		mkdir interrupted
		"$faults/fail" -p interrupted -n $n -c write -e EINTR -r report nxn report duel -o interrupted/b >stdout 2>stderr
		got=$?
		[ -e report ] || break
		grep -q '\.lock' report || { [ "$got" -eq 1 ] && grep -q ': cannot write: \(Interrupted system call\|Input/output error\)$' stderr; } ||
			complain "exit status $got when $(cat report) is interrupted: $(cat stderr)"
		n=$((n + $1))
	done
	[ $n -gt 10 ] || complain "nothing is interrupted: nxn report"
}

# reads_fail STEP: reads of every kind of file, in the folders vectors, bundle, drawn, long.d, which are made
# here, with a duel; each STEP-th of them fails.
reads_fail()
{
	mkdir vectors
	cp -r "$source/tests/vectors/." vectors
	unread vectors "$1" 'nxn verify --only expectimax --vectors vectors'
	gives 0 'nxn duel corners greedy -b 2x2 -g 20 --batch 20 -o duel --no-figures'
	gives 0 'nxn report duel -o bundle'
	unread bundle "$1" 'nxn verify bundle'
	gives 0 'nxn train qlearn -b 2x2 -e 20 --block 10 -o curve.nxn --curve curve.tsv'
	mkdir drawn && mv curve.tsv drawn
	! gnuplot --version >stdout 2>&1 || unread drawn "$1" 'nxn report drawn/curve.tsv --out redrawn'
	gives 0 'nxn play --agent random -b 3x3 --games 200 --record long'
	mkdir long.d && mv long long.d
	unread long.d "$1" 'nxn play --replay long.d/long'
	# Lines that do not end where blocks do; no two of them are images of each other.
	awk 'BEGIN {
		for (i = 0; i < 300; i++) {
			line = "2,4,8,16"
			for (k = 0; k < 12; k++)
				line = line (k % 4 ? "," : "/") (int(i / 2 ^ k) % 2 ? 2 : 0)
			print line
		}
	}' >long.d/positions
	unread long.d "$1" 'nxn eval --agent greedy long.d/positions'
	unread long.d "$1" 'nxn sweep -b 4x4 -d 1 -c 0 -p long.d/positions -o cells --no-figures'
}

# starved NAME FROM [ALL [STEP]]: allocation N fails, and with ALL those that follow; N grows by STEP
# percent.
starved()
{
	n=1 times=0
	while :; do
		rm -rf part report
		cp -r "$2" part
		(
			cd part && export LD_PRELOAD="$faults/memory.so" NXN_FAIL_ALLOCATION=$n NXN_FAIL_REPORT=../report
			[ -z "${3:-}" ] || export NXN_FAIL_ALL=1
			exec timeout 60 $command
		) >stdout 2>stderr
		got=$?
		[ -e report ] || break
		what="allocation $n fails${3:+ and all that follow} ($2)"
		broken_ended "$what" 0 1
		mended "$what"
		times=$((times + 1))
		n=$((n + 1 + n * ${4:-0} / 100))
	done
	[ $times -gt 0 ] || complain "no allocation: $1"
	echo "# $1: $times of $n allocations fail${3:+, each with all that follow}"
}
