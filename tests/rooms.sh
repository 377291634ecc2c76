#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms: a source includes only headers of its own room, and those that are the door of a room that
# its own may use. Both stand in the room's README.md, which also names each of its files. No rooms use
# each other, but for one inside the other.
grep -qs '^CFLAGS.*-fsanitize' "$(dirname "${NXN:-/}")/Makefile" && exit 77
source=$(cd "${srcdir:-.}" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 99
export LC_ALL=C

# quoted KEY: "FOLDER WORD" for every `WORD` behind "KEY:" in the READMEs.
quoted()
{
	find base boards agents analysis lib src -name README.md | while read -r readme; do
		sed -n "s/^$1: //p" "$readme" | grep -o '`[^`]*`' | tr -d '`' | sed "s|^|$(dirname "$readme") |"
	done
}
quoted Door | sed 's| |/|' >"$work/doors"
quoted 'May use' >"$work/uses"

awk 'index($1, $2 "/") != 1 && index($2, $1 "/") != 1' "$work/uses" | tsort >/dev/null || bad=1

# "FILE HEADER" for every include of ours; what the build makes has one reader each.
find base boards agents analysis lib src -name '*.[ch]' -exec grep -H '^#include "[a-z]*/' {} + |
	sed 's/^\([^:]*\):#include "\([^"]*\)".*/\1 \2/' | grep -v 'built\.h$\|\.inc$' >"$work/includes"

awk -v work="$work" '
function room(path) { sub("/[^/]*$", "", path); return path }
function complain(text) { print text; bad = 1 }
BEGIN {
	while ((getline <(work "/doors")) > 0) door[$1]
	while ((getline <(work "/uses")) > 0) use[$1, $2]
}
room($1) == room($2) { next }
{ used[room($1), room($2)]; n++ }
!($2 in door) { complain($1 " includes " $2 ", which is no door of its room") }
!((room($1), room($2)) in use) { complain($1 " includes " $2 ": " room($1) " may not use " room($2)) }
END {
	for (pair in use)
		if (!(pair in used)) {
			split(pair, a, SUBSEP)
			complain(a[1] " does not use " a[2])
		}
	exit bad || !n
}' "$work/includes" || bad=1

sed 's/^[^ ]* //' "$work/includes" | sort -u >"$work/included"
while read -r header; do
	[ -f "$header" ] || { echo "$header: a door that is not there"; bad=1; }
done <"$work/doors"

# "FOLDER/NAME" for every file, for every word of a README that names one, and for those in its lists.
find base boards agents analysis lib src \( -name '*.[ch]' -o -name '*.def' \) ! -name built.h | sort >"$work/files"
find base boards agents analysis lib src -name README.md -exec grep -HoE '\b[a-zA-Z0-9_]+\.(c|h|def)\b' {} + |
	sed 's|README.md:||' | sort -u >"$work/named"
find base boards agents analysis lib src -name README.md -exec grep -H '^    ' {} + | grep -o '^[^:]*:\|\b[a-z0-9_]*\.[ch]\b' |
	awk '/:$/ { sub("README.md:", ""); folder = $0; next } { print folder $0 }' | sort -u >"$work/listed"
comm -23 "$work/files" "$work/named" | sed 's/$/ is not in the README of its room/' >"$work/wrong"
comm -13 "$work/files" "$work/listed" | sed 's/$/: is in the README of its room, and not there/' >>"$work/wrong"
[ ! -s "$work/wrong" ] || { cat "$work/wrong"; bad=1; }
exit ${bad:-0}
