#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn play --record, --replay and --human, and nxn train --demonstrations, from the outside. What
# record files may hold is in tests/boards/test_record.c; nxn play without them in cli_basic.sh, and
# on a terminal in cli_watch.sh.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# rows: the table of a game without its last line.
rows()
{
	sed '/^# /d'
}

# One thread and two write the same games; again, there is nothing left to do.
record='nxn play -a expectimax:depth=1 -b 3x3 --seed 4 --games 40'
gives 0 "$record --record one.rec -j 1"
has 'one.rec: 40 games of expectimax:depth=1 on 3x3, seed 4, 40 of them new'
[ -s stderr ] && complain 'complaints of recording'
head -n 1 one.rec | grep -qx '# nxn record 1' || complain 'the first line of a record file'
games one.rec >one.games
[ "$(wc -l <one.games)" -eq 40 ] || complain 'not 40 games'
gives 0 "$record --record two.rec -j 2"
games two.rec | cmp - one.games || complain 'another number of threads gives other games'
cp one.rec before.rec
gives 0 "$record --record one.rec"
has '40 games of expectimax:depth=1 on 3x3, seed 4, 0 of them new'
cmp one.rec before.rec || complain 'finished games were played again'

# Other seeds, settings and boards are other games; a torn last line is cut off and played again.
gives 0 "nxn play -a expectimax:depth=1 -b 3x3 --seed 5 --games 2 --record one.rec"
has 'seed 5, 2 of them new'
gives 0 "nxn play -a greedy -b 2x3 --seed 4 --game 39 --games 3 --record one.rec"
has 'greedy on 2x3, seed 4, 3 of them new'
gives 0 "nxn play --replay one.rec"
[ "$(wc -l <stdout)" -eq 46 ] || complain 'the list of one.rec'
head -c -20 two.rec >torn.rec
gives 0 'nxn play --replay torn.rec'
has 'torn.rec: the torn last line was left out' stderr
[ "$(wc -l <stdout)" -eq 40 ] || complain 'the list of torn.rec'
fails 2 'torn.rec: no game on line 999' 'nxn play --replay torn.rec --line 999'
gives 0 "$record --record torn.rec"
has 'seed 4, 1 of them new'
has 'torn.rec: cut off a torn last line of ' stderr
games torn.rec | cmp - one.games || complain 'a torn file was not repaired'

# Killed again and again, with more games to come than there is time for: the same games as without.
slow='nxn play -a expectimax:depth=3,cutoff=0 -b 3x3 --seed 4 --games'
gives 0 "$slow 60 --record whole.rec"
games whole.rec >whole.games
for lines in 15 30 45; do
	at_work killed.rec $lines "$slow 100000 --record killed.rec"
	signalled KILL
done
gives 0 "$slow 60 --record killed.rec -j 1"
games killed.rec >killed.games
grep -vxF -f killed.games whole.games && complain 'killed recording differs from a whole one'
[ -z "$(cut -f 6 killed.games | uniq -d)" ] || complain 'killed recording has a game twice'

# Ctrl-C: what is finished is there, and a command that goes on; another process is kept out.
endless='nxn play -a expectimax:depth=4,cutoff=0 -b 3x4 --games 100000'
at_work "it's.rec" 12 "$endless --record \"it's.rec\""
fails 2 'another process is writing this file' "$endless --record \"it's.rec\""
signalled INT
[ $got -eq 130 ] || complain 'exit status after SIGINT'
$endless --record "it's.rec" >stdout 2>stderr &
pid=$!
signals_wait $pid
stops TERM 'play: stopped'
sed 's/ 100000 / 2 /' resume >shorter
gives 0 "$(cat shorter)"
has "it's.rec: 2 games of expectimax:depth=4,cutoff=0"
gives 0 'nxn play --replay "it'\''s.rec"'

# A game replayed is the game played; and the one that is shown while it is recorded.
for game in 0 7 39; do
	gives 0 "nxn play --replay two.rec --game $game"
	rows <stdout >replayed
	grep -q '^# score [0-9]*, largest tile [0-9]*, [0-9]* moves, over$' stdout || complain 'the end of a replay'
	gives 0 "nxn play -a expectimax:depth=1 -b 3x3 --seed 4 --game $game"
	rows <stdout | cmp - replayed || complain "game $game replayed differs"
