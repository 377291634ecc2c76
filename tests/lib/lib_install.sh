#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libnxn as other programs use it: installed in an empty prefix, by pkg-config. The examples build
# without a warning, against the shared and the static library, in C99 and C++, and agree with the command;
# nothing is exported but nxn_*; valgrind finds nothing.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(cd "$(dirname "$nxn_path")" && pwd)
[ -f "$build/Makefile" ] || { echo 'no Makefile beside nxn'; exit 77; }
[ -f "$build/libnxn.so.0" ] || { echo 'SKIP: a build with sanitizers has no libnxn'; exit 77; }
command -v pkg-config >/dev/null || { echo 'no pkg-config'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
# Other tests run at the same time, so make must not rebuild anything for a newer commit or another
# prefix; AM_MAKEFLAGS has the option for the makes that make starts.
gives 0 "make -s -C '$build' -o src/cli/built.h AM_MAKEFLAGS='-o src/cli/built.h' install prefix='$work/prefix'"
prefix=$work/prefix
lib=$(dirname "$(find "$prefix" -name libnxn.a)")
[ -f "$lib/libnxn.so" ] && [ -f "$prefix/include/nxn.h" ] || { complain 'no library'; exit 1; }

made() { sed -n "s/^$1 = //p" "$build/Makefile"; }
cc=$(made CC) cflags=$(made CFLAGS)
PKG_CONFIG_PATH=$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
gives 0 'pkg-config --modversion nxn'
has "$(sed -n 's/^PACKAGE_VERSION = //p' "$build/Makefile")"

# Exported names, their version, and the libraries needed.
# others PATTERN LIBRARY...: prints the defined names that do not match.
others()
{
	pattern=$1
	shift
	nm -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | grep -vx "$pattern"
}
others 'nxn_[a-z0-9_]*@@NXN_0\|NXN_0' -D "$lib/libnxn.so" "$lib/libnxn-stats.so" && complain 'libnxn.so exports other names'
others 'nxn_.*' "$lib/libnxn.a" "$lib/libnxn-stats.a" && complain 'libnxn.a has other names'
sed -n 's/^NXN_API .*[ *]\(nxn_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/nxn.h" | sort >declared
for library in libnxn libnxn-stats; do
	nm -D --defined-only "$lib/$library.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }'
done | sort >exported
[ -s declared ] && cmp declared exported || { diff declared exported; complain 'nxn.h and the libraries differ'; }
readelf -d "$lib/libnxn.so" >needed
has 'soname: [libnxn.so.0]' needed
grep 'NEEDED.*gsl' needed && complain 'libnxn needs GSL'

# Every function has a man page, or one that refers to it.
pages=$(find "$prefix" -type d -name man3)
(cd "$pages" && awk -v declared="$work/declared" '
	FILENAME == declared { want[$1]; next }
	/^\.so man3\// { name = FILENAME; sub(/\.3$/, "", name); page[name] = substr($0, 10) }
	/^.fB.*\(/ { line = $0; while (match(line, /[ *]nxn_[a-z0-9_]*\(/)) {
		on[substr(line, RSTART + 1, RLENGTH - 2) " " FILENAME]; line = substr(line, RSTART + RLENGTH) } }
	END { for (name in want) if (!((name " " (name in page ? page[name] : name ".3")) in on)) print name }
	' "$work/declared" *.3) | sed 's/^/no man page has /' >lacking
[ -s lacking ] && complain "$(cat lacking)"
has 'If no cell is empty, returns 0 and draws' "$pages/nxn_spawn.3"
has 'nxn_spawn \- adds a random tile to cells and returns 1' "$pages/nxn_spawn.3"
if command -v mandoc >/dev/null; then
	mandoc -T lint $(grep -L '^\.so' "$pages"/*.3) | grep -v 'STYLE: input text line longer' && complain 'mandoc complains'
fi

# Examples, and a program that computes the signature.
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# compiled OUT STANDARD SOURCE PACKAGES
compiled()
{
	gives 0 "$cc $cflags -std=$2 $strict '$3' \$(pkg-config --define-prefix --cflags --libs $4) -o $1"
}
for example in batch advice exact; do
	compiled $example c99 "$source/lib/examples/$example.c" 'nxn nxn-stats'
done
compiled signature c11 "$source/tests/lib/test_signature.c" 'nxn libxxhash'
awk '/^```/ { inside = $0 == "```c"; next } inside' "$source/docs/library.md" >page.c
compiled page c99 page.c nxn
if command -v c++ >/dev/null; then
	echo '#include <nxn.h>' >header.cc
	gives 0 "c++ -std=c++11 $strict -c header.cc \$(pkg-config --define-prefix --cflags nxn) -o header.o"
fi

# same COMMAND COMMAND: checks that both print the same.
same()
{
	gives 0 "$1"
	mv stdout wanted
	gives 0 "$2"
	cmp wanted stdout || { diff wanted stdout; complain "$1 and $2 differ"; }
}
for position in 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4 4,8,2,2/8,16,4,0/2,4,0,0/2,0,0,2; do
	echo $position >position
	same "./advice expectimax:depth=2 4x4 $position | cut -f 1,2,7" \
		'nxn eval --agent expectimax:depth=2 position | sed 1d | cut -f 1,2,7'
done
# scored GAMES MEAN: checks the mean score of greedy in the games 0 to GAMES - 1 of seed 1.
scored()
{
	gives 0 "nxn compare --boards 4x4 --agents greedy --games $1 --seed 1 --out games$1 --no-figures"
	got=$(awk -F '\t' -v mean="$2" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "score") at = i; next }
		{ sum += $at; n++ } END { print n && sum / n - mean < 0.01 && mean - sum / n < 0.01 }' games$1/games.tsv)
	[ "$got" -eq 1 ] || complain "greedy scores ${2:-nothing} in $1 games"
}
# The example takes the first of equal moves, as the agent greedy does.
gives 0 './batch 4x4 20'
mean=$(sed 's/.* //' stdout)
scored 20 "$mean"
gives 0 './page'
scored 100 "$(sed -n 's/^mean score //p' stdout)"
gives 0 './exact 2x3 greedy'
best=$(sed -n 's/^2x3 optimal_score //p' "$source/tests/vectors/exact.txt")
has "$(printf 'of %.6f' "$best")"
fails_with()
{
	gives 2 "$1"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "more or less than a line: $1"
	has "$2" stderr
}
fails_with './batch 9x9 1' '9x9'
fails_with './advice nobody 4x4 0,2/2,0' 'nobody'
fails_with './advice random 4x4 0,2/2,0' '4x4'

# The installed Python package finds the installed library.
package=$(dirname "$(dirname "$(find "$prefix" -path '*/nxn/__init__.py')")")
for python in python3 /usr/bin/python3; do
	"$python" -c 'import numpy' 2>/dev/null || continue
	same 'pkg-config --modversion nxn' "cd / && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='$package' LD_LIBRARY_PATH= \
		'$python' -c 'import nxn; assert nxn.library_path.startswith(\"$prefix\"); print(nxn.__version__)'"
	break
done
gives 0 './signature once'
# The static program needs no library of nxn.
gives 0 "$cc $cflags -std=c99 '$source/lib/examples/exact.c' \$(pkg-config --define-prefix --cflags nxn) \
	$lib/libnxn-stats.a $lib/libnxn.a \$(pkg-config --libs gsl libzstd) -pthread -lm -o static"
readelf -d static | grep 'NEEDED.*nxn' && complain 'static needs libnxn.so'
same './exact 2x2 random' 'LD_LIBRARY_PATH= ./static 2x2 random'
if command -v valgrind >/dev/null; then
	for run in './batch 3x3 5' ${all:+'./advice corners 2x2 0,2/2,0' './exact 2x2 random'}; do
		gives 0 "NXN_ISA=portable valgrind -q --error-exitcode=9 --leak-check=full $run"
		[ -s stderr ] && complain "valgrind: $run"
	done
fi
exit $bad
