#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Analysers, sanitizers and valgrind, in the folder analyse of a build: `make analyse`. TOOLS names some
# of gcc, tidy, cppcheck, clang, address, thread, valgrind; JOBS says how many processes at a time; FILES
# names some of the sources, for gcc, tidy and cppcheck. A tool that is not there is passed over, with a
# line that says so. Needs FLAGS, a file with an argument for the preprocessor in each line, and MPI, empty
# if there is none.
set -u
source=$(cd "${srcdir:-.}" && pwd) || exit 99
build=$PWD
jobs=${JOBS:-$(nproc)}
bad=0
mkdir -p analyse

# has TOOL: whether there is that program.
has()
{
	command -v "$1" >/dev/null && return
	echo "# $1 is not installed: passed over"
	return 1
}

# told WHAT STATUS FILE: what came of it.
told()
{
	if [ "$2" -eq 0 ]; then
		echo "$1: clean ($(($(date +%s) - began)) s)"
	else
		sed 's/^/  /' "$3"
		echo "$1: FAILED, see $build/$3"
		bad=1
	fi
}

# The sources that are compiled as they stand; what is compiled for an instruction set is the same text
# as the portable kernels, and takes analysers minutes a file.
sources()
{
	(cd "$source" && ls ${FILES:-$(find base boards agents analysis lib src -name '*.c')}) | grep -v _avx |
		if [ "${MPI:-}" ]; then cat; else grep -v ranks_mpi; fi
}

# each TOOL COMMAND...: runs COMMAND FILE FLAGS... for every source; its complaints into analyse/TOOL.log.
each()
{
	tool=$1
	shift
	began=$(date +%s)
	cat >analyse/one.$tool <<-END
		#!/bin/sh
		file=\$1
		unless=\$(awk -v f="\$file" '\$1 == f || \$1 == "*" { print "-Wno-analyzer-" \$2 }' "$source/tests/gcc-analyzer.txt")
		set --
		while IFS= read -r flag; do set -- "\$@" "\$flag"; done <"$FLAGS"
		[ \$file = base/status.c ] || set -- "\$@" -include "$source/tests/analyse.h"
		cd "$build" && $* >"analyse/$tool.\$(echo \$file | tr / -)" 2>&1
	END
	rm -f analyse/$tool.*.c
	sources | xargs -n 1 -P "$jobs" sh analyse/one.$tool
	status=$?
	cat analyse/$tool.*.c 2>/dev/null | grep -v 'warnings generated\|^Suppressed \|^Use -header-filter' >analyse/$tool.log
	told "$tool" $status analyse/$tool.log
}

# sanitized NAME FLAGS TEST...: these tests in a build of its own.
sanitized()
{
	name=$1 flags=$2
	shift 2
	began=$(date +%s)
	mkdir -p analyse/$name
	(
		cd analyse/$name || exit 1
		# Portable kernels only: the others take a quarter of an hour to compile so.
		[ -f Makefile ] || "$source/configure" --quiet CFLAGS="-O1 -g -fno-omit-frame-pointer $flags" \
			ax_cv_check_cflags__Werror__mavx2__mbmi2__mavx512vbmi2=no || exit 1
		programs=$(echo "$*" | tr ' ' '\n' | grep -v '[.]sh$')
		make --silent -j "$jobs" nxn $programs &&
			make --silent -j "$jobs" check-TESTS VERBOSE=1 TESTS="$*"
	) >analyse/$name.log 2>&1
	told "$name" $? analyse/$name.log
}

# All programs and tests, compiled by clang with its own warnings as errors.
clang_build()
{
	began=$(date +%s)
	mkdir -p analyse/clang
	(
		cd analyse/clang || exit 1
		[ -f Makefile ] || "$source/configure" --quiet CC=clang CFLAGS=-O0 || exit 1
		make --silent -k -j "$jobs" && make --silent -k -j "$jobs" check TESTS=
	) >analyse/clang.log 2>&1
	told clang $? analyse/clang.log
}

