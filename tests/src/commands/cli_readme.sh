#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md, and pages that go on from it: every `sh` block runs, one after the other in one folder; the
# lines of a `text` block are in the output of the block before it, but for times in a column `ms` at the
# end; a `yaml` block is the file that its
# first line names. Pages name each other rightly, and the citation file has what its format demands.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle

lighter
blocks_read "$source/README.md" "$source/docs/commands.md" "$source/docs/agents.md" \
	"$source/docs/experiments.md" "$source/docs/records.md"

for block in block*; do
	case $block in
	*.sh)
		gives 0 "set -e; . ./$block"
		[ -s stdout ] || complain "no output: $(cat "$block")"
		[ -s stderr ] && complain "complaints: $(cat "$block")"
		;;
	*.text)
		head -n 1 "$block" | grep -q '	ms$' && sed -i 's/	[^	]*$//' stdout "$block"
		block_shown "$block"
		;;
	*.yaml)
		mv "$block" "$(sed -n '1s/^# //p' "$block")"
		;;
	esac
done
for kind in sh text; do
	ls block*."$kind" >/dev/null 2>&1 || complain "README.md has no $kind block"
done
for command in compare sweep gap train tune play eval solve verify report info; do
	grep -qE "^(.*[|] )?nxn $command( |$)" block*.sh || complain "docs/commands.md lacks nxn $command"
done
# Sections of all pages, as links name them, a line each: PAGE#SECTION.
(cd "$source" && awk '/^##* / {
	name = tolower($0)
	sub(/^#* /, "", name); gsub(/ /, "-", name); gsub(/[^0-9a-z-]/, "", name)
	print FILENAME "#" name
}' README.md docs/*.md) >sections
# What pages name or link to is there, a section too, and all pages are in the index.
(cd "$source" && grep -o '`docs/[a-zA-Z-]*\.md`' -h README.md HACKING.md NEWS.md docs/*.md | tr -d '`') >named
(cd "$source" && grep -o '](\([a-zA-Z./-]*\)\?\(#[a-z0-9-]*\)\?)' README.md docs/*.md) |
	awk '{
		page = link = $0
		sub(/:.*/, "", page); sub(/^[^:]*:../, "", link); sub(/\)$/, "", link)
		folder = page ~ /\// ? "docs/" : ""
		print link ~ /^#/ ? page link : folder link
	}' | sed 's,^docs/\.\./,,' >>named
[ "$(wc -l <named)" -ge 60 ] || complain 'hardly a link'
sort -u named | while read -r link; do
	page=${link%%#*} section=${link#"$page"}
	[ -e "$source/$page" ] || { echo "there is no $page"; continue; }
	[ -z "$section" ] || echo "$link" >>anchors
done >missing
sort -u sections >sorted && sort -u anchors | comm -23 - sorted | sed 's/^/there is no /' >>missing
[ -s missing ] && complain "$(cat missing)"
for page in "$source"/docs/*.md; do
	page=${page##*/}
	[ "$page" = README.md ] || grep -qF "]($page)" "$source/docs/README.md" ||
		complain "docs/README.md lacks $page"
done

# Agents and values are in their page.
nxn info agents >stdout && nxn info values >>stdout || complain 'nxn info'
sed -n 's/^  *\([a-z][a-z0-9]*\)  .*/\1/p;s/^\([a-z][a-z0-9]*\)  .*/\1/p' stdout | sort -u >names
[ "$(wc -l <names)" -ge 15 ] || complain 'few agents and values'
while read -r name; do
	grep -q "\`$name" "$source/docs/agents.md" || complain "docs/agents.md lacks $name"
done <names

# Keys that the Citation File Format 1.2.0 demands; version and licence are those of the program.
for key in 'cff-version: 1.2.0' 'message: "' 'title: "' 'authors:' 'license: GPL-3.0-or-later'; do
	grep -q "^$key" "$source/CITATION.cff" || complain "CITATION.cff lacks $key"
done
sed -n '/^authors:/,/^[a-z]/p' "$source/CITATION.cff" | grep -q '^  - \(name\|family-names\): ' ||
	complain 'CITATION.cff names no author'
nxn --version | head -n 1 | grep -q "^nxn $(sed -n 's/^version: //p' "$source/CITATION.cff")\( \|\$\)" ||
	complain 'CITATION.cff has another version than nxn'

# README.md is read in one go, and cites the version that this is.
[ "$(wc -l <"$source/README.md")" -le 150 ] && [ "$(wc -w <"$source/README.md")" -le 1300 ] ||
	complain 'README.md has more than 150 lines or 1,300 words'
grep -qF "version = {$(sed -n 's/^version: //p' "$source/CITATION.cff")}" "$source/README.md" ||
	complain 'README.md and CITATION.cff have another version'

# ./quickstart shows how far it has come while it builds, on a terminal alone.
mkdir -p fresh/build fresh/bin
cp "$source/quickstart" fresh
printf '#!/bin/sh\nexit 1\n' >fresh/bootstrap
printf '#!/bin/sh\necho install ok installed\n' >fresh/bin/dpkg-query
printf '#!/bin/sh\necho played\n' >fresh/build/nxn
chmod +x fresh/bootstrap fresh/bin/dpkg-query fresh/build/nxn
printf 'all:\n\t@echo "  CC       a.o"; sleep $${DELAY:-0}; echo "  CC       b.o"\n' >fresh/build/Makefile
gives 0 'PATH=$PWD/fresh/bin:$PATH fresh/quickstart'
grep -qx 'building ... done ([0-9]* s)' stdout || complain "quickstart: $(head -n 1 stdout)"
[ "$(grep -c '^  CC  ' fresh/build/make.log)" -eq 2 ] || complain 'quickstart: no log of the build'
on_terminal 80 1 "DELAY=2.5 PATH=$PWD/fresh/bin:$PATH fresh/quickstart" >shown
tr '\r' '\n' <shown >lines
grep -q '^building ... [0-9]* s, compiled files: 1 ' lines || complain "quickstart: no progress: $(head -n 3 lines)"
grep -q '^building ... done ([0-9]* s)$' lines || complain 'quickstart: no end of the build'

exit $bad
