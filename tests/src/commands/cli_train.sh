#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn train from the outside: killed at any moment, it goes on to the same model and, but for its
# times, the same curve; budgets, reports, refusals. Its examples are run by cli_run.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# untimed CURVE: without the seconds, and without the version, which a rebuild may change.
untimed()
{
	grep -v '^# nxn ' "$1" | cut -f 1,2,4-
}

# same FOLDER WHAT [WHOLE]: compares a folder's model and curve with those of the whole run.
same()
{
	cmp "$1/m.nxn" "${3:-whole}/m.nxn" || complain "$2: another model"
	untimed "$1/c.tsv" >"$1.untimed"
	cmp "$1.untimed" "${3:-whole}.untimed" || complain "$2: another curve"
	[ "$(ls "$1" | wc -l)" -eq 2 ] || complain "$2: left behind $(ls "$1")"
}

# ended FOLDER FILE COMMAND: runs it there and sends SIGTERM when FILE has been made, or made anew; its status
# in $got.
ended()
{
	mkdir -p "$1"
	before=$(stat -c %i "$1/$2" 2>/dev/null)
	(cd "$1" && exec $3) >stdout 2>stderr &
	pid=$!
	made=$1/$2
	waits 100 '[ "$(stat -c %i "$made" 2>/dev/null)" != "$before" ]' "$1/$2 is not made"
	signalled TERM
}

# The whole run: rows of 100 games, the last of 50.
train='nxn train qlearn -b 3x3 -e 750 --block 100 -s 4 -o m.nxn --curve c.tsv --checkpoint 37'
mkdir whole
gives 0 "cd whole && $train"
has 'm.nxn: qlearn on 3x3 after 750 training games'
untimed whole/c.tsv >whole.untimed
grep -v '^#' whole/c.tsv | cut -f 1,2 | tr '\t\n' ' ;' >blocks
[ "$(cat blocks)" = '"trained" "games";100 100;200 100;300 100;400 100;500 100;600 100;700 100;750 50;' ] ||
	complain "blocks of the curve: $(cat blocks)"
grep -aq '^seconds [0-9.]* games ' whole/m.nxn && complain 'an open block in the end'
[ -s stderr ] && complain 'complaints of training'
cp whole/c.tsv whole.tsv
cp stdout whole.stdout
gives 0 'cd whole && nxn train qlearn -b 3x3 -e 500 -s 4 -o m.nxn'
has 'Nothing was left to do: it already has 750 games, --episodes is 500; more than 750 continue training.'
grep -q 'Nothing was left' whole.stdout && complain 'training that went on is said to have nothing to do'
cp whole/m.nxn whole.nxn

# Neither how often the model is saved nor the rows matter to it; nor whether it is in one go.
gives 0 'nxn train qlearn -b 3x3 -e 750 -s 4 -o rare.nxn'
cmp rare.nxn whole/m.nxn || complain 'checkpoints change the model'
for episodes in 1 350 750; do
	gives 0 "nxn train qlearn -b 3x3 -e $episodes -s 4 -o often.nxn --checkpoint 65"
done
cmp often.nxn whole/m.nxn || complain 'training in parts gives another model'

# Killed at any moment.
for seconds in 0.02 0.04 0.06 0.05; do
	killed part KILL $seconds "$train"
done
gives 0 "cd part && $train"
same part 'killed now and then'

# Killed while it saves, which it does most of the time here, after every game.
always="${train% *} 1"
for seconds in 0.05 0.17 0.31 0.13; do
	killed saving KILL $seconds "$always"
	[ -s saving/m.nxn ] && gives 0 'nxn info saving/m.nxn'
done
gives 0 "cd saving && $train"
sed -i 's/--checkpoint 1$/--checkpoint 37/' saving/c.tsv
same saving 'killed while it saves'

