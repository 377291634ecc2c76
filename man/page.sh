#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh PROGRAM [COMMAND]: prints the man page of PROGRAM or of a command of it.
#
# All of it comes from --help by help2man, but for what all pages share (common.h2m) and the list of
# pages to see. help2man knows GNU programs: so --help is rewritten on its way there (headings, lines
# to be kept as they are), and a few things on the way back (date, hyphens in examples, long lines).
# SOURCE_DATE_EPOCH, seconds, is the date of the page.
set -eu
program=$1 command=${2-}
folder=$(dirname "$0")
words=$(mktemp -d)
trap 'rm -rf "$words"' EXIT
export LC_ALL=C.UTF-8
page=$(basename "$program")

# Lines are broken only by the reader's terminal.
"$program" --help >"$words/all"
COLUMNS=2000 "$program" ${command:+"$command"} --help >"$words/help"
version=$("$program" --version | sed -n '1s/^[^ ]* \([^ ]*\).*/\1/p')
sed -n '/^Commands:/,/^EXAMPLES/s/^  \([a-z0-9]*\)  *\(.*\)/\1\t\2/p' "$words/all" >"$words/commands"
if [ -n "$command" ]; then
	page=$page-$command
	name=$(sed -n "s/^$command	//p" "$words/commands")
else
	name=$(sed -n 's/^Name: //p' "$folder/$page.name")
fi

# Headings that help2man knows; a line of an example or a file begins with '> '.
awk '
function verbatim(line, spaces) {
	match(line, /^ */)
	spaces = substr(line, 3, RLENGTH - 2)
	gsub(/ /, "\037", spaces)
	return "  > " spaces substr(line, RLENGTH + 1)
}
BEGIN { part = "description" }
part == "description" && /^(  -|      --)/ { part = "options"; print "\nOptions:" }
part == "options" && /^$/ { blank = 1; next }
part == "options" && blank && !/^ / { part = "behind" }
blank { print ""; blank = 0 }
/^Commands:$/ { print "*Commands*\n"; part = "commands"; next }
part == "commands" && /^[A-Z][A-Za-z ]*:$/ { sub(/:$/, ""); print $0 "\n"; next }
/^EXAMPLES$/ { print "\nExamples:\n"; part = "examples"; next }
part == "behind" && /^[^ ]/ { print "*Details*\n"; part = "details" }
(part == "details" || part == "examples") && /^  / { print verbatim($0); next }
{ print }
' "$words/help" >"$words/text"

# Other pages that the text speaks of, or all of them.
{
	[ "$page" = nxn ] || echo nxn
	while IFS='	' read -r other _; do
		[ "$other" = "$command" ] && continue
		if [ -z "$command" ] || grep -q "nxn $other\\b" "$words/help"; then
			echo "nxn-$other"
		fi
	done <"$words/commands"
} | LC_ALL=C sort >"$words/pages"
{
	echo '[see also]'
	sed 's/-/\\-/g; s/.*/.BR & (1),/; $s/,$//' "$words/pages"
} >"$words/see.h2m"

name=$(printf %s "$name" | awk '{ print tolower(substr($0, 1, 1)) substr($0, 2) }')
help2man --no-info --name="$name" --include="$folder/common.h2m" --include="$words/see.h2m" \
	--version-string="$page (nxn) $version" --help-option=-- \
	"cat $words/text" >"$words/page"
date=$(sed -n 's/^\.TH [^ ]* "1" "\([^"]*\)".*/\1/p' "$words/page")
[ -n "$date" ] || exit 1
today=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%d)

awk -v date="$date" -v today="$today" '
/^\.TH/ { sub(date, today) }
# help2man makes a paragraph with breaks of lines to be kept, which a narrow terminal would fill.
/^\\f\(CW/ {
	if (!kept)
		print section == "EXAMPLES" ? ".nf" : ".PP\n.RS 4\n.nf"
	kept = 1
	sub(/> /, "")
	gsub("\037", " ")
	gsub(/-/, "\\-"); gsub(/\047/, "\\(aq"); gsub(/`/, "\\(ga"); gsub(/\^/, "\\(ha"); gsub(/~/, "\\(ti")
	print; next
}
/^\.(IP|br)$/ { next }
kept { print section == "EXAMPLES" ? ".fi" : ".fi\n.RE"; kept = 0 }
/^\.SH/ { section = $2 }
/^\.PP/ && heading { next }
{ heading = /^\.SH/ }
section == "COMMANDS" && tag { $0 = ".BR nxn\\-" $0 " (1)" }
{ tag = /^\.TP/ }
# Filled text: broken before 78 columns, never before a dot or a quote, which would begin a request.
!/^[.]/ {
	while (length($0) > 78) {
		for (at = 78; at > 1 && (substr($0, at, 1) != " " || substr($0, at + 1) ~ /^[.\047]/); at--)
			;
		if (at <= 1)
			break
		print substr($0, 1, at - 1)
		$0 = substr($0, at + 1)
	}
}
{ print }
END { if (kept) print ".fi" }
' "$words/page"
