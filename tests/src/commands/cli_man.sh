#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Man pages: one a command, clean, with all that --help has, kept as it is where that matters.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

pages=$(dirname "$nxn_path")/man
[ -f "$pages/nxn.1" ] || pages=$source/man
if [ ! -f "$pages/nxn.1" ]; then
	command -v help2man >/dev/null && complain 'no man pages, though help2man is there'
	echo 'no man pages: they are made by help2man'
	[ "$bad" -eq 0 ] && exit 77
	exit 1
fi
export MANWIDTH=80 LC_ALL=C.UTF-8

# page_reads FILE: it is clean, and the file `text` is how a reader sees it. That groff has no complaints is looked at
# for a few pages, or for those in PAGES; all of them are made by the same program.
page_reads()
{
	: >text
	if command -v mandoc >/dev/null; then
		# Examples may be long: they are lines to be copied.
		mandoc -T lint "$1" | grep -v 'STYLE: input text line longer than 80 bytes' &&
			complain "$1: mandoc complains"
		mandoc -T utf8 "$1" | sed 's/.\x08//g' >text
	else
		echo 'no mandoc: not checked'
	fi
	case ${PAGES-nxn.1 nxn-compare.1} in
	*"${1##*/}"*) ;;
	*) [ ! -s text ] || return 0 ;;
	esac
	if command -v man >/dev/null && man --help 2>/dev/null | grep -q -e --warnings; then
		gives 0 "man --warnings -E UTF-8 -l '$1' | col -bx"
		[ -s stderr ] && complain "groff complains about $1"
		[ -s stdout ] && mv stdout text
	fi
	[ -s text ] || { echo 'neither mandoc nor man'; [ "$bad" -eq 0 ] && exit 77; exit 1; }
	grep -n '?\{3\}\|\\f\|\\\\' text && complain "$1: not what a reader should see"
}

# section NAME: its lines, in the file `section`.
section()
{
	awk -v name="$1" '
		/^[A-Z]/ { inside = $0 == name; next }
		inside { print; filled = filled || /[^ ]/ }
		END { exit !filled }' text >section || complain "$page: no section $1"
}

pages_check()
{
	while read -r command summary; do
		page=$pages/nxn-$command.1
		[ -f "$page" ] || { complain "nxn $command has no man page"; continue; }
		page_reads "$page"
		tr -s '\n ' '  ' <text >flat
		grep -qiF -e "nxn-$command - $summary" flat || complain "$page: not what it is for: $summary"
		awk '/^[A-Z]/ { at = $0; next } /[^ ]/ { filled[at] }
			END {
				n = split("SYNOPSIS,DESCRIPTION,EXIT STATUS,ENVIRONMENT,FILES,SEE ALSO", name, ",")
				for (i = 1; i <= n; i++) if (!(name[i] in filled)) print name[i]
			}' text >lacking
		[ -s lacking ] && complain "$page: no section $(cat lacking)"
		# Every option and every example, each example on its own line.
		section OPTIONS
		nxn "$command" --help | sed -n 's/^  -., --\([a-z-]*\).*/\1/p; s/^      --\([a-z-]*\).*/\1/p' >options
		awk 'FNR == NR { want[$1]; next }
			match($0, /^ +(-., )?--[a-z-]+/) && substr($0, RLENGTH + 1) ~ /^($|[= []|, )/ {
				name = substr($0, 1, RLENGTH); sub(/.*--/, "", name); delete want[name] }
			END { for (option in want) print option }' options section >lacking
		[ -s lacking ] && complain "$page lacks --$(cat lacking)"
		section EXAMPLES
		sed 's/^ *//; /^$/d' section >examples
		ARGP_HELP_FMT=rmargin=500 nxn "$command" --help |
			sed '1,/^EXAMPLES/d' | sed -n 's/^  //p' >wanted
		cmp -s wanted examples || {
			diff wanted examples
			complain "$page: other examples than --help"
		}
	done
}

nxn --help | sed -n '/^Commands:/,/^EXAMPLES/s/^  \([a-z]*\)  *\(.*\)/\1 \2/p' >commands
[ -s commands ] || complain 'nxn --help lists no commands'
pages_check <commands
page=$pages/nxn.1
page_reads "$page"
section COMMANDS
cp section all
section 'SEE ALSO'
while read -r command summary; do
	has "nxn-$command(1)" all
	has "nxn-$command(1)" section
done <commands

# Where nxn-mpi was built, it has a page too.
if [ -x "$(dirname "$nxn_path")/nxn-mpi" ]; then
	page=$pages/nxn-mpi.1
	page_reads "$page"
	section COMMANDS
	has 'nxn-sweep(1)' section
	section 'SEE ALSO'
	tr -s ' ' <section >flat
	has 'nxn(1), nxn-compare(1)' flat
	section EXAMPLES
	has 'mpirun -n 4 nxn-mpi compare' section
fi

# Blocks of a file keep their lines and what they are indented by.
page_reads "$pages/nxn-compare.1"
grep -q '^ *    - agents: \[qlearn\]$' text || complain 'nxn-compare.1: the lines of a file run into each other'
# Variables that are told of are those that there are.
for variable in NXN_ISA NXN_PLOTS NO_COLOR TMPDIR; do
	has "$variable" text
done

exit $bad
