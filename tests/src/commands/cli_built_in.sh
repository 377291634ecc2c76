#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is strong without training: the model that is part of the program, and the name for a search.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# The model plays every board, as its file does.
model=$source/agents/built_in.nxn
games='nxn compare -b 2x2,3x3,4x4,2x6,5x4 -g 2 --no-times --no-figures'
gives 0 "$games -a ntuple:built-in -o part"
gives 0 "$games -a 'ntuple:$model' -o file"
nxn report --tsv=results part | grep -v '^#' | cut -f 1,2,6-11 >part.tsv
nxn report --tsv=results file | grep -v '^#' | cut -f 1,2,6-11 >file.tsv
[ "$(wc -l <part.tsv)" -eq 6 ] || complain 'the model does not play five boards'
cmp -s part.tsv file.tsv || complain 'the model plays unlike its file'
gives 0 'nxn info built-in'
has 'training games  2000'
gives 0 'nxn train ntuple:tuples=rectangles=2x2+rectangles=1x3+rectangles=1x4,share=all,weights=built-in -b 2x4 -e 20 -o on.nxn'
gives 0 'nxn info on.nxn'
has 'training games  20'

# The command in docs/transfer.md trains such a model: after some games the header is the same, which lists all
# options, also new ones. tests/long/built_in.sh trains all of it.
command=$(sed -n 's/^    \(nxn train .* -o built_in\.nxn\)$/\1/p' "$source/docs/transfer.md")
[ -n "$command" ] || complain 'docs/transfer.md has no command that makes the model'
short=$(echo "$command" | sed 's/ --episodes [0-9]* / --episodes 20 /')
[ "$short" != "$command" ] || complain 'docs/transfer.md: another number of games cannot be given'
gives 0 "$short"
# settings MODEL: what its header lists: tuples and levels, and all parameters.
settings()
{
	head -c 2496 "$1" | LC_ALL=C tr -c ' -~' '\n' | grep ' tuples \|^tuples='
}
settings "$model" >wanted
[ "$(wc -l <wanted)" -eq 2 ] || complain 'the header of the model lists no settings'
settings built_in.nxn | cmp - wanted || complain 'docs/transfer.md makes another model than agents/built_in.nxn'

# In a folder with a file of that name the word is still the model.
cp on.nxn built-in
gives 0 'nxn info built-in'
has 'training games  2000'
gives 0 'nxn info ./built-in'
has 'training games  20'

# `best` is the agent that it stands for.
gives 0 'nxn info best'
settings=$(sed -n 's/^best *stands for //p' stdout)
[ -n "$settings" ] || complain 'info does not say what best is'
gives 0 'nxn compare -b 3x3 -a best -g 2 --no-times --no-figures -o best'
gives 0 "nxn compare -b 3x3 -a '$settings' -g 2 --no-times --no-figures -o long"
nxn report --tsv=results best | grep -v '^#' | cut -f 4- >best.tsv
nxn report --tsv=results long | grep -v '^#' | cut -f 4- >long.tsv
cmp -s best.tsv long.tsv || complain 'best is not what info says'
fails 2 'best:depth=2: takes no settings; it stands for expectimax:' 'nxn play -a best:depth=2 -b 2x2'
fails 2 "did you mean best?" 'nxn play -a bes -b 2x2'

# Games from many tiles, on boards larger than those of its training, and its spawn rule on every board.
gives 0 'nxn play -a ntuple:built-in -b 5x5 --start-tiles 17 -g 1 --record many.rec'
for board in 5x5 4x5; do
	fails 2 "a model for spawn rule '2:0.9,4:0.1', expected spawn rule '2:0.5,4:0.5'" "nxn play -a ntuple:built-in -b $board --spawn 2:0.5,4:0.5"
done

# The weights of a network add up to the value from its init on.
gives 0 'nxn train ntuple:tuples=lines,init=1000 -b 3x3 -e 2 -o i.nxn'
fails 2 'weights for init=1000, expected init=0' 'nxn train ntuple:tuples=lines,weights=i.nxn -b 3x3 -e 1 -o j.nxn'
exit $bad
