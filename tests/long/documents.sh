#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every code block of README.md, HACKING.md and docs/ runs, or an HTML comment before it says why not:
#   <!-- excerpt: WHY -->     it does not run
#   <!-- run by TEST -->      that test runs it
#   <!-- file: NAME -->       it becomes that file
#   <!-- first: COMMAND -->   runs before it
# Blocks of a page run one after the other in a folder of their own. What is indented, or between fences without a name,
# is for the shell. So that hours become minutes, commands with --time-budget get SECONDS (default 2) each. Blocks
# between ``` and `sh` or `yaml` in the pages of cli_readme.sh and cli_tutorial.sh run there. PAGES names some pages.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

export SECONDS_EACH="${SECONDS:-2}" nxn_path
PAGES=${PAGES:-README.md HACKING.md $(cd "$source" && ls docs/*.md)}
build=$(cd "$(dirname "$nxn_path")" && pwd)
export PATH="$build:$PATH" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1 NXN_LIBRARY="$build/libnxn.so.0"
rm bin/nxn
cat >bin/nxn <<'END'
#!/bin/sh
case $1:$#:$* in
compare:1:*|*--help*|*--dry-run*|*--power*) ;;
compare:*|train:*|gap:*|tune:*|sweep:*|duel:*)
	seconds=$SECONDS_EACH
	[ "$1" != tune ] || seconds=$((5 * seconds)) # a generation at least
	"$nxn_path" "$@" --time-budget "${seconds}s"
	status=$?
	[ $status -eq 75 ] && exit 0
	exit $status
	;;
esac
exec timeout 300 "$nxn_path" "$@"
END
chmod +x bin/nxn
PATH=$work/bin:$PATH
for python in python3 /usr/bin/python3; do
	$python -c 'import numpy' 2>/dev/null || continue
	[ $python = python3 ] || ln -sf $python bin/python3
	break
done

# Blocks of PAGE, one a file in blocks/, and a line each in blocks/list: number, line, language, mark.
blocks_find()
{
	mkdir blocks
	awk '
	function begin(language)
	{
		file = sprintf("blocks/%03d", ++n)
		if (!mark && language ~ /^(text|bibtex|tex)$/)
			mark = "excerpt: no code"
		print n "\t" FNR "\t" language "\t" mark >"blocks/list"
		printf "%s", first >(file ".first")
		mark = first = ""
	}
	/^```/ && fenced { fenced = 0; next }
	/^```/ { fenced = 1; begin($0 == "```" ? "sh" : substr($0, 4) (substr($0, 4) ~ /^(sh|yaml)$/ ? " fenced" : "")); next }
	fenced { print >file; next }
	/^    / && (blank || indented) { if (!indented) begin("sh"); indented = 1; print substr($0, 5) >file; next }
	/^<!-- first: / { sub(/^<!-- first: /, ""); sub(/ -->$/, ""); first = first $0 "\n"; blank = 1; next }
	/^<!-- (excerpt|run by|file)/ { mark = $0; sub(/^<!-- /, "", mark); sub(/ -->$/, "", mark); blank = 1; next }
	{ blank = !NF; if (NF) { indented = 0; mark = first = "" } }
	' "$source/$1"
}

count=0
for page in $PAGES; do
	folder=$work/$(echo "$page" | tr / _)
	mkdir "$folder" && cd "$folder" || exit 99
	blocks_find "$page"
	[ -f blocks/list ] || continue
	while IFS='	' read -r number line language mark; do
		block=blocks/$(printf %03d "$number") place=$page:$line
		case $page:$language in
		README.md:*fenced | docs/commands.md:*fenced | docs/agents.md:*fenced | docs/experiments.md:*fenced | docs/records.md:*fenced | docs/tutorial.md:*fenced)
			continue ;;
		esac
		case $mark in
		'excerpt: no code') continue ;;
		excerpt:*) echo "$place: not run: ${mark#excerpt: }"; continue ;;
		run\ by\ *) grep -q "$(basename "$page")" "$source/${mark#run by }" || complain "$place: ${mark#run by } does not run it"; continue ;;
		esac
		[ ! -s "$block.first" ] || gives 0 ". ./$block.first" || continue
		case $mark in
		file:*)
			cp "$block" "${mark#file: }" && chmod +x "${mark#file: }"
			continue
			;;
		esac
		count=$((count + 1)) began=$(date +%s)
		case $language in
		sh*) gives 0 "set -e; . ./$block" </dev/null ;;
		python) gives 0 "python3 $block" ;;
		c) gives 0 "cc -Wall -Werror -x c $block -o program \$(pkg-config --cflags --libs nxn)" ;;
		*) got=1 && complain "$place: a block of $language" ;;
		esac
		[ "$got" -eq 0 ] && echo "$place: $(($(date +%s) - began)) s" || echo "$place: FAILED"
	done <blocks/list
done
echo "$count blocks run"
exit $bad
