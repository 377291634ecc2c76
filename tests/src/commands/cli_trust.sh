#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What nobody vouches for: names that a shell or gnuplot would make commands of, files that hold or claim
# gigabytes, experiments that take a parser minutes. docs/trust.md says what is promised.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*'

build=$(dirname "$nxn_path")
tools=$build/tests/fuzz

# Commands in labels, titles and folders' names are text.
cat >hostile.yaml <<'EOF'
name: hostile
title: '`touch pwned` $(touch pwned) @a_{b}^c %s <b>&amp; "x" ''y'' \n'
boards: 2x2
games: 4
traces: 1
sequences:
  - {agents: random, label: '`touch pwned` $(touch pwned) @a_{b}^c \n %s%n'}
  - {agents: greedy, label: '"; system "touch pwned"; print "'}
  - {agents: corners, label: '<b>&amp;</b> <script>alert(1)</script>'}
  - {agents: "qlearn:eta=0.5", label: "' . system('touch pwned') . '", train: 4, evaluate: 3, repeat: 2}
  - {agents: "qlearn:eta=0.25", label: '| touch pwned', train: 4, evaluate: 3, repeat: 2}
EOF
run='nxn compare hostile.yaml'
for folder in '<touch pwned' '|touch pwned;`touch pwned`$(touch pwned)' "it's \"x\" {a}_b^c@d %s"; do
	$run --out "$folder" >stdout 2>stderr || complain "$run --out $folder"
	[ -s stderr ] && complain "complaints: --out $folder"
	[ -s "./$folder/figures/means.svg" ] || complain "no figure in $folder"
	run='nxn compare -b 2x2 -a random -g 2'
done
# Text of a figure is what the label is, and no element of its own.
grep -q '<text>.*system(.touch pwned.)' "./<touch pwned/figures/curve.svg" ||
	complain 'a label is not in the figure as it is'
grep -q '<b>\|<script>' "./<touch pwned/figures/scores.svg" && complain 'a label is markup'
nxn report "./<touch pwned/games.tsv" --out '`touch pwned`' >stdout 2>stderr || complain 'nxn report'
nxn report "./<touch pwned/games.tsv" >stdout 2>stderr || complain 'nxn report'

# A program is started with words, not by a shell.
for command in 'echo $(touch pwned);touch pwned' 'true;touch pwned' '`touch pwned`' 'sh&touch pwned'; do
	nxn play -b 2x2 -a "external:command=$command" >stdout 2>stderr && complain "plays: $command"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "more or less than one line: $command"
done
for pwned in $(find . -name pwned); do
	complain "a shell was given a name: $pwned"
done

# Experiments of 64 KiB, the most there may be, in which each byte costs.
repeat() { awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'; }
repeat '[' 65000 >deep.yaml
repeat '- ' 32000 >dashes.yaml
awk 'BEGIN { printf "boards: ["; for (i = 0; i < 8000; i++) printf "&%x x,", i; print "x]" }' >anchors.yaml
awk 'BEGIN { for (i = 0; i < 3400; i++) printf "%%TAG !%x! tag:a:\n", i; print "--- a" }' >tags.yaml
awk 'BEGIN { print "a: &a0 [x,x,x]"; for (i = 1; i < 30; i++)
	printf "a%d: &a%d [*a%d,*a%d,*a%d]\n", i, i, i - 1, i - 1, i - 1 }' >laughs.yaml
printf 'boards: 2x2\ngames: 1\nagents: random\nsequences: &a [*a, *a]\n' >itself.yaml
{ printf 'boards: 2x2\ngames: 1\nagents: "random:'; repeat x 65000; printf '"\n'; } >huge.yaml
printf 'boards: "2x2\\0"\ngames: 1\nagents: random\n' >nul.yaml
printf 'boards: 2x2\ngames: 1\nagents: random\ntitle: \377\376\n' >utf8.yaml
fails 2 'within each other, expected at most 32' 'timeout 60 nxn compare deep.yaml'
fails 2 'within each other, expected at most 32' 'timeout 60 nxn compare dashes.yaml'
fails 2 'agents is missing' 'timeout 60 nxn compare anchors.yaml'
fails 2 'an experiment: must be a mapping' 'timeout 60 nxn compare tags.yaml'
repeat x 65537 >large.yaml
fails 2 'large.yaml: larger than 65536 bytes' 'nxn compare large.yaml'
# The kernel gives this file the size 0.
fails 2 'environ: larger than 65536 bytes' 'env "LARGE=$(cat large.yaml)" nxn compare /proc/self/environ'
fails 2 'unknown key' 'timeout 60 nxn compare laughs.yaml'
fails 2 'must be a mapping' 'timeout 60 nxn compare itself.yaml'
fails 2 'too long' 'timeout 60 nxn compare huge.yaml'
fails 2 'contain a NUL' 'timeout 60 nxn compare nul.yaml'
fails 2 'UTF-8' 'timeout 60 nxn compare utf8.yaml'

# Models, forged behind sound checksums (unpack and forge are for that). In 1.5 GB of address space.
# limited COMMAND: what it says on standard error is in stderr
limited()
{
	(ulimit -v 1500000 && timeout 100 "$@") >stdout 2>stderr
	status=$?
	[ $status -eq 1 ] || [ $status -eq 2 ] || complain "exit status $status: $*"
	[ "$(wc -l <stderr)" -eq 1 ] || complain "more or less than one line: $*"
}
zeros() { head -c "$1" /dev/zero; }
# (Sanitizers need more address space than that.)
if ! sanitized; then
	# A game under way of 2^40 moves, of which the file holds a gigabyte; packed it is small.
	gives 0 'nxn train -b 2x2 ntuple:tuples=lines,update=backward -e 2 --out backward'
	"$tools/unpack" backward | head -n 7 >head
	{
		zeros 8 && printf '\001' && zeros 7 # games begun, games under way
		zeros 8 && zeros 80 && zeros 8       # its number and random stream
		zeros 24                             # score, moves, not from a restart
		printf '\001' && zeros 47
		zeros 5 && printf '\001' && zeros 2 # moves to be learned from
		printf '\001' && zeros 47 && zeros 8
	} >section
	size=$(wc -c <section)
	{
		cat head
		# shellcheck disable=SC2059
		printf "\\$(printf '%03o' $((size % 256)))\\$(printf '%03o' $((size / 256)))\\000\\000"
		cat section && zeros 4
	} >input
	"$tools/forge" input bomb 0 $((size - 56)) 20000000 2>stderr || complain 'forge'
	[ "$(wc -c <bomb)" -lt 2000000 ] || complain 'the bomb is no small file'
	limited nxn play -b 2x2 -a ntuple:bomb
	has 'no memory for the games under way' stderr

	# A network of gigabytes in a file of kilobytes.
	gives 0 'nxn train -b 2x2 policy:hidden=4,batch=2 -e 2 --out policy'
	"$tools/unpack" policy | sed '5s/hidden=4,/hidden=4096,4096,4096,4096,/' >input
	"$tools/forge" input wide 0 0 1 || complain 'forge'
	limited nxn play -b 2x2 -a policy:wide
	has 'million weights' stderr
fi
exit $bad