# Between the curve and the model: what an earlier model needs of the curve is still there.
slow="${train% *} 5"
ended between m.nxn "$slow"
cp between/m.nxn earlier.nxn
gives 0 'nxn info earlier.nxn'
grep -q '^training games  *750$' stdout && complain 'the test is too slow to stop training'
killed between KILL 0.1 "$slow"
cp earlier.nxn between/m.nxn
gives 0 "cd between && $train"
sed -i 's/--checkpoint 5$/--checkpoint 37/' between/c.tsv
same between 'the curve ahead of the model'

# A torn line, and rows of games that the model has not played, are cut off.
mkdir torn
cp whole/c.tsv torn/c.tsv
cp earlier.nxn torn/m.nxn
printf '850\t100\t1.0' >>torn/c.tsv
gives 0 "cd torn && $train"
same torn 'a torn curve'

# Games on the boards that come first are told apart from those of the board.
mkdir first
gives 0 'cd first && nxn train ntuple:tuples=rectangles=1x2,share=all,curriculum=2x2:30 -b 3x3 -e 40 --block 20 -o m.nxn --curve c.tsv'
[ "$(grep -v '^#' first/c.tsv | cut -f 1,2 | tr '\t\n' ' ;')" = '"trained" "games";20 0;40 10;' ] ||
	complain "blocks with games on another board: $(grep -v '^#' first/c.tsv | cut -f 1,2)"
has 'Games 21 to 40: mean score '
has '(and 10 games on other boards or from other starts)'

# A game that goes back many times is left in its midst, and gone on with. Each try has a little more time, so that
# a slow machine comes to the end as well; 143 is a stop before nxn handles the signal.
back='nxn train ntuple:tuples=lines,retries=30000 -b 3x3 -e 4 -s 2 -j 1 -o m.nxn'
mkdir back-whole
gives 0 "cd back-whole && $back"
tries=0 stops=0 got=75
while { [ $got -eq 75 ] || [ $got -eq 143 ]; } && [ $tries -lt 100 ]; do
	tries=$((tries + 1))
	killed back TERM "$(printf '%d.%02d' $((tries / 50)) $((tries % 50 * 2)))" "$back"
	[ $got -ne 75 ] || stops=$((stops + 1))
done
[ $got -eq 0 ] || complain "training that goes back ended with $got"
[ $stops -gt 2 ] || complain "a game that goes back was stopped $stops times only"
cmp back/m.nxn back-whole/m.nxn || complain 'stops while a game goes back made another model'

# Ctrl-C and SIGTERM in the midst of a block: what it has come to is kept.
mkdir signal
for signal in INT TERM; do
	long='nxn train qlearn -b 4x4 -e 1000000 -o m.nxn --curve c.tsv --block 100000 --progress'
	mkdir $signal && : >stderr
	(cd $signal && exec $long) >stdout 2>stderr &
	pid=$!
	waits 100 "grep -q '[1-9][0-9]*/1000000 trained' stderr" 'no progress'
	stops $signal 'train: stopped'
	has "$long" resume
	games=$(sed -n 's/.*after \([0-9]*\) training games/\1/p' stdout)
	tail -c 600 $signal/m.nxn | grep -aq "seconds [0-9.]* games $games " ||
		complain "no open block of $games games after SIG$signal"
	has "Games 1 to $games: mean score "
done
killed part2 TERM 0.03 "$train"
killed part2 INT 0.03 "$train"
gives 0 "cd part2 && $train"
same part2 'stopped by signals'

# The same with several games under way, which are saved with the model, and with moves that are
# learned from when a game has ended; trained further is as trained in one go.
for agent in ntuple:tuples=lines,lanes=2 ntuple:tuples=lines,update=backward,rate=tc,lanes=2; do
	lanes="nxn train $agent -b 3x3 -e 750 --block 100 -s 4 -o m.nxn --curve c.tsv --checkpoint 37"
	rm -rf whole lanes
	mkdir whole
	gives 0 "cd whole && $lanes"
	untimed whole/c.tsv >whole.untimed
	for seconds in 0.03 0.05; do
		killed lanes KILL $seconds "$lanes"
	done
	killed lanes TERM 0.03 "$lanes"
	gives 0 "cd lanes && $lanes"
	same lanes "$agent, killed"
	gives 0 "nxn train $agent -b 3x3 -e 250 -s 4 -o parts.nxn && nxn train $agent -b 3x3 -e 750 -s 4 -o parts.nxn"
	cmp parts.nxn whole/m.nxn || complain "$agent trained in parts gives another model"
	rm parts.nxn
