#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/tutorial.md: every `sh` block runs, one after the other in a copy of source and build; the lines
# of a `text` block are in the output of the block before it, but for times at their ends.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(cd "$(dirname "$nxn_path")" && pwd)
skip() { echo "not run: $*"; exit 77; }
[ -f "$build/Makefile" ] || skip 'no Makefile beside nxn'
sanitized && skip 'another build with sanitizers takes minutes'
command -v automake >/dev/null || skip 'an agent is added: no automake'
command -v gnuplot >/dev/null || skip 'no gnuplot'
command -v python3 >/dev/null || skip 'a player is written in Python: no python3'

# The build finds its source by a relative path: both are copied to where that holds.
relative=$(sed -n 's/^srcdir = //p' "$build/Makefile")
case $build in
"$source") ours=copy/source ;;
"$source"/*) ours=copy/source/${build#"$source"/} ;;
"$(dirname "$source")"/*) ours=copy/${build#"$(dirname "$source")"/} ;;
*) skip "the build is not beside its source, but at $relative" ;;
esac
case $relative in
/*) skip 'the build knows its source by an absolute path' ;;
esac
[ "$ours" = copy/source ] || [ "${ours#copy/source/}" != "$ours" ] ||
	root=copy/$(basename "$source")
root=${root:-copy/source}
mkdir -p "$root" "$ours"
# Without other builds, results and the history.
(cd "$source" && tar -cf - --exclude=./.git --exclude='./build' --exclude='./build-[!a]*' \
	--exclude=./out --exclude=./_build --exclude='*.o' --exclude='*.a' .) | (cd "$root" && tar -xf -)
chmod -R u+w "$root"
(cd "$build" && tar -cf - --exclude='./tests/*.o' --exclude='./tests/*/test_*' .) | (cd "$ours" && tar -xf -)
chmod -R u+w "$ours"
unset MAKEFLAGS MFLAGS MAKELEVEL
ours=$(cd "$ours" && pwd)
rm bin/nxn
PATH=$ours:$PATH
cd "$root" || exit 99
[ -e build ] || ln -s "$ours" build

blocks_read docs/tutorial.md

for block in block*; do
	case $block in
	*.sh)
		began=$(date +%s)
		gives 0 "set -e; . ./$block"
		echo "$(($(date +%s) - began)) s: $(sed -n 1p "$block")"
		[ "$got" -eq 0 ] || exit 1
		[ -s stderr ] && complain "complaints: $(cat "$block")"
		;;
	*.text) block_shown "$block" ;;
	esac
done
tutorial_end

exit $bad
