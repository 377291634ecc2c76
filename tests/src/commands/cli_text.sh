#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts that enter and are later printed: UTF-8 without control characters and without characters that change the
# direction of text, labels and titles of at most 200 bytes. Each door refuses others in one line of plain text that
# says where. No text that a log can hold stops the page.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

nxn compare -b 2x2 -a random,greedy -g 3 --no-figures -o games >stdout 2>stderr || complain 'nxn compare'
nxn play -b 2x2 -a random --record one.rec >stdout 2>stderr || complain 'nxn play'
nxn solve -b 2x2 --out 2x2.nxn >stdout 2>stderr || complain 'nxn solve'
nxn gap -b 2x2 -a random -g 3 --no-figures -o gap >stdout 2>stderr || complain 'nxn gap'
nxn sweep -b 2x2 --depths 1 --cutoffs 0 --positions 2 --no-figures -o sweep >stdout 2>stderr || complain 'nxn sweep'
nxn compare -b 2x2 -a random -g 3 --no-figures -o tables >stdout 2>stderr || complain 'nxn compare'

nxn train qlearn -b 2x2 -e 3 -o c.nxn --curve c.tsv >stdout 2>stderr || complain 'nxn train'

# put FILE COLUMN: BAD in a column of the first row below the names.
put() { awk -F '\t' -v OFS='\t' -v column="$2" '!/^#|^config\t/ && !row++ { $column = ENVIRON["BAD"] } { print }' "$1"; }
# row NAME COLUMN [FOLDER]: a copy of a folder with BAD in NAME.tsv; its line is then $line.
row()
{
	rm -rf x && cp -r "${3:-$1}" x && put "${3:-$1}/$1.tsv" "$2" >"x/$1.tsv"
	line=$(awk '!/^#|^config\t/ { print NR; exit }' "x/$1.tsv")
}
note() { mkdir -p x && { printf '# command: %s\n' "$BAD" && cat games/games.tsv; } >x/games.tsv; }
curve() { { printf '# command: %s\n' "$BAD" && cat c.tsv; } >x.tsv; }
mark() { mkdir -p x && { printf '# player: %s\n' "$BAD" && cat games/games.tsv; } >x/games.tsv; }
record() { put one.rec 3 >x.rec; line=$(awk '!/^#/ { print NR; exit }' x.rec); }
# yaml LINE...: an experiment with YAML in it.
yaml()
{
	printf '%s\n' 'boards: 2x2' 'games: 1' "$@" |
		awk '{ at = index($0, "@"); print at ? substr($0, 1, at - 1) ENVIRON["YAML"] substr($0, at + 1) : $0 }' >x.yaml
}

# A line per door: its name, how a text gets there, the command, what the message begins with.
cat >doors <<'END'
agent	:	nxn compare -b 2x2 -g 1 -a "external:$BAD"	nxn: argument
folder	:	nxn compare -b 2x2 -g 1 -a random -o "$BAD"	nxn: argument
command	:	nxn "$BAD"	nxn: argument
option	:	nxn compare "--$BAD"	nxn: argument
scores	:	nxn report --scores "$BAD"	nxn: argument
positions	:	nxn eval "$BAD"	nxn: argument
a label	yaml "sequences: [{agents: random, label: \"@\"}]"	nxn compare x.yaml	nxn compare: x.yaml:3:37: label
a title	yaml "title: \"@\"" "agents: random"	nxn compare x.yaml	nxn compare: x.yaml:3:8: title
duration	yaml "duration: \"@\"" "agents: random"	nxn compare x.yaml	nxn compare: x.yaml:3:11: duration
name	yaml "name: \"@\"" "agents: random"	nxn compare x.yaml	nxn compare: x.yaml:3:7: name
key	yaml "\"@\": 1" "agents: random"	nxn compare x.yaml	nxn compare: x.yaml:3:1: a key
agents	yaml "agents: [greedy, \"external:@\"]"	nxn compare x.yaml	nxn compare: x.yaml:3:18: agents
a label of a log	row games 3	nxn report x/games.tsv	nxn report: x/games.tsv:$line: label
agent of a log	row games 4	nxn report x/games.tsv	nxn report: x/games.tsv:$line: agent
a label announced	mark	nxn report x/games.tsv	nxn report: x/games.tsv:1: label
a label, drawn	row games 3	nxn report x	nxn report: x/games.tsv:$line: label
a label, in print	row games 3	nxn report x --out bundle	nxn report: x/games.tsv:$line: label
a label, resumed	row games 3	nxn compare -b 2x2 -a random,greedy -g 4 -o x	nxn compare: x/games.tsv:$line: label
a comment	note	nxn report x	nxn report: x/games.tsv:1: byte
a comment, in print	note	nxn report x --out bundle	nxn report: x/games.tsv:1: byte
a comment, resumed	note	nxn compare -b 2x2 -a random,greedy -g 4 -o x	nxn compare: x/games.tsv:1: byte
a comment of a curve	curve	nxn report x.tsv --out bundle	nxn report: x.tsv:1: byte
agent of gap	row gap 3	nxn gap -b 2x2 -a random -g 4 --no-figures -o x	nxn gap: x/gap.tsv:$line: agent
agent of searches	row searches 3 sweep	nxn sweep -b 2x2 --depths 1 --cutoffs 0 --positions 2 -o x	nxn sweep: x/searches.tsv:$line: agent
position	row searches 4 sweep	nxn sweep -b 2x2 --depths 1 --cutoffs 0 --positions 2 -o x	nxn sweep: x/searches.tsv:$line: position
record	record	nxn play --replay x.rec	nxn play: x.rec:$line: player
END