done

# Several threads: neither a game too many nor one that the curve lacks, wherever it stops; what
# they learn together is worth as much.
threads='nxn train ntuple:tuples=lines -b 3x3 -s 4 -j 3 -o m.nxn --curve c.tsv --block 200 --checkpoint 300'
killed threads KILL 0.05 "$threads -e 3000"
ended threads m.nxn "$threads -e 1000000"
[ $got -eq 75 ] || complain "exit status $got of several threads after SIGTERM"
games=$(sed -n 's/.*after \([0-9]*\) training games/\1/p' stdout)
gives 0 "cd threads && $threads -e $((games + 2000))"
has "after $((games + 2000)) training games"
[ "$(grep -v '^[#"]' threads/c.tsv | awk '{ sum += $2 } END { print sum }')" = $((games + 2000)) ] ||
	complain 'the curve lacks games of several threads'
gives 0 'nxn train ntuple:tuples=lines -b 3x3 -e 3000 --block 1500 -o one.nxn --curve one.tsv'
gives 0 'nxn train ntuple:tuples=lines -b 3x3 -e 3000 --block 1500 -o two.nxn --curve two.tsv -j 2'
tail -qn 1 one.tsv two.tsv | cut -f 5 | tr '\n' ' ' | awk '{ exit !($2 > 0.9 * $1 && $2 < 1.1 * $1) }' ||
	complain 'two threads learn something else'

# The curve says what its games say: rows of 100 games are sums of 100 rows of one.
gives 0 'nxn train qlearn -b 3x3 -e 500 --block 1 -s 4 -o each.nxn --curve each.tsv'
grep -v '^[#"]' each.tsv | awk -F '\t' '
	{ games++; moves += $4; sum += $5; if ($5 > max) max = $5
	  for (i = 9; i <= NF - 6; i += 4) { reach[i] += $i; ended[i] += $(i + 3) }
	  final += $(NF - 5) }
	games % 100 == 0 {
		printf "%d %d %.4f %d", games, moves, sum / 100, max
		for (i = 9; i <= NF - 6; i += 4) printf " %.3f %.3f", reach[i] / 100, ended[i] / 100
		printf " %.3f %s\n", final / 100, $(NF - 2)
		moves = sum = max = final = 0; split("", reach); split("", ended) }' >each
grep -v '^[#"]' whole.tsv | head -n 5 | awk -F '\t' '
	{ printf "%d %d %.4f %d", $1, $4, $5, $8
	  for (i = 9; i <= NF - 6; i += 4) printf " %.3f %.3f", $i, $(i + 3)
	  printf " %.3f %s\n", $(NF - 5), $(NF - 2) }' >rows
[ "$(wc -l <each)" -eq 5 ] || complain 'expected 5 blocks'
cmp each rows || complain 'rows of the curve do not say what their games say'
[ "$(awk '{ print $NF }' rows | sort -u)" = NaN ] || complain 'uncertainty of a learner that tells none'
gives 0 'nxn train qlearn -b 3x3 -e 500 --block 1 -s 4 -o each.nxn --curve each.tsv'

# Columns: every tile from 256 on that the shape can reach; lower on small boards.
tiles()
{
	gives 0 "nxn train qlearn -b $1 -e 1 -o tiles.$1 --curve tiles.$1.tsv"
	got=$(grep '^"' "tiles.$1.tsv" | tr '\t' '\n' | sed -n 's/^"end_\([0-9]*\)"$/\1/p' | sed -n '1p;$p' | tr '\n' ' ')
	[ "$got" = "$2 $3 " ] || complain "tiles on $1: $got"
}
tiles 2x2 2 32
tiles 3x3 32 1024
tiles 4x4 256 131072
[ ! "$all" ] || tiles 6x6 256 16777216