done
gives 0 'nxn play -a expectimax:depth=1 -b 3x3 --seed 4 --game 7 --record shown.rec'
rows <stdout >shown
gives 0 'nxn play --replay shown.rec --game 7'
rows <stdout | cmp - shown || complain 'a game shown and recorded differs'
grep '	4	7	' one.games | cmp - shown.rec 2>/dev/null | grep -q EOF && complain 'no line'
games shown.rec | grep -qxF -f - one.games || complain 'a shown game has another line'
gives 0 'nxn play -a expectimax:depth=1 -b 3x3 --seed 4 --game 7 --record shown.rec'
has 'nxn play: shown.rec: has this game already' stderr
[ "$(games shown.rec | wc -l)" -eq 1 ] || complain 'a shown game is there twice'
gives 0 'nxn play -a random --start 2,4/4,2 --record over.rec'
gives 0 'nxn play --replay over.rec --line 10'
has '# score 0, largest tile 4, 0 moves, over'

# compare's log files games under the same hash.
gives 0 'nxn compare -b 3x3 -a expectimax:depth=1 -g 3 -s 4 --no-figures -o log'
config=$(games log/games.tsv | grep -v '^config' | head -n 1 | cut -f 1)
[ "$(games one.rec | cut -f 4,5 | sort -u | grep -c "^$config	4$")" -eq 1 ] || complain 'not the hash of compare'

# Errors.
fails 2 'absent.rec: no such record file' 'nxn play --replay absent.rec'
fails 2 "empty.rec:1: no games that this nxn can read: expected '# nxn record 1', found ''" \
	': >empty.rec; MALLOC_PERTURB_=90 nxn play --replay empty.rec'
[ -s stdout ] && complain 'a list of a file that is not there'
fails 2 'two.rec: none of its 40 games has the number 40' 'nxn play --replay two.rec --game 40'
fails 2 'two.rec: no game on line 3' 'nxn play --replay two.rec --line 3'
fails 2 'have a game 0; --line tells which' 'cat two.rec one.rec >both.rec; nxn play --replay both.rec --game 0'
fails 2 'bad.rec:12: move 5: ' \
	'awk -F "\t" -v OFS="\t" "NR == 12 { \$11 = substr(\$11, 1, 12) \"U00\" substr(\$11, 16) } 1" two.rec >bad.rec; nxn play --replay bad.rec --game 0'
[ -s stdout ] && complain 'a game out of a bad file is shown'
fails 2 'bad.rec:12: move 5: ' "$record --record bad.rec"
fails 2 'letter.txt: not a record file' "echo hello >letter.txt; $record --record letter.txt"
fails 2 'letter.txt:1: ' 'nxn play --replay letter.txt'
fails 2 '/nowhere/x: cannot be opened' "$record --record /nowhere/x"
fails 2 'letter.txt/x: cannot be opened' "$record --record letter.txt/x"
mkfifo unread
fails 2 'unread: cannot be opened' "$record --record unread"
mkdir folder
fails 2 'folder: is a folder; expected a file' 'nxn play --replay folder'
fails 2 'folder: is a folder; expected a file' "$record --record folder"
fails 2 'folder: is a folder; expected a file' 'nxn play --agent random --board 2x2 --games 2 --record folder'
fails 2 '--games is for --record' 'nxn play --games 3'
fails 2 '--threads is for --games' 'nxn play --threads 3'
fails 2 '--moves and --watch: not with --games' 'nxn play --games 3 --record x.rec --moves'
fails 2 '--player is for --human' 'nxn play --player me'
fails 2 'player: must not be empty' \
	'echo w | nxn play --human --board 3x3 --player "" --record x.rec'