# refused DOORS TEXT YAML WORDS: the doors whose names match refuse the text, as printf and YAML write it.
refused()
{
	BAD=$(printf "$2.") && BAD=${BAD%.} YAML=$3
	export BAD YAML
	grep "^$1" doors >some
	while IFS='	' read -r door enter command where <&3; do
		eval "$enter"
		eval "where=\"$where\""
		fails 2 "$where" "$command"
		has "$4" stderr
		LC_ALL=C tr -d '\n -~' <stderr | grep -q . && complain "$door: the message is no plain text"
	done 3<some
}
refused '' 'a\033[31mb' 'a\e[31mb' 'control character'
refused 'a ' 'a\342\200\256b' 'a\u202eb' 'control character'
refused '\(re\|po\|na\)' 'a\342\200\256b' 'a\u202eb' 'control character'
for text in '\177' '\302\205' '\342\201\251' '\330\234' ${all:+'\342\201\246' '\342\200\216' '\342\200\217' '\342\200\250' '\342\200\251'}; do
	refused 'agent	' "a${text}b" '' 'control character'
done
# What is not UTF-8 at all libyaml refuses by its line, and 200 bytes are for labels and titles.
sed -i 's/x.yaml:3:.*/x.yaml:3: invalid/' doors
refused '' 'a\377b' "$(printf 'a\377b')" 'UTF-8'
long=$(head -c 201 /dev/zero | tr '\0' a)
BAD=$long YAML=$long
export BAD YAML
yaml 'title: "@"' 'agents: random'
fails 2 "x.yaml:3:8: title: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' has 201 bytes; expected at most 200" 'nxn compare x.yaml'
yaml 'sequences: [{agents: random, label: "@"}]'
fails 2 'has 201 bytes; expected at most 63' 'nxn compare x.yaml'
row games 3
fails 2 "x/games.tsv:$line: label is 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', not UTF-8 text of 1 to 200 bytes" 'nxn report x'
mark
fails 2 'x/games.tsv:1: label' 'nxn report x'

# Labels that differ in their last byte are two players in tables for people, too.
mkdir x.two
awk -F '\t' -v OFS='\t' -v label="${long#aa}" '/^[0-9a-f]*\t2x2/ { $3 = label ($3 == "greedy") } { print }' games/games.tsv >x.two/games.tsv
for option in --full --spread; do
	gives 0 "nxn report $option x.two"
	for player in 0 1; do
		[ "$(grep -c "2x2 *${long#aa}$player" stdout)" -gt 4 ] || complain "report $option: no row of player $player"
	done
done

# What a log can hold stays text to the end: letters of every length, quotes, markup, the largest numbers.
command -v gnuplot >/dev/null || exit $bad
mkdir -p held
{
	grep '^#\|^config' games/games.tsv
	config=1000000000000000
	for label in "$(for i in $(seq 50); do printf '\360\220\214\260'; done)" '"""' '%s\n{/*$^_@}' '<!--]]>' '\' ' ' "${long#a}"; do
		BAD=$label && export BAD
		config=$((config + 1))
		for game in 0 1; do
			echo "$config	2x2	x	random	0	1	$game	18446744073709551615	9223372036854775808	1844674407370955161$game	999999999999	NaN	NaN"
		done | awk -F '\t' -v OFS='\t' '{ $3 = ENVIRON["BAD"]; print }'
	done
} >held/games.tsv
gives 0 'nxn report held --out bundle'
[ -s stderr ] && complain 'complaints'
[ -s bundle/index.html ] || complain 'no page'
exit $bad