# The report is the last whole block.
gives 0 'cd part && rm * && nxn train qlearn -b 3x3 -e 750 --block 100 -s 4 -o m.nxn --curve c.tsv'
has "Games 601 to 700: mean score $(grep '^700' part/c.tsv | awk -F '\t' '{ printf "%.0f", $5 }') ["
sed 's/%//g' stdout | awk '$1 == 256 { print $2, $NF }' >reported
grep '^700' part/c.tsv | cut -f 21,24 | awk '{ printf "%.1f %.1f\n", 100 * $1, 100 * $2 }' >rates
cmp reported rates || complain 'the report does not agree with the curve'

# Lines for a log, and the progress line.
gives 0 'nxn train qlearn -b 2x2 -e 500 --block 100 -v -o v.nxn'
[ "$(grep -c '^[1-5]00 games, [0-9.e-]* s, .* M moves/s: mean [0-9]* \[[0-9]*, [0-9]*\], ' stderr)" -eq 5 ] ||
	complain 'expected a line a block'
gives 0 'nxn train qlearn -b 4x4 --time-budget 1s --block 2 --progress -o p.nxn'
tr '\r' '\n' <stderr >lines
grep -q '^.\[K[0-9]* trained [0-9]*/s .* M moves/s ETA 0:00:0[01]; mean [0-9]* ' lines || complain 'no progress'
began=$(date +%s)
gives 0 'nxn train qlearn -b 4x4 -e 100 --progress -o q.nxn'
# Less than five seconds tell nothing about the rest.
[ $(($(date +%s) - began)) -gt 4 ] || ! grep -q ETA stderr || complain 'a time left at once'
tr '\r' '\n' <stderr | grep -q '^.\[K[0-9]*/100 trained ' || complain 'no progress to a number of games'

# A budget of time, together with that of earlier runs as far as there is a curve to tell it.
budget='nxn train qlearn -b 3x3 --curve b.tsv -o b.nxn --time-budget'
ended . b.tsv "$budget 1h"
[ $got -eq 75 ] || complain "exit status $got after SIGTERM within the budget"
budget="$budget 0.4s"
gives 0 "$budget"
grep -v '^[#"]' b.tsv | tail -n 1 | awk -F '\t' '{ exit !($3 >= 0.4 && $3 < 4) }' || complain 'another budget'
games=$(sed -n 's/.*after \([0-9]*\) training games/\1/p' stdout)
[ "$(grep -v '^[#"]' b.tsv | awk '{ sum += $2 } END { print sum }')" = "$games" ] || complain 'the curve lacks games'
cp b.nxn spent.nxn
gives 0 "$budget"
cmp b.nxn spent.nxn || complain 'training beyond the budget'
has 'Nothing was left to do: it already has the time of --time-budget; a larger one continues training.'
gives 0 'nxn train qlearn -b 3x3 -e 50 --time-budget 1h -o both.nxn'
has 'both.nxn: qlearn on 3x3 after 50 training games'

# What a learner cannot have it says before training. (A sanitizer needs more than the limit itself.)
if (ulimit -v 400000; nxn --version) >/dev/null 2>&1; then
	fails 1 'cannot map' '(ulimit -v 400000; exec nxn train qlearn -b 6x6 -e 1 -o big.nxn)'
	[ -e big.nxn ] && complain 'a model of nothing'
fi

# Learners by batches: stopped in the midst of one, with any number of threads, the same.
for agent in policy:hidden=12,batch=7 policy:hidden=12,credit=critic,optimiser=adam; do
	rm -rf batches stopped
	mkdir batches
	command="nxn train $agent -b 3x3 -e 400 --block 50 -s 4 -o m.nxn --curve c.tsv --checkpoint 23"
	gives 0 "cd batches && $command"
	untimed batches/c.tsv >batches.untimed
	for seconds in 0.05 0.1; do
		killed stopped KILL $seconds "$command -j 3"
	done
	killed stopped TERM 0.1 "$command"
	gives 0 "cd stopped && $command -j 2"
	sed -i 's/ -j 2$//; s/ -j 3$//' stopped/c.tsv batches/c.tsv
	untimed batches/c.tsv >batches.untimed
	same stopped "$agent" batches