[ -s stdout ] && complain 'a game is played that cannot be recorded'
fails 2 '--line is for --replay' 'nxn play --line 3'
fails 2 'expected one of them' 'nxn play --replay two.rec --line 3 --game 4'
fails 2 '--replay: the file has board and player' 'nxn play --replay two.rec --untrained'
fails 2 '--replay: the file has board and player' 'nxn play --replay two.rec --board 3x3'
fails 2 '--replay: the file has board and player' 'nxn play --replay two.rec --seed 4'
fails 2 '--moves: of which game?' 'nxn play --replay two.rec --moves'
fails 2 '--games, --moves and --watch: not with --human' 'nxn play --human --moves </dev/null'
fails 2 '--game 18446744073709551615: too large' 'nxn play --games 1 --game 18446744073709551615 --record x.rec'
fails 2 "agent 'nobody'" 'nxn play --games 1 --record x.rec --agent nobody'
fails 2 "agent 'nobody'" 'nxn play --human --agent nobody </dev/null'
[ -e x.rec ] && complain 'an error leaves a file behind'

# A person whose moves are those of an agent plays the agent's game, letters run together or not.
gives 0 'nxn play -a corners -b 3x3 --seed 4 --game 2'
rows <stdout >corners
cut -f 2 corners | sed -n 's/up/U/p; s/right/R/p; s/down/D/p; s/left/L/p' >letters
gives 0 'nxn play --human -b 3x3 --seed 4 --game 2 --record human.rec <letters'
rows <stdout | cmp - corners || complain "a person gets other tiles"
has ' moves, over'
has '# recorded in human.rec: game 2 of human, seed 4'
gives 0 'tr -d "\n" <letters | tr URDL wdsa | nxn play --human -b 3x3 --seed 4 --game 2 --record human.rec --player Zoë'
rows <stdout | cmp - corners || complain "letters run together are another game"
gives 0 'tr -d "\n" <letters | tr URDL kljh | nxn play --human -b 3x3 --seed 4 --game 2'
rows <stdout | cmp - corners || complain "hjkl are another game"
grep -q recorded stdout && complain 'recorded without a file'
games human.rec | cut -f 3,4,5,6,10 >who
printf 'Zoë\t-\t4\t2\tover\nhuman\t-\t4\t2\tover\n' | LC_ALL=C sort | cmp - who || LC_ALL=C sort who | cmp - who ||
	complain "who played: $(cat who)"
gives 0 'nxn play -a corners -b 3x3 --seed 4 --game 2 --record human.rec'
[ "$(games human.rec | cut -f 7- | sort -u | wc -l)" -eq 1 ] || complain 'the same moves are another record'

# Numbers of games go up; an end of the input is an unfinished game, and one without moves is none.
for game in 0 1; do
	gives 0 'printf wasd | nxn play --human -b 3x3 --record mine.rec'
	has "# recorded in mine.rec: game $game of human, seed 1"
	has ' moves, unfinished'
done
gives 0 'printf q | nxn play --human -b 3x3 --record mine.rec'
has '# no move to record'
fails 2 'no key came from standard input' 'nxn play --human -b 3x3 --record mine.rec </dev/null'
gives 0 'printf wasd | nxn play --human -b 3x4 --record mine.rec'
has 'game 0 of human'
[ "$(games mine.rec | grep -c '	unfinished	')" -eq 3 ] || complain 'unfinished games'
gives 0 'nxn play --replay mine.rec'

# Taking back returns to the same tiles; q ends; what is no key is named and ignored.
gives 0 'head -n 12 letters | nxn play --human -b 3x3 --seed 4 --game 2 --record back.rec'
rows <stdout >straight
gives 0 "head -n 12 letters | sed 's/./&z&/' | nxn play --human -b 3x3 --seed 4 --game 2"
[ "$(grep -c '^# move [0-9]* is taken back$' stdout)" -eq 12 ] || complain 'not twelve moves taken back'
rows <stdout | uniq | cmp - straight || complain 'a move made again brings another tile'
gives 0 "(head -n 12 letters; echo zzzzzzzzzzzzzzz; head -n 12 letters; echo qUUUU) | nxn play --human -b 3x3 --seed 4 --game 2"
[ "$(grep -c 'no move to take back' stderr)" -eq 3 ] || complain 'no three moves too many'
tail -n 13 straight >again
rows <stdout | tail -n 13 | cmp - again || complain 'a game begun again is another one'
# Not in a game that is recorded, which could not tell.
gives 0 "head -n 12 letters | sed 's/\$/z/' | nxn play --human -b 3x3 --seed 4 --game 2 --record back.rec --player other"
[ "$(grep -c 'no move is taken back in a game that is recorded' stderr)" -eq 12 ] || complain 'moves taken back while recording'
[ "$(games back.rec | cut -f 7- | sort -u | wc -l)" -eq 1 ] || complain 'refused moves back change a record'
# Who had an adviser is recorded as such, or as who they say they are.
gives 0 "printf 'w?a' | nxn play --human -b 3x3 --agent greedy --record advised.rec"
gives 0 "printf 'w?a' | nxn play --human -b 3x3 --agent greedy --record advised.rec --player me"
[ "$(games advised.rec | cut -f 3 | tr '\n' ,)" = 'human advised by greedy,me,' ] || complain 'who was advised'
gives 0 "printf ' x\t\001\377\033[5~\n' | nxn play --human"
printf 'nxn play: character %s, is no key; ignored\n' "2, 'x'" '4, byte 1' '5, byte 255' \
	'9, byte 27' | cmp - stderr || complain 'what is said of other keys'
