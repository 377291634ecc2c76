#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The map in HACKING.md names every source file, and none that is not there.
. "${srcdir:-.}/tests/src/cli_lib.sh"

export LC_ALL=C
suffix='[.](c|h|def|gp|sh|txt|yaml)$'

# A section `### FOLDER/`; in it, indented lines that begin with names of files.
awk -v suffix="$suffix" '
/^#/ { folder = $1 == "###" ? $2 : "" }
folder && /^    / { for (i = 1; i <= NF && $i ~ suffix; i++) print folder $i }
' "$source/HACKING.md" | sort >named

# src/commit.h is made by the build.
(cd "$source" && find boards agents analysis plots src tests -type f ! -path src/commit.h) |
	grep -E "$suffix" | sort >there

[ -s there ] || complain 'no source files'
comm -13 named there | sed 's/$/ is not in the map of HACKING.md/' >missing
comm -23 named there | sed 's/$/ is in the map of HACKING.md but not there/' >>missing
uniq -d named | sed 's/$/ is in the map of HACKING.md twice/' >>missing
cat missing
[ -s missing ] && complain 'the map and the files differ'

exit $bad