done

# Errors.
fails 2 'the agent is missing' 'nxn train -e 1 -o x.nxn'
fails 2 'expected --episodes or --time-budget' 'nxn train qlearn -o x.nxn'
fails 2 '--out is missing' 'nxn train qlearn -e 1'
ln -s x.nxn x.link
for name in x.nxn ./x.nxn "$PWD/x.nxn" x.link; do
	fails 2 "--curve: '$name' is the model of --out" "nxn train qlearn -e 1 -o x.nxn --curve $name"
done
[ -e x.nxn ] && complain 'a model is written in spite of --curve'
fails 2 "--block: '0' is not" 'nxn train qlearn -e 1 -o x.nxn --block 0'
fails 2 "--checkpoint: '0' is not" 'nxn train qlearn -e 1 -o x.nxn --checkpoint 0'
fails 2 "--checkpoint-minutes: '-1' is not" 'nxn train qlearn -e 1 -o x.nxn --checkpoint-minutes -1'
fails 2 '--threads: qlearn learns with one thread only, not with 2' 'nxn train qlearn -e 1 -o x.nxn --threads 2'
for time in '' 0s 10 1d; do
	fails 2 "--time-budget: '$time' is not a time" "nxn train qlearn -o x.nxn --time-budget '$time'"
done
fails 2 'nowhere/x.nxn: the folder for it is not there' 'nxn train qlearn -e 1 -o nowhere/x.nxn'
# Mini-games begin and end with tiles that the board has, on every board: 4 to 16 on 2x2, 32 to 512 on
# 3x3, 64 to 1024 on 4x4.
for board in 2x2 3x3 4x4 ${all:+2x6 6x6}; do
	for type in mini_random mini_iterative; do
		gives 0 "nxn train relative:game_type=$type,hidden1=4,hidden2=4,win=none -b $board -e 20 -o mini-$type-$board.nxn"
	done
done
fails 2 'mini_last=32: expected a tile from 4 to 16 on 2x2' 'nxn train relative:game_type=mini_random,mini_last=32 -b 2x2 -e 1 -o x.nxn'
fails 2 'random does not learn; expected one of adp, qlearn, ntuple, policy, relative' 'nxn train random'
fails 2 "agent 'qlean'" 'nxn train qlean -e 1 -o x.nxn'
fails 2 "was trained with eta=1, not eta=2" 'nxn train qlearn:eta=2 -b 3x3 -e 1 -o whole.nxn'
fails 2 "was trained with levels=0, not levels=5" 'nxn train qlearn:levels=5 -b 3x3 -e 1 -o whole.nxn'
nxn train policy:hidden=8,4 -b 3x3 -e 1 -o hidden.nxn >stdout
fails 2 'stages=500: expected at most 7 rising tiles (powers of two from 4 on), as in 512+1024' \
	'nxn train policy:stages=500 -b 3x3 -e 1 -o stages.nxn'
fails 2 'was trained with hidden=8,4, not hidden=8,5' 'nxn train policy:hidden=8,5 -b 3x3 -e 1 -o hidden.nxn'
fails 2 'was trained as qlearn, not as adp' 'nxn train adp -b 3x3 -e 1 -o whole.nxn'
fails 2 'whole.nxn' 'nxn train qlearn -b 4x4 -e 1 -o whole.nxn'
fails 2 'training continues only from the model given as --out' 'nxn train qlearn:whole.nxn -b 3x3 -e 9 -o x.nxn'
echo 'mine' >mine.tsv
for file in mine.tsv tiles.4x4.tsv; do
	cp $file copy.tsv
	fails 2 ': exists and is not ' 'nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve copy.tsv'
	cmp $file copy.tsv || complain "$file was changed"
