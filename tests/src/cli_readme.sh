#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md: every `sh` block runs, one after the other in one folder; the lines of a `text` block
# are in the output of the block before it; a `yaml` block is the file that its first line names.
. "${srcdir:-.}/tests/src/cli_lib.sh"

# One file a block: 01.sh, 02.text, ...
awk '
/^```/ { kind = kind ? "" : substr($0, 4) ? substr($0, 4) : "other"; file = ""; next }
kind && !file { file = sprintf("block%02d.%s", ++blocks, kind) }
file { print >file }
' "$source/README.md"

for block in block*; do
	case $block in
	*.sh)
		gives 0 "set -e; . ./$block"
		[ -s stdout ] || complain "no output: $(cat "$block")"
		[ -s stderr ] && complain "complaints: $(cat "$block")"
		;;
	*.text)
		grep -vxF -f stdout "$block" && complain "not in the output: the lines above"
		;;
	*.yaml)
		mv "$block" "$(sed -n '1s/^# //p' "$block")"
		;;
	esac
done
for kind in sh text; do
	ls block*."$kind" >/dev/null 2>&1 || complain "README.md has no $kind block"
done
for command in compare run sweep gap train tune play eval solve verify serve perft stats plot info; do
	grep -qE "^(.*[|] )?nxn $command( |$)" block*.sh || complain "README.md lacks nxn $command"
done
[ -f "$source/docs/tiles.svg" ] || complain 'the figure of README.md is not there'

exit $bad
