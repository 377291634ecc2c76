# SPDX-License-Identifier: GPL-3.0-or-later
# Commands that leave files behind, and what of these files must be the same however often a command
# was broken off; to be sourced behind cli_lib.sh. Sets: base, the folder with what they read.
base=$work/base
mkdir "$base"
given='' ending='' peace=''

# experiment TRAIN EVALUATE GAMES: learners and a search, some games of which are traced.
experiment()
{
	cat <<END
seed: 3
traces: 1
boards: [3x3]
sequences:
  - agents: qlearn
    train: $1
    evaluate: $2
    repeat: 3
    games: $3
  - agents: "ntuple:tuples=lines,lanes=2"
    train: $1
    evaluate: $2
    repeat: 3
    games: $3
  - agents: "policy:hidden=6"
    label: Policy
    train: $1
    evaluate: $2
    repeat: 2
    games: $3
  - agents: "expectimax:depth=2"
    games: $3
END
}
experiment 8 1 2 >"$base/small.yaml"
experiment 300 8 20 >"$base/large.yaml"

# Every learner, and the rules of learning that keep something of their own in a model.
learners='qlearn adp ntuple:tuples=lines,lanes=2 ntuple:tuples=lines,update=backward,rate=tc,lanes=2
policy:hidden=6,batch=7 policy:hidden=6,credit=critic,optimiser=adam relative:hidden1=6,hidden2=4'

train_case()
{
	case $2-$1 in
	small-relative*) size='-e 6 --block 2 --checkpoint 3' ;;
	small-*) size='-e 12 --block 4 --checkpoint 5' ;;
	*-relative*) size='-e 400 --block 40 --checkpoint 17' ;;
	*-policy*) size='-e 1000 --block 200 --checkpoint 45' ;;
	*) size='-e 1500 --block 200 --checkpoint 77' ;;
	esac
	command="nxn train $1 -b 3x3 -s 4 -o out/m.nxn --curve out/c.tsv $size"
}

# case_folder FOLDER: makes it anew, with what the case needs.
case_folder()
{
	rm -rf "$1"
	mkdir -p "$1/out"
	[ -z "$given" ] || cp -r "$given/." "$1"
}

# shares NAME N COMMAND: makes the folder given, of that name, where N shares of what COMMAND does in out
# have been done; whether it is new.
shares()
{
	given=$base/$1
	[ ! -d "$given" ] || return 1
	mkdir "$given"
	for share in $(seq "$2"); do
		(cd "$given" && exec $3 --shard "$share/$2") >/dev/null
	done
}

# held: makes the folder given, with a run and a table to make a bundle of.
held()
{
	given=$base/held
	[ ! -d "$given" ] || return
	mkdir "$given"
	(cd "$given" && exec nxn duel greedy greedy:ties=RDLU -b 2x2 -g 40 --batch 20 -s 5 -o in/d --no-figures) >/dev/null
	(cd "$given" && exec nxn tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -s 5 -o in/t.tsv) >/dev/null
}

# case_take NAME SIZE: sets command, of which SIZE is small (some hundredths of a second) or large
# (some tenths). It is to be run in a folder made by case_folder. If ending is not empty, it is the command
# that is then run there, and what is in out is what peace leaves in an empty folder.
case_take()
{
	given='' ending='' peace=''
	played="-j 2 --no-times --no-figures"
	compared="nxn compare -b 2x2,2x3 -a random,greedy -g 6 -s 5 -o out $played"
	case $1.$2 in
	run.small) command="nxn compare $base/small.yaml -o out -j 2 --no-times --no-figures" ;;
	run.large) command="nxn compare $base/large.yaml -o out -j 2 --no-times --no-figures" ;;
	figures.*) command='nxn compare -b 2x2 -a random,greedy -g 3 -s 5 -o out -j 1 --no-times' ;;
	train-*.small) train_case "${1#train-}" small ;;
	train-*.large) train_case "${1#train-}" large ;;
	sweep.small) command='nxn sweep -b 3x3 -d 1,2 -c 1e-1 -p 3 -g 2 -s 5 -j 2 -o out --no-times --no-figures' ;;
	sweep.large) command='nxn sweep -b 3x3,3x4 -d 1-3 -c 1e-1,1e-3 -p 30 -g 15 -s 5 -j 2 -o out --no-times --no-figures' ;;
	tune.small) command='nxn tune -a expectimax:depth=1 -b 2x2 -p w_* -N 3 -m 1 -g 2 -G 2 --noise 0 --check 1 --held-out 3 -s 5 -j 2 --no-times -o out/t.tsv' ;;
	tune.large) command='nxn tune -a expectimax:depth=1 -b 3x4 -p w_* -N 7 -m 3 -g 30 -G 4 --noise 0 --check 2 --held-out 30 -s 5 -j 2 --no-times -o out/t.tsv' ;;
	solve.small) command='nxn solve -b 2x2 -j 2 --no-times -o out/table --work out/layers' ;;
	solve.large) command='nxn solve -b 2x4 -j 2 --no-times -o out/table --work out/layers' ;;
	gap.small) command='nxn gap -b 2x2 -a random,mcts:sims=5,qlearn,ntuple -g 3 -t 8 --curve 2 -s 5 -j 2 -o out --no-figures' ;;
	gap.large) command='nxn gap -b 2x3 -a random,mcts:sims=100,qlearn,ntuple,policy -g 30 -t 3000 --curve 2 -s 5 -j 2 -o out --no-figures' ;;
	record.small) command='nxn play --agent random -b 2x2 -s 5 -j 2 --games 5 --record out/g.rec' ;;
	record.large) command='nxn play --agent expectimax:depth=2 -b 3x4 -s 5 -j 2 --games 200 --record out/g.rec' ;;
	duel.small) command="nxn duel greedy greedy:ties=RDLU -b 2x3 -g 60 --batch 20 -s 5 -o out $played" ;;
	duel.large) command="nxn duel expectimax:depth=2,cutoff=0 expectimax:depth=2,cutoff=0.1 -b 3x4 -g 150 -s 5 -o out $played" ;;
	shard.*) # one of two shares, beside the other, which is done; then what one process does
		peace="nxn compare $base/$2.yaml -o out $played" ending=$peace command="$peace --shard 1/2"
		shares "$1.$2" 2 "$peace" && rm "$given/out/games.1-of-2.tsv"
		;;
	gather.*)
		peace="nxn compare $base/$2.yaml -o out $played" ending=$peace command=$peace
		shares "$1.$2" 2 "$peace"
		;;
	report.small)
		held
		command='nxn report in/d in/t.tsv -o out --latex'
		;;
	report.*) # a run that is finished, and a table
		[ -d "$base/run" ] || nxn gap -b 2x2 -a random,qlearn -g 9 -t 30 --exact never -s 5 -o "$base/run" --no-figures >/dev/null
		[ -f "$base/t.tsv" ] || nxn tune -a expectimax:depth=1 -b 2x2 -p w_empty -N 3 -m 1 -g 2 -G 2 -s 5 -o "$base/t.tsv" >/dev/null
		command="nxn report $base/run $base/t.tsv -o out --latex" ;;
	*) echo "no case $1.$2"; exit 99 ;;
	esac
}