gives 0 "printf 'zL' | nxn play --human --start 2,0/2,0"
has 'nxn play: no move to take back' stderr
has 'nxn play: left: moves nothing' stderr
gives 0 "printf 'U?zq' | nxn play --human --start 2,4/4,2 --agent greedy"
has 'nxn play: up: the game is over' stderr
has ' 0 moves, over'
gives 0 "printf '?' | nxn play --human --start 2,0/2,0"
has 'no adviser: choose one with --agent' stderr
gives 0 "printf '?' | nxn play --human --start 2,2/0,4 --agent greedy"
has '# greedy: right'

# train --demonstrations: what it writes into the agent's text.
policy='-b 3x3 -e 20 -o'
gives 0 "nxn train policy:hidden=8 $policy option.nxn --demonstrations one.rec"
has 'option.nxn: policy:hidden=8,demonstrations=one.rec on 3x3 after 20 training games'
gives 0 "nxn train policy:hidden=8,demonstrations=one.rec $policy text.nxn"
cmp option.nxn text.nxn || complain 'the option is not the setting'
gives 0 "nxn train policy:hidden=8 $policy without.nxn"
cmp -s option.nxn without.nxn && complain 'demonstrations change nothing'
gives 0 "nxn train policy: $policy bare.nxn --demonstrations one.rec"
has 'bare.nxn: policy:demonstrations=one.rec'
# Games without moves have no loss, so training does not end by it; the model can be read.
awk -F '\t' -v OFS='\t' '/^#/ { print; next } $1 == "3x3" { $8 = 0; $9 = $7 ~ /4/ ? 4 : 2; $10 = "unfinished"; $11 = "-"; print; exit }' one.rec >none.rec
gives 0 "nxn train policy:hidden=8,demo_only=50,demo_tolerance=0.1,demo_games=1,batch=1 $policy none.nxn --demonstrations none.rec"
gives 0 'nxn play -b 3x3 -a policy:none.nxn'
fails 2 'demo_only=30 without demonstrations: it needs demonstrations=FILE' "nxn train policy:hidden=8,demo_only=30 $policy q.nxn"
fails 2 'it needs demo_only=N, the most batches of recorded games alone' "nxn train policy:demo_tolerance=0.1 $policy q.nxn --demonstrations one.rec"
fails 2 'qlearn cannot learn from them' "nxn train qlearn $policy q.nxn --demonstrations one.rec"
fails 2 'has some already' "nxn train policy:demonstrations=one.rec $policy q.nxn --demonstrations one.rec"
fails 2 'absent.rec: no such record file' "nxn train policy $policy q.nxn --demonstrations absent.rec"
fails 2 'bad.rec:12: move 5: ' "nxn train policy $policy q.nxn --demonstrations bad.rec"
fails 2 'one.rec: none of its 45 games is on 4x4' 'nxn train policy -e 5 -o q.nxn --demonstrations one.rec'
fails 2 "agent 'policies'" "nxn train policies $policy q.nxn --demonstrations one.rec"
fails 2 'is too long' "nxn train policy $policy q.nxn --demonstrations $(printf '%2100s' '' | tr ' ' x)"

exit $bad