done
sed 's/^1	/one	/' tiles.2x2.tsv >copy.tsv
fails 2 ': exists and is not a learning curve' 'nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve copy.tsv'
fails 2 'folder: exists and is not a regular file' 'mkdir folder; nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve folder'
# A last row with a cell too few or too many, or once more, is not continued.
gives 0 'nxn train qlearn -b 2x2 -e 3000 --block 1000 -o row.nxn --curve row.tsv'
cp row.tsv sound.tsv
while read -r words change; do
	sed "$change" sound.tsv >row.tsv && cp row.tsv copy.tsv
	fails 2 "row.tsv:$(($(wc -l <sound.tsv))): $(echo "$words" | tr _ ' ')" \
		'nxn train qlearn -b 2x2 -e 4000 --block 1000 -o row.nxn --curve row.tsv'
	cmp -s row.tsv copy.tsv || complain "a curve was changed: $change"
done <<'END'
33_cells_under_34_names_of_columns $s/\t[^\t]*$//
35_cells_under_34_names_of_columns $s/$/\t1/
2000_games_after_2000; $s/^3000/2000/
END
cp sound.tsv row.tsv
gives 0 'nxn train qlearn -b 2x2 -e 4000 --block 1000 -o row.nxn --curve row.tsv'
# A curve of another training stays as it is; nothing is trained.
gives 0 'nxn train qlearn -b 2x2 -e 30 --block 10 -s 7 -o own.nxn --curve own.tsv'
cp own.tsv kept.tsv
cp own.nxn kept.nxn
foreign="own.tsv: exists and is not the curve of this training: there '"
for other in 'ntuple:tuples=lines -s 7' 'qlearn:eta=2 -s 7' 'qlearn -s 7 --start-tiles 3' 'qlearn -s 7 --spawn 2:0.5,4:0.5'; do
	fails 2 "${foreign}configuration: " "nxn train $other -b 2x2 -e 9 -o x.nxn --curve own.tsv"
done
fails 2 "${foreign}seed: 7', here 'seed: 8'" \
	'nxn train qlearn -b 2x2 -e 9 -s 8 -o x.nxn --curve own.tsv'
# What the model does not know its curve does.
fails 2 "${foreign}seed: 7', here 'seed: 77'" 'nxn train qlearn -b 2x2 -e 90 -s 77 -o own.nxn --curve own.tsv'
fails 2 "${foreign}configuration: " 'nxn train qlearn -b 2x2 -e 90 -s 7 --start-tiles 1 -o own.nxn --curve own.tsv'
cmp kept.tsv own.tsv || complain 'the curve of another training was changed'
cmp kept.nxn own.nxn || complain 'a model was trained though its curve is that of another training'
[ "$(ls own.* | tr '\n' ' ')" = 'own.nxn own.tsv ' ] || complain "left beside a curve: $(ls own.*)"
# So does that of another model of the same training, and of a model that is gone.
fails 2 'own.tsv:'"$(grep -n '^10	' own.tsv | cut -d : -f 1)"': has a row after 10 games, but the model of --out does not exist' \
	'nxn train qlearn -b 2x2 -e 9 -s 7 -o new.nxn --curve own.tsv'
