#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn __complete: the words are those that the program's own lists say there are; and the scripts of
# nxn completion, which ask for them.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

command -v bash >/dev/null || { echo 'no bash'; exit 77; }

gives 0 'nxn completion bash'
[ -s stderr ] && complain 'nxn completion bash complains'
mv stdout script
gives 0 'bash -n script'
fails 2 "no shell 'tcsh': expected bash, zsh or fish" 'nxn completion tcsh'
fails 2 'unexpected argument' 'nxn completion bash zsh'
fails 2 'the shell is missing' 'nxn completion'

# driver: asks for completions of lines as readline does, which breaks words at ':' and '='.
cat >driver <<'EOF'
. ./script
compopt() { :; }
break_words()
{
	local rest=$1 word=
	COMP_WORDS=()
	while [[ $rest ]]; do
		case $rest in
		' '*) [[ $word ]] && COMP_WORDS+=("$word"); word= rest=${rest# } ;;
		[:=]*) [[ $word ]] && COMP_WORDS+=("$word")
			word=${rest%%[!:=]*} rest=${rest#"$word"}
			COMP_WORDS+=("$word") word= ;;
		[\'\"]*) COMP_WORDS+=("$rest"); return ;;
		*) word=${rest%%[ :=]*} rest=${rest#"$word"} ;;
		esac
	done
	[[ $word ]] && COMP_WORDS+=("$word")
	[[ $1 == *' ' ]] && COMP_WORDS+=("")
}
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
break_words "$1"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_nxn
[[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
EOF

# completes LINE WORD...: these are the candidates behind LINE, in any order.
completes()
{
	line=$1
	shift
	for word; do echo "$word"; done >expected
	[ $# -eq 0 ] || { completes_file "$line"; return; }
	nxn __complete "$line" >found 2>stderr
	[ -s found ] || [ -s stderr ] && complain "'$line' gives: $(cat found)"
}

# completes_file LINE: these are the lines of the file `expected`.
completes_file()
{
	nxn __complete "$1" 2>stderr | LC_ALL=C sort >found
	[ -s stderr ] && complain "complaints: $1"
	[ -s expected ] || complain "nothing is expected: $1"
	LC_ALL=C sort expected | cmp -s - found || {
		LC_ALL=C sort expected | diff - found
		complain "other candidates: $1"
	}
}

# bash_completes LINE WORD...: the same of bash.
bash_completes()
{
	line=$1
	shift
	found=$(bash driver "$line" | LC_ALL=C sort | tr '\n' ' ')
	[ "$found" = "$*${*:+ }" ] || complain "bash: '$line' gives: $found"
}

# Commands: those that nxn --help lists.
nxn --help | sed -n '/^Commands:/,/^EXAMPLES/s/^  \([a-z]*\)  .*/\1/p' >commands
{ cat commands; echo help; printf -- '--%s\n' help version; } >expected
completes_file 'nxn '
{ cat commands; echo help; } >expected
completes_file 'nxn help '
completes 'nxn co' compare completion
completes 'nxn help ver' verify

# Options of every command: those that its --help lists, with a '=' behind those that need an argument.
while read -r command; do
	nxn "$command" --help | awk '
	/^(  -|      --)/ {
		for (i = 1; i <= NF && $i ~ /^-/; i++) {
			more = $i ~ /,$/; sub(/,$/, "", $i)
			argument = sub(/=.*/, "=", $i); sub(/\[=?$/, "", $i)
			if ($i ~ /^--/ || $i !~ /^-[?V]$/)
				print $i
			if (!more) break
		}
	}' >expected
	completes_file "nxn $command -"
done <commands

# Experiments: the files that come with nxn; nxn info experiments lists all.
(cd "$source/analysis/experiments" && ls ./*.yaml) | sed 's,^\./,,; s/\.yaml$//' >expected
nxn info experiments | tr ' ,.' '\n' | sort -u >listed
sort expected | comm -23 - listed >missing
[ -s missing ] && complain "nxn info experiments does not list $(cat missing)"
mkdir clean
(cd clean && nxn __complete 'nxn compare ') | LC_ALL=C sort >got
LC_ALL=C sort expected | cmp -s - got || complain "other experiments: $(cat got)"
echo >clean/driver
completes 'nxn compare ./clean/dri' ./clean/driver
completes 'nxn compare --dry-run ablat' ablation ablation-more

# Boards, agents, their parameters and what those can be.
nxn info boards | sed -n 's/^\([2-6]x[2-6]\) .*/\1/p' >expected
completes_file 'nxn play --board '
completes 'nxn play --board=6x' --board=6x2 --board=6x3 --board=6x4 --board=6x5 --board=6x6
completes 'nxn compare -b 3x3,5x' 3x3,5x2 3x3,5x3 3x3,5x4 3x3,5x5 3x3,5x6
nxn info agents | sed -n 's/^\([a-z0-9]*\):[A-Z]*\( .*\)*$/\1:/p; s/^\([a-z][a-z0-9]*\) .*/\1/p' >expected
completes_file 'nxn eval -a '
completes 'nxn eval --agent gre' greedy
nxn info expectimax | sed -n 's/^  \([a-z_0-9]*=\).*/expectimax:\1/p' >expected
nxn info heuristic | sed -n 's/^  \([a-z_0-9]*=\).*/expectimax:\1/p' >>expected
completes_file 'nxn eval -a expectimax:'
completes 'nxn eval -a expectimax:dep' expectimax:depth=
completes 'nxn eval --agent=expectimax:dep' --agent=expectimax:depth=
completes 'nxn eval -a expectimax:depth=2,cut' expectimax:depth=2,cutoff=
completes 'nxn eval -a expectimax:leaf=' expectimax:leaf=auto expectimax:leaf=state expectimax:leaf=after
completes 'nxn eval -a expectimax:value=st' expectimax:value=strong
completes 'nxn eval -a expectimax:value=linear9,depth=2,f' expectimax:value=linear9,depth=2,f3=
completes 'nxn eval -a corners,gre'
completes 'nxn compare -a corners,gre' corners,greedy
completes 'nxn compare -a corners,expectimax:depth=2,gre' corners,expectimax:depth=2,greedy
completes 'nxn compare -a corners,expectimax:depth=2,ms' corners,expectimax:depth=2,ms=
completes "nxn compare -a 'corners;expectimax:dep" 'corners;expectimax:depth='
completes "nxn compare -a 'corners;expectimax:depth=2,gre"
completes 'nxn tune --params w --agent expectimax:nod' expectimax:nodes=
completes 'nxn train ntuple:rate=t' ntuple:rate=tc

# Files and folders.
mkdir models && touch models/q33.nxn models/r33.nxn
completes 'nxn play -a qlearn:models/q' qlearn:models/q33.nxn
completes 'nxn play -a optimal:mod' optimal:models/
completes 'nxn compare -a random,qlearn:models/r' random,qlearn:models/r33.nxn
completes 'nxn eval -a expectimax:value=ntuple:models/q' expectimax:value=ntuple:models/q33.nxn
completes 'nxn train qlearn --out models/q' models/q33.nxn
completes 'nxn train qlearn --out=models/q' --out=models/q33.nxn
completes 'nxn compare --out mod' models/
completes 'nxn compare --out models/q'
completes 'nxn report mod' models/
completes 'nxn info models/r' models/r33.nxn

completes 'nxn report --out mod' models/
completes 'nxn report models/q' models/q33.nxn
completes 'nxn duel gre' greedy
completes 'nxn duel greedy expectimax:dep' expectimax:depth=
# A word of --help is no pattern for names of files.
touch F I L E
completes 'nxn eval models/q' models/q33.nxn

# Words: tables, checks, goals, and those of --help.
nxn report --help | tr -s '\n ' '  ' | grep -q 'summary (the default), results, spread, tiles, reach, scores, curve, means, ratios, leads, law, crossover, front, or games' ||
	complain 'the tables of nxn report have changed'
completes 'nxn report --tsv=' $(printf -- '--tsv=%s ' results summary spread tiles reach scores curve means ratios leads law crossover front games)
completes 'nxn report --tsv r' # its argument must not stand apart
completes 'nxn info pro' program
completes 'nxn info lin' linear9
completes 'nxn solve --goal best' best-moves best-score
completes 'nxn solve --goal=mo' --goal=moves
nxn verify --list | sed 's/ .*//' >expected
completes_file 'nxn verify --only '
completes 'nxn completion ' bash zsh fish
completes 'nxn frobnicate --o'
completes 'nxn compare --seed '

# Programs in the folders of PATH.
cp bin/nxn bin/nxn-of-this-test 2>/dev/null || ln -s "$nxn_path" bin/nxn-of-this-test
completes 'nxn verify --against nxn-of-this-t' nxn-of-this-test

# bash gets what is behind the last place where it breaks the word; inside quotes, the whole word.
bash_completes 'nxn co' compare completion
bash_completes 'nxn eval --agent=expectimax:dep' depth=
bash_completes 'nxn eval -a expectimax:depth=2,cut' 2,cutoff=
bash_completes 'nxn eval -a qlearn:models/q' models/q33.nxn
bash_completes "nxn compare -a 'corners;expectimax:dep" 'corners;expectimax:depth='
bash_completes 'nxn frobnicate --o'
# The same where bash does not break words.
sed "s/COMP_WORDBREAKS=.*/COMP_WORDBREAKS=' '/; s/\[:=\]\*)/NEVER)/; s/\[ :=\]/[ ]/" driver >unbroken
mv unbroken driver
bash_completes 'nxn eval --agent=expectimax:dep' --agent=expectimax:depth=
bash_completes 'nxn eval -a expectimax:depth=2,cut' expectimax:depth=2,cutoff=

# A cursor in the middle: what is behind it does not count.
sed 's/^COMP_LINE=$1 COMP_POINT=${#1}/COMP_LINE="$1 -g 20" COMP_POINT=${#1}/' driver >middle
mv middle driver
bash_completes 'nxn report --ts' --tsv

# Other shells ask as bash does.
gives 0 'nxn completion fish'
mv stdout script.fish
gives 0 'nxn completion zsh'
head -n 1 stdout | grep -qx '#compdef nxn nxn-mpi' || complain 'zsh would not load the script'
mv stdout script.zsh
if command -v fish >/dev/null; then
	gives 0 "HOME=$PWD fish --no-config -c 'source script.fish; complete -C \"nxn compare -b 3x3,6x\"'"
	[ "$(tr '\n' ' ' <stdout)" = '3x3,6x2 3x3,6x3 3x3,6x4 3x3,6x5 3x3,6x6 ' ] || complain "fish: $(cat stdout)"
fi
if command -v zsh >/dev/null; then
	cat >driver.zsh <<'END'
compdef() { }
compadd() { [[ ${@[-1]} = found ]] && print -l -- $found || print -l -- $more }
source ./script.zsh
words=(nxn compare -b 3x3,6x) CURRENT=4 PREFIX=3x3,6x
_nxn
words=(nxn eval -a expectimax:dep) PREFIX=expectimax:dep
_nxn
END
	gives 0 'zsh -f driver.zsh'
	[ "$(tr -s '\n' ' ' <stdout)" = '3x3,6x2 3x3,6x3 3x3,6x4 3x3,6x5 3x3,6x6 expectimax:depth= ' ] ||
		complain "zsh: $(cat stdout)"
fi

examples completion


# A folder of $PATH with a long name, which is no folder.
for length in 4090 8184 9000 11000; do
	gives 0 "PATH=/$(printf "%${length}s" '' | tr ' ' a):\$PATH nxn __complete 'nxn verify --against x'"
done
exit $bad