# Commands for valgrind: every learner, searches on threads, tables, logs, models and, after a !, errors.
valgrind_commands()
{
	cat <<-'END'
		nxn info program
		nxn train qlearn -b 3x3 -e 3 -o q.nxn --curve q.tsv
		nxn train adp -b 3x3 -e 3 -o a.nxn
		nxn train ntuple:tuples=lines,update=backward,rate=tc,lanes=2 -b 3x3 -e 6 -j 2 -o n.nxn
		nxn train policy:hidden=4,credit=critic -b 2x2 -e 20 -j 2 -o p.nxn
		nxn train relative:hidden1=4,hidden2=4 -b 2x2 -e 4 -o r.nxn
		nxn info q.nxn
		nxn solve -b 2x2 --out t.nxo --work w -j 2
		nxn info t.nxo
		nxn compare -b 3x3 -a qlearn:q.nxn,adp:a.nxn,ntuple:n.nxn -g 1 -o m --no-figures
		nxn compare -b 2x2 -a policy:p.nxn,relative:r.nxn -g 1 -o m --no-figures
		! nxn compare -b 2x2,2x3 -a random,corners,expectimax:depth=2,qlearn:q.nxn,optimal:t.nxo -g 2 -o c --no-figures
		! nxn compare -b 2x2 -a nobody -g 1 -o c --no-figures
		! nxn info s
		! nxn compare e.yaml
		nxn compare -b 2x2 -a random,greedy,mcts:sims=20,optimal:t.nxo -g 2 -o c --no-figures
		nxn compare -b 3x3 -a expectimax:depth=3,threads=2,leaf=after -g 1 -o d --no-figures
		nxn sweep -b 2x2 -d 1,2 -c 1e-2 -p 2 -g 1 -o s --no-figures
		nxn tune -a expectimax:depth=1 -b 2x2 -p w_* -N 2 -m 1 -g 2 -G 1 --held-out 2 -o t.tsv
		nxn gap -b 2x2 -a random,qlearn -g 2 -t 4 -o g --no-figures
		nxn play --agent random -b 2x2 --games 3 --record rec
		nxn play --replay rec
		nxn report c
		nxn verify --start 0,2/2,0 --plies 4
		nxn compare -b 2x2 -a random,corners -g 2 -o h --shard 1/2
		nxn compare -b 2x2 -a random,corners -g 2 -o h --shard 2/2
		nxn report h
		nxn report d --out b --latex
		nxn verify b
		nxn duel corners greedy -b 2x2 --max-games 20 -o u
	END
}

memcheck()
{
	began=$(date +%s)
	rm -rf analyse/valgrind
	mkdir -p analyse/valgrind/bin
	ln -s "$build/nxn" analyse/valgrind/bin/nxn
	(
		cd analyse/valgrind || exit 1
		set -f
		echo 'agents: [' >e.yaml
		valgrind_commands | while read -r line; do
			status=0
			case $line in !*) status=2 line=${line#! } ;; esac
			valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
				--show-leak-kinds=definite --suppressions="$source/tests/valgrind.supp" \
				bin/$line >out 2>err </dev/null
			is=$?
			[ $is -eq $status ] || { echo "$line: exit status $is, expected $status"; cat err; }
		done
	) >analyse/valgrind.log 2>&1
	[ ! -s analyse/valgrind.log ]
	told valgrind $? analyse/valgrind.log
}

threaded='tests/agents/search/test_search tests/agents/ntuple/test_ntuple tests/agents/nets/test_policy tests/agents/nets/test_relative
tests/agents/solver/test_key_sets tests/agents/solver/test_solver tests/agents/solver/test_exact_play tests/src/commands/cli_compare.sh tests/src/commands/cli_gap.sh'

for tool in ${TOOLS:-cppcheck clang gcc tidy valgrind thread address}; do
	case $tool in
	gcc) has gcc && each gcc gcc -std=gnu17 -O1 -fanalyzer -Wno-analyzer-too-complex -Werror '$unless "$@"' -c -o /dev/null "$source/\$file" ;;
	tidy) has clang-tidy && each tidy clang-tidy --quiet "$source/\$file" -- -std=gnu17 '"$@"' ;;
	cppcheck)
		has cppcheck || continue
		began=$(date +%s)
		(cd "$source" && sources | cppcheck --file-list=- --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability \
			--inline-suppr --suppressions-list=tests/cppcheck.txt --error-exitcode=1 -I. -D_GNU_SOURCE -DNXN_X86_64 \
			--library=posix,gnu) >analyse/cppcheck.log 2>&1
		told cppcheck $? analyse/cppcheck.log
		;;
	clang) has clang && clang_build ;;
	address) sanitized address '-fsanitize=address,undefined -fno-sanitize-recover=all' $threaded ;;
	thread) sanitized thread -fsanitize=thread $threaded ;;
	valgrind) has valgrind && memcheck ;;
	*) echo "no tool '$tool'"; bad=1 ;;
	esac
done
exit $bad