cmp kept.tsv own.tsv || complain 'the curve of another model was changed'
[ ! -e new.nxn ] || complain 'a model was trained though its curve is that of another one'
# The same training otherwise: more games, another block, program and command.
sed -i 's/^# nxn .*/# nxn 0.0.1/; s/^# processor: .*/# processor: another/' own.tsv
gives 0 'nxn train qlearn --board 2x2 --episodes 60 --block 15 --seed 7 --out own.nxn --curve own.tsv -v'
sed 's/^# nxn .*/# nxn 0.0.1/; s/^# processor: .*/# processor: another/' kept.tsv >before.tsv
head -n "$(wc -l <before.tsv)" own.tsv | cmp - before.tsv || complain 'rows of a curve that is gone on with'
[ "$(grep -v '^[#"]' own.tsv | cut -f 1 | tr '\n' ' ')" = '10 20 30 45 60 ' ] || complain "rows of a curve: $(cat own.tsv)"
has '# nxn 0.0.1' own.tsv
# One process at a time writes a curve and a model; the others are refused, and it goes on.
at_work busy.tsv 12 'nxn train qlearn -b 3x3 -e 100000000 -s 7 -o busy.nxn --curve busy.tsv'
fails 2 'busy.tsv: another process is writing this file' 'nxn train qlearn -b 3x3 -e 9 -s 7 -o x.nxn --curve busy.tsv'
ln -s busy.tsv linked.tsv
fails 2 'busy.tsv: another process is writing this file' 'nxn train qlearn -b 3x3 -e 9 -s 7 -o x.nxn --curve linked.tsv'
fails 2 'busy.nxn: another process is writing this file' 'nxn train qlearn -b 3x3 -e 9 -s 7 -o busy.nxn'
ln -s busy.nxn linked.nxn
fails 2 'busy.nxn: another process is writing this file' 'nxn train qlearn -b 3x3 -e 9 -s 7 -o linked.nxn'
signalled TERM
[ $got -eq 75 ] || complain 'the first of several trainings did not go on'
[ "$(ls busy.* | tr '\n' ' ')" = 'busy.nxn busy.tsv ' ] || complain "left beside a curve: $(ls busy.*)"
# A disk that is full in the midst of a curve or a model: one line, wherever it is met; then it is gone on with.
for agent in qlearn 'ntuple:tuples=lines -j 2' policy:hidden=6; do
	for blocks in 5 ${all:+1 14}; do
		command="nxn train $agent -b 2x2 -e 2000 --block 10 -o full.nxn --curve full.tsv"
		fails 1 ': File too large' "ulimit -f $blocks; $command"
		grep -q 'full\.[nt].*: cannot .*writ.*: File too large$' stderr || complain "not said that the disk is full"
	done
	gives 0 "$command"
	[ "$(grep -c '^[0-9]' full.tsv)" -eq 200 ] || complain "the curve of $agent lacks rows after a full disk"
	rm full.*
done
# Links stay; what they lead to is trained further, or made.
mkdir real links
for i in 1 2; do
	ln -s ../real/m.nxn links/m.nxn 2>/dev/null
	ln -s "$PWD/real/c.tsv" links/c.tsv 2>/dev/null
	gives 0 "nxn train qlearn -b 2x2 -e ${i}0 --block 10 -s 7 -o links/m.nxn --curve links/c.tsv"
	[ -L links/m.nxn ] && [ -L links/c.tsv ] || complain 'a model or curve in place of a link'
done
gives 0 'nxn train qlearn -b 2x2 -e 20 --block 10 -s 7 -o unlinked.nxn --curve unlinked.tsv'
cmp unlinked.nxn real/m.nxn || complain 'another model through a link'
[ "$(grep -c '^[0-9]' real/c.tsv)" -eq 2 ] || complain 'another curve through a link'
[ "$(ls real links | tr '\n' ' ')" = 'links: c.tsv m.nxn  real: c.tsv m.nxn ' ] || complain "left beside links: $(ls real links)"
fails 2 'round.nxn: a symbolic link that leads in a circle' \
	'ln -s round.nxn round.nxn; nxn train qlearn -b 2x2 -e 9 -o round.nxn'
fails 2 'mine.tsv' 'nxn train qlearn -b 2x2 -e 9 -o mine.tsv'
has mine mine.tsv
fails 1 '/proc/x.nxn' 'nxn train qlearn -b 2x2 -e 9 -o /proc/x.nxn'
fails 1 '/proc/x.tsv' 'nxn train qlearn -b 2x2 -e 9 -o x.nxn --curve /proc/x.tsv'
[ -e x.nxn ] && complain 'a refused command trained'

exit $bad
