#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of text that nxn reads, as other systems and accidents leave it: with a byte order mark, with CR LF,
# without its last newline, with a number that is blank or that text follows, torn.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
gnuplot_idle 'svg:*/training.gp'

# A folder a kind, with what its command reads.
mkdir scores table csv log record yaml positions sampled gap searches tuning curve figure
printf '%s\n' 1000 2000.5 1e3 -7 >scores/f
printf 'who\tscore\ttime\n%s\t10\t1\n%s\t20\t1\n' a b >table/f
printf 'who,score,time\n"a,b",10,1\nb,20,1\n' >csv/f
(cd log && nxn compare -b 2x2 -a random -g 3 -j 1 --no-figures -o . >/dev/null && mv games.tsv f)
nxn play -a random -b 2x2 --games 3 --record record/f >/dev/null
printf 'boards: 2x2\nagents: random\ngames: 3\n' >yaml/f
printf '2,2/2,0\n4,2/2,0\n' | tee positions/f >sampled/f
gap='nxn gap -b 2x2 -a random -g 3 --exact never -j 1 --no-figures -o .'
sweep='nxn sweep -b 2x2 -d 1 -c 0 -p 3 -j 1 --no-figures -o .'
tune='nxn tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 2 -m 1 -g 1 -G 2 --tolerance 0 --held-out 2 -o f.tsv'
train='nxn train qlearn -b 2x2 --block 20 -o m.nxn --curve f'
(cd gap && $gap >/dev/null && ln -s gap.tsv f)
(cd searches && $sweep >/dev/null && ln -s searches.tsv f)
(cd tuning && $tune >/dev/null && ln -s f-games/games.tsv f)
(cd curve && $train -e 60 >/dev/null)
cp curve/f figure/f

# spoil AWK-ACTION: changes the last line of f.
spoil()
{
	awk -v FS="$separator" -v OFS="$separator" -v n="$field" \
		"{ if (NR > 1) print line; line = \$0 } END { \$0 = line; $1; print }" f >changed
	cat changed >f
	rm changed
}

# The ways to leave f; the expression for the last line has the number in $n.
leave()
{
	case $1 in
	mark) { printf '\357\273\277'; cat f; } >changed && cat changed >f && rm changed ;;
	crlf) sed 's/$/\r/' f >changed && cat changed >f && rm changed ;;
	open) truncate -s -1 f ;;
	crlf-open) leave crlf && leave open && truncate -s -1 f ;;
	blank) spoil '$n = " "' ;;
	empty) spoil '$n = ""' ;;
	trailing) spoil '$n = $n "x"' ;;
	hexadecimal) spoil '$n = "0x10"' ;;
	infinite) spoil '$n = "inf"' ;;
	torn) spoil 'NF = n - 1; $n = ""' && leave open ;;
	esac
}

# kind NAME SEPARATOR FIELD OPEN TORN COMMAND [WAYS]: in the folder NAME, field FIELD of the last line of f is a number; with
# OPEN, "same" or "left", a last line without its newline counts, or is left out and reported; with TORN,
# "left" or "fails", a part of one is left out and reported, or is an error. "-": it cannot be told.
kind()
{
	name=$1 separator=$2 field=$3 command=$6
	for way in whole ${7:-mark crlf open blank trailing torn ${all:+crlf-open empty hexadecimal infinite}}; do
		case $way in
		open | crlf-open) wanted=$4 ;;
		torn) wanted=$5 ;;
		blank | empty | trailing | hexadecimal | infinite) wanted=fails ;;
		*) wanted=same ;;
		esac
		[ "$wanted" = - ] && continue
		[ "$name $way" = 'scores empty' ] && continue # the file ends there; see below
		rm -rf now
		cp -a "$name" now
		[ "$wanted" != fails ] || line=$(wc -l <now/f)
		cd now || exit 99
		leave $way
		sh -c "$command" >../stdout 2>../stderr
		got=$?
		cd ..
		[ $way = whole ] && cp stdout whole
		case $wanted in
		same) [ $got -eq 0 ] && cmp -s stdout whole && ! grep -q torn stderr ;;
		left) [ $got -eq 0 ] && grep -q 'torn last line' stderr ;;
		fails) [ $got -eq 2 ] && grep -q "f[.a-z]*:$line:\|[a-z]*.tsv:$line:" stderr && [ "$(wc -l <stderr)" -eq 1 ] ;;
		esac || complain "$name, $way: not $wanted but status $got"
	done
}

tab='	'
# Numbers have one reader: all that is wrong with one is tried of scores.
every='mark crlf open crlf-open blank empty trailing hexadecimal infinite torn'
kind scores "$tab" 1 same - 'nxn report --scores --tsv f' "$every"
kind table "$tab" 2 same fails 'nxn report --scores --column score --tsv f'
kind csv , 2 same fails 'nxn report --scores --column score --tsv f'
kind log "$tab" 8 left left 'nxn report --tsv f' "$every"
kind record "$tab" 8 same left 'nxn play --replay f'
kind yaml ': ' 2 same - 'nxn compare f --no-figures -o y >log && grep -v ^# y/games.tsv | cut -f 1-10 | sort'
kind positions , 3 same fails 'nxn eval -a greedy f >log && cut -f 1-6 log'
kind sampled , 3 same fails 'nxn sweep -b 2x2 -d 1 -c 0 --positions f --no-figures -o s >log && cut -f 4,6 s/searches.tsv | sort'
kind gap "$tab" 5 left left "$gap"
kind searches "$tab" 6 left left "$sweep >log && tail -n 3 searches.tsv | tr -d '\\r' | cut -f 1-4,6- | sort"
kind tuning "$tab" 8 left left "$tune >log && tail -n 1 f.tsv"
kind curve "$tab" 2 left left "$train -e 80 >log && grep -v ^# f | cut -f 1-2,4-"
command -v gnuplot >/dev/null && kind figure "$tab" 5 left left 'nxn report f --out p >log && cat p/figures/*/training.svg' 'crlf-open trailing torn' # with the reader of curves

# In every locale: Python sets the one of its user. A decimal comma is no part of a number.
printf '1,5\n' >comma
fails 2 "comma:1: '1,5' is no score" 'nxn report --scores comma'
# Lines stand for games: an empty one is a score that is missing.
printf '1\n\n2\n' >hole
fails 2 'hole:2: is empty; expected a score' 'nxn report --scores hole'
printf '\n1\n2\n\n\n' >around
gives 0 'nxn report --scores around'
# A game that is over is kept where a player goes on with its file.
cp record/f kept && truncate -s -1 kept
gives 0 'nxn play -a random -b 2x2 --games 4 --record kept'
[ "$(grep -vc '^#' kept)" -eq 4 ] && grep -qxF -f record/f kept || complain 'a record lost a whole line without its newline'
exit $bad