# matters FOLDER: what of its files must be the same: rows of a log in any order, without those that name a
# command, and without times; a line for all tables and logs, and one for each other file.
matters()
{
	(
		cd "$1" || exit
		rows= whole=
		for file in $(find . -type f | LC_ALL=C sort); do
			case $file in
			*/sweep.tsv) rows="$rows $file" ;;
			*/sweep.* | */pareto.* | */boards.*) [ ! -s "$file" ] || echo "$file full of times" ;;
			*.tsv | *.rec) rows="$rows $file" ;;
			*.pdf) echo "$file $(sed '/CreationDate/d' "$file" | cksum)" ;;
			*) whole="$whole $file" ;;
			esac
		done
		# shellcheck disable=SC2086
		[ -z "$rows" ] || echo "$(awk -F '\t' -v OFS='\t' '
			FNR == 1 {
				n = 0
				log_of = FILENAME ~ /(^|\/)(games|gap|games\..*-of-.*)\.tsv$|\.rec$/
				searches = FILENAME ~ /\/searches\.tsv$/
				curve = FILENAME ~ /\/c\.tsv$/
				sweep = FILENAME ~ /\/sweep\.tsv$/
				table = FILENAME ~ /\/(tables|figures)\//
			}
			/^#/ && (log_of || searches || sweep || table) || /^# nxn / && curve { next }
			searches { print FILENAME, $1, $2, $3, $4, $6, $10; next }
			log_of { print FILENAME, $0; next }
			{ n++ }
			sweep { print FILENAME, n, $1; next }
			curve { $3 = "" }
			{ print FILENAME, n, $0 }' $rows | LC_ALL=C sort | cksum)$rows"
		# shellcheck disable=SC2086
		[ -z "$whole" ] || cksum $whole | sed 's/^\([0-9]* [0-9]*\) \(.*\)/\2 \1/'
	)
}

# logs FOLDER: its files in which finished things stand, a line each; not the tables of such names,
# which are written anew, and not the copies in a bundle that is not finished, which goes.
logs()
{
	(cd "$1" && find . -name games.tsv -o -name gap.tsv -o -name searches.tsv -o -name '*.rec' -o -name '*-of-*.tsv') |
		grep -v -e /tables/ -e '\.nxn-new/'
}

# kept BEFORE AFTER WHAT: whole lines of the logs of folder BEFORE are the first of those in AFTER; of
# parts that are not there any more, lines of the log that they were merged into.
kept()
{
	for log in $(logs "$1" 2>/dev/null); do
		whole=$(grep -c '' "$1/$log")
		[ -z "$(tail -c 1 "$1/$log")" ] || whole=$((whole - 1))
		head -n "$whole" "$1/$log" >"$work/lines.before"
		case $log in *-of-*)
			if [ ! -e "$2/$log" ]; then
				cat "$2/${log%.*-of-*}.tsv" >"$work/lines.after" 2>/dev/null
				grep -vxF -f "$work/lines.after" "$work/lines.before" && complain "$3: lines of $log are lost"
				continue
			fi
			;;
		esac
		head -n "$whole" "$2/$log" 2>/dev/null | cmp -s - "$work/lines.before" ||
			complain "$3: finished lines of $log are lost"
	done
}
