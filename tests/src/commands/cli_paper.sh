#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn report --out: bundles of every kind of run, the same each time, gone on with, checked; games played again.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

# Drawn are pictures for print, tall and wide, and those that are to be narrow.
gnuplot_idle 'pdf:*/tiles.gp | pdf:*/learning.gp | pdf:*/gap.gp | pdf:*/duel.gp | svg:*narrow*/learning.gp | svg:*narrow*/sweep.gp'

cat >tiny.yaml <<'END'
name: tiny
title: "A & B_1: 50% of $x, # {y} ~ ^ \\ | `z` [q]"
boards: [2x2, 3x3]
traces: 1
sequences:
  - {agents: [random, "expectimax:depth=1"], games: 20}
  - {agents: qlearn, label: "[l_e&a%r<n`$#{}~^|]", train: 50, evaluate: 5, repeat: 3, games: 10}
END
gives 0 'nxn compare tiny.yaml -o runs/tiny --no-figures'
gives 0 'nxn sweep --boards 3x3 --depths 1-2 --cutoffs 1e-1 --positions 5 --games 5 --out runs/sweep --no-figures'
gives 0 'nxn sweep --boards 2x2 --depths 1 --cutoffs 1e-1 --positions 2 --games 2 --out runs/single --no-figures'
gives 0 'nxn duel corners random --board 2x2 --max-games 50 --out runs/duel --no-figures'
gives 0 'nxn gap --board 2x2 --agents random,greedy,qlearn --train 50 --games 20 --out runs/gap --no-figures'
mkdir tables
gives 0 'nxn train qlearn -b 3x3 -e 100 -o q.nxn --curve tables/curve.tsv --block 50'
gives 0 'nxn tune --agent expectimax:depth=1 --params w_empty --board 2x2 --population 4 --elite 2 --games 4 --generations 2 --out tables/tune.tsv'

# One of everything: each run has its figures in every form, and the sums are those of sha256sum.
gives 0 'nxn report runs/tiny runs/sweep runs/single runs/duel runs/gap tables -o bundle --latex'
for figure in tiny/tiles tiny/scores tiny/curve tiny/learning tiny/moves tiny/means sweep/sweep sweep/pareto single/pareto duel/duel \
	gap/gap gap/gap-phase gap/gap-learning curve/training tune/tuning; do
	for file in bundle/figures/$figure.svg bundle/figures/$figure.pdf bundle/figures/$figure.gp; do
		[ -s "$file" ] || complain "no $file"
	done
	has "(figures/$figure.svg)" bundle/README.md
	has "\\nxnfigure{figures/$figure.pdf}" bundle/main.tex
done
for table in tiny/results tiny/summary tiny/spread tiny/parameters tiny/players duel/duel sweep/sweep gap/gap curve/training tune/tuning; do
	for form in tsv tex md; do
		[ -s "bundle/tables/$table.$form" ] || complain "no bundle/tables/$table.$form"
	done
	has "\\nxntable{tables/$table.tex}" bundle/main.tex
done
for run in tiny sweep duel gap curve tune; do
	has "data/$run/" bundle/index.html
	has "run $run: command: nxn " bundle/provenance.txt
done
# How intervals were made is told once a run; sweeps and duels have notes of their own.
[ "$(grep -c '^95% intervals: ' bundle/README.md)" -eq 2 ] || complain 'intervals of other than games and a gap'
# A duel says who played, and how it ended.
has ' A: corners. B: random. 50 games of each. Verdict: ' bundle/README.md
has '"block 1: 2x2 corners / random"' bundle/index.html
has 'ratio \[interval\]' bundle/tables/duel/duel.md
grep -q '95%' bundle/tables/duel/duel.md && complain 'the intervals of a duel are of its own level'
# The title of an experiment is that of its section, whatever is in it.
has '## A &amp; B\_1: 50% of \$x, \# {y} \~ ^ \\ \| \`z\` \[q\]' bundle/README.md
has '"title":"A \u0026 B_1: 50% of $x, # {y} ~ ^ \\ | `z` [q]"' bundle/index.html
has '# title: A & B_1' runs/tiny/tables/summary.tsv
has '## sweep' bundle/README.md
grep -q 'src="http\|href="http' bundle/index.html && complain 'the page needs the network'
cmp runs/tiny/tables/summary.tsv bundle/tables/tiny/summary.tsv || complain 'another table'
cmp runs/tiny/games.tsv bundle/data/tiny/games.tsv || complain 'another log'
[ "$(ls runs/tiny/traces | wc -l)" -eq "$(ls bundle/data/tiny/traces | wc -l)" ] || complain 'other traces'
(cd bundle && sha256sum -c --quiet SHA256SUMS) || complain 'sha256sum finds other sums'
(cd bundle && find . -type f | sed 's#^\./##' | grep -v '^SHA256SUMS$' | LC_ALL=C sort) >files
cut -c 67- bundle/SHA256SUMS | cmp - files || complain 'other files than in SHA256SUMS'
has 'run tiny: command: nxn compare tiny.yaml -o runs/tiny --no-figures' bundle/provenance.txt
has 'run tiny: seed: 1' bundle/provenance.txt
has 'compiler: ' bundle/provenance.txt
has 'host: ' bundle/provenance.txt
# A label with markup in it is text everywhere.
has '{}[l\_e\&a\%r$<$n\textasciigrave{}\$\#\{\}\textasciitilde{}\textasciicircum{}$|$]' bundle/tables/tiny/results.tex
has '\[l\_e&amp;a%r&lt;n\`\$\#{}\~^\|\]' bundle/tables/tiny/results.md
# An interval is there once.
has 'paired difference \[95%\]' bundle/tables/tiny/ratios.md
grep -q 'paired low' bundle/tables/tiny/ratios.md && complain 'bounds stand beside their interval'
# All parameters, those that are the defaults as well; what auto stands for on a board is told, as in a dry run.
nxn info expectimax | sed -n 's/^  \([a-z_]*\)=\([^ ]*\).*/\1 \2/p' | sed 's/^depth .*/depth 1/; s/^tt 64M/tt 67108864/
	s/^cutoff auto/cutoff 0.0001/; s/^leaf auto/leaf state/; s/^rewards auto/rewards 0/' |
	sort >expected
grep -q '"auto"' bundle/tables/tiny/parameters.tsv && complain 'parameters of a bundle are auto'
for column in $(seq 3 "$(awk -F '\t' '/^"label"/ { print NF }' bundle/tables/tiny/parameters.tsv)"); do
	awk -F '\t' -v c="$column" '$1 == "\"expectimax:depth=1\"" { gsub("\"", ""); print $2, $c }' \
		bundle/tables/tiny/parameters.tsv | sort >found
	[ "$(comm -23 expected found)" ] && complain "parameters of expectimax: $(comm -23 expected found)"
done
grep -q '"training games"	"150"' bundle/tables/tiny/parameters.tsv || complain 'how long a learner was trained is missing'
# A parameter has one row, even if it has no value on any board.
cut -f 1,2 bundle/tables/tiny/parameters.tsv | sort | uniq -d | grep . && complain 'a parameter has two rows'
# The config of players is the one in the log.
grep -v '^[#c]' runs/tiny/games.tsv | cut -f 1 | sort -u >configs
grep -o '"[0-9a-f]\{16\}"' bundle/tables/tiny/players.tsv | tr -d '"' | sort | cmp - configs ||
	complain 'other configs'
# The table of means, boards by players; figures for a column of print.
has '| board | cells | ' bundle/tables/tiny/means.md
gives 0 'nxn report runs/tiny runs/sweep -o narrow --latex --width 3.4 --models'
for figure in narrow/figures/*/*.svg; do
	grep -q 'gnuplot_plot' "$figure" && drawn="${drawn-} ${figure##*/}"
	width=$(sed -n 's/.*viewBox="0 0 \([0-9]*\) .*/\1/p' "$figure")
	[ "$width" -le 408 ] || complain "$figure: $width pixels wide, expected 408"
	grep -q "FIT = 3.4" "${figure%.svg}.gp" || complain "$figure: drawn again, it is wider"
done
[ "$drawn" = ' sweep.svg learning.svg' ] || complain "drawn are only: $drawn"
fails 2 "--width: '3x' is not a width from 2 to 20 inches, such as 3.4, 86mm or 246pt" 'nxn report runs/gap -o x --width 3x'
if command -v pdflatex >/dev/null; then
	cp -r bundle set
	# Nothing is scaled down so far that it cannot be read: 9-point tables have 7 points.
	sed -i 's/\\resizebox{.linewidth}/\\typeout{fit \\the\\wd\\nxnbox, \\the\\linewidth}&/' set/main.tex
	(cd set && pdflatex -interaction batchmode -halt-on-error main.tex >/dev/null 2>&1) ||
		complain "pdflatex: $(grep '^!' set/main.log)"
	tr -d '\n' <set/main.log | grep -q 'page group\|Overfull .vbox' && complain 'pdflatex: page groups, or what is higher than a page'
	awk '/^fit / { if (9 * $3 / $2 < 7) { print; bad = 1 } } END { exit bad }' set/main.log || complain 'small print'
	# The document that docs/paper.md shows, with figures of the width that it asks for.
	grep -qx '    nxn report out/mine --out out/bundle --latex --width 3.4' "$source/docs/paper.md" ||
		complain 'docs/paper.md: its document has figures of another width'
	mkdir -p own/figures
	sed -n 's#^    cp out/bundle/\([^ ]*\)/mine/#cp narrow/\1/tiny/#p' "$source/docs/paper.md" | sed 's# \([^ ]*\)$# own/\1#' >copy
	[ "$(wc -l <copy)" -eq 2 ] || complain 'docs/paper.md: not two cp commands'
	. ./copy
	awk '/^```tex/ { f = 1; next } /^```/ { f = 0 } f' "$source/docs/paper.md" >own/own.tex
	# It needs booktabs, which not every LaTeX has.
	! kpsewhich booktabs.sty >/dev/null || (cd own && pdflatex -interaction batchmode -halt-on-error own.tex >/dev/null 2>&1) ||
		complain "pdflatex: $(grep '^!' own/own.log)"
	grep -s '^Overfull' own/own.log && complain 'wider than the page'
	# Letters that its fonts have not are no errors.
	printf 'name: far\ntitle: Опыт é\nboards: 2x2\nsequences: [{agents: greedy, label: Жадный, games: 5}]\n' >far.yaml
	gives 0 'nxn compare far.yaml -o far.d --no-figures'
	gives 0 'nxn report far.d --latex -o far'
	(cd far && pdflatex -interaction batchmode -halt-on-error main.tex >/dev/null 2>&1) ||
		complain "pdflatex: $(grep '^!' far/main.log)"
fi

# The same again, byte for byte, though a second has passed: PDF files of a run, then all other files; then with less in it.
sleep 1
gives 0 'nxn report runs/duel -o drawn'
diff -r drawn/figures/duel bundle/figures/duel || complain 'the same run is drawn otherwise'
gnuplot_idle
rm -r drawn bundle
gives 0 'nxn report runs/tiny runs/sweep runs/single runs/duel runs/gap tables -o bundle --latex'
mv bundle first
gives 0 'nxn report runs/tiny runs/sweep runs/single runs/duel runs/gap tables -o bundle --latex'
has "Bundle of $(find bundle -type f ! -name SHA256SUMS | wc -l) files and their SHA256SUMS in bundle;"
[ "$(find bundle -type f ! -name SHA256SUMS | wc -l)" -eq "$(wc -l <bundle/SHA256SUMS)" ] || complain 'files without a sum'
diff -r first bundle >differences || complain "the same runs make another bundle: $(head -3 differences)"
# A file of somebody keeps the bundle from being replaced; what pdflatex has made goes with it.
touch bundle/main.pdf bundle/main.aux bundle/main.log bundle/mine
fails 2 'bundle: is there, and no bundle of nxn report: it has mine; give another folder' 'nxn report runs/gap -o bundle'
[ -e bundle/mine ] && [ -s bundle/figures/tiny/tiles.svg ] || complain 'a refused bundle changes the one that is there'
rm bundle/mine
gives 0 'nxn report runs/gap -o bundle/'
[ -e bundle/main.pdf ] || [ -e bundle/main.aux ] || [ -e bundle/main.log ] && complain 'main.pdf is of the earlier bundle'
[ -z "$(find bundle -type d -empty)" ] || complain 'folders of the earlier bundle are left'
[ ! -e bundle/figures/tiny/tiles.svg ] && [ ! -e bundle/main.tex ] || complain 'files of the earlier bundle are left'
(cd bundle && find . -type f | grep -vc SHA256SUMS) >files
[ "$(cat files)" = "$(wc -l <bundle/SHA256SUMS)" ] || complain 'more files than sums'

# Interrupted at any moment, the same command goes on to the same bundle.
rm -rf bundle
gives 0 'nxn report runs/gap tables -o bundle'
mv bundle small
for delay in 0.1 ${all:+0.03 0.3}; do
	killed . KILL $delay 'nxn report runs/gap tables -o bundle'
	[ ! -e bundle/SHA256SUMS ] || diff -r small bundle || complain 'an interrupted bundle has its sums'
	gives 0 'nxn report runs/gap tables -o bundle'
	diff -r small bundle >differences || complain "interrupted after $delay: $(head -3 differences)"
	rm -rf bundle
done

# Captions: what, how many games, which intervals; and the paper, if it is that experiment.
has '20 games per player and board.' first/README.md
grep -q '^95% intervals: .*; rates: Wilson' first/README.md || complain 'how intervals were made is not told'
grep -q 'It shows what' first/README.md && complain 'a caption names a paper of another experiment'
printf 'title: Expectimax against Q-learning, small\nboards: 2x2\nagents: random\ngames: 3\n' >shown.yaml
gives 0 'nxn compare ./shown.yaml -o runs/named --no-figures'
gives 0 'nxn report runs/named -o named'
has 'It shows what figures 2, 4 and 6 of Mayer-Hirshfeld, Navarro, Saleh, AI Agent for 2048, show.' named/README.md

# Checks: all games of a run with its models; without them, learners are named.
gives 0 'nxn verify runs/tiny --fraction 1'
has '3x3 random: 20 of 20 games played again, all the same'
has '3x3 [l_e&a%r<n`$#{}~^|]: 15 of 25 games played again, all the same; 10 cannot be: its weights after 50 training games'
has '110 of 130 games played again; all agree; 20 are of players that cannot be checked'
gives 0 'nxn verify runs/duel --fraction 1'
has 'corners: 50 of 50 games played again, all the same'
gives 0 'nxn verify first'
has "$(wc -l <first/SHA256SUMS) files, all unchanged"
has '3x3 random: 1 of 20 games played again'
has '[l_e&a%r<n`$#{}~^|]: 0 of 25 games played again; 25 cannot be: '
has '; a bundle made with --models has those of the end of training'
grep -q 'not there any more' stdout && complain 'weights that are merely not in the bundle are said to be gone'
gives 0 'nxn verify narrow --fraction 100%'
has '[l_e&a%r<n`$#{}~^|]: 15 of 25 games played again, all the same'
gives 0 'nxn verify narrow --fraction 5% --seed 2 -j 1'
cp stdout one
gives 0 'nxn verify narrow --fraction 5% --seed 2 -j 3'
cmp stdout one || complain 'the check depends on threads'

# So with games compared with the optimum, learners at every point of their training.
gives 0 'nxn gap --board 2x2 --agents "random;greedy:ties=random;qlearn" --train 50 --games 20 --exact never -o runs/held --no-figures'
gives 0 'nxn verify runs/held --fraction 1'
has 'random: 20 of 20 games played again, all the same'
grep -q 'cannot be' stdout && complain 'models at points of training were not found'
cp -r runs/held forged
awk -F '\t' -v OFS='\t' '$3 == "random" && $6 == 7 { $7 += 4 } { print }' runs/held/gap.tsv >forged/gap.tsv
gives 1 'nxn verify forged --fraction 1'
has 'random: 20 of 20 games played again, 1 DIFFERENT, the first game 7 of seed 1: '
rm -r forged

# What differs is seen: each column of a game; a file; a file that is gone.
for column in 8 ${all:+9 10}; do
	rm -rf forged && cp -r runs/tiny forged
	awk -F '\t' -v OFS='\t' -v c=$column '$3 == "random" && $2 == "3x3" && $7 == 7 { $c = c == 9 ? 2 * $c : $c + 4 } { print }' \
		runs/tiny/games.tsv >forged/games.tsv
	gives 1 'nxn verify forged --fraction 1'
	has '3x3 random: 20 of 20 games played again, 1 DIFFERENT, the first game 7 of seed 1: '
	has 'DIFFERENT: 110 of 130 games played again; 1 came out otherwise'
done
sed 's/	1\.3\([0-9]*\)$/	1.2\1/' runs/tiny/games.tsv >forged/games.tsv
gives 1 'nxn verify forged --fraction 1'
has '; another sum or distance to certainty'
echo >>narrow/tables/tiny/tiles.tsv
rm narrow/figures/tiny/tiles.svg
gives 1 'nxn verify narrow'
has 'tables/tiny/tiles.tsv: differs from its checksum'
has 'figures/tiny/tiles.svg: cannot be read'
has '2 of them changed since the bundle was made'

# A model that the user named is not the run's.
gives 0 'nxn train qlearn -b 2x2 -e 5 -o mine.nxn && nxn compare -b 2x2 -a qlearn:mine.nxn -g 3 -o runs/mine --no-figures'
gives 0 'nxn report runs/mine -o mine --models'
has 'warning: runs/mine: the files of qlearn:file=mine.nxn are not in the bundle; copy them beside it' stderr

# Players that cannot be played again are named: by the clock, by other rules unless they are given, by programs.
gives 0 'nxn compare -b 3x3 -a "random;expectimax:ms=0.1" -g 3 -o runs/clock --no-figures'
gives 0 'nxn verify runs/clock'
has 'ms=0.1: 0 of 3 games played again; 3 cannot be: it decides by the clock'
gives 0 'nxn compare -b 3x3 -a random -g 3 --spawn 2:0.5,4:0.5 --start-tiles 3 -o runs/rules --no-figures'
gives 1 'nxn verify runs/rules' # a check of nothing does not pass
has 'Nothing was checked.'
has '3 cannot be: its games were played by other rules'
has '0 of 3 games played again; 3 are'
gives 0 'nxn verify runs/rules --spawn 2:0.5,4:0.5 --start-tiles 3'
has 'random: 1 of 3 games played again, all the same'
sed 's/\trandom\trandom\t/\tprogram\texternal:touch started\t/' runs/rules/games.tsv >forged/games.tsv
gives 1 'nxn verify forged'
[ ! -e started ] || complain 'a log had a program started'
has 'it is another program, which is not started here'

# What it refuses.
mkdir other && echo mine >other/mine
fails 2 'other: is there, and no bundle of nxn report: it has mine; give another folder' 'nxn report runs/tiny -o other'
[ "$(ls other)" = mine ] || complain 'a folder of somebody was written to'
fails 2 'the run is missing' 'nxn report -o x'
fails 2 'runs/tiny: this RUN is named twice' 'nxn report runs/tiny runs/sweep runs/tiny -o x'
fails 2 'nowhere: No such file' 'nxn report nowhere -o x'
fails 2 'quickstart: is an experiment; first nxn compare quickstart' 'nxn report quickstart -o x'
fails 2 'other: holds no run' 'nxn report other -o x'
fails 2 'is a bundle of nxn report; name the runs' 'nxn report first -o x'
mkfifo pipe
fails 2 'pipe: not a regular file, expected a folder of results or a table' 'timeout 20 nxn report pipe -o x'
gives 0 'nxn report runs/duel/games.tsv -o log'
cmp log/data/games/games.tsv runs/duel/games.tsv || complain 'a log alone is not in its bundle'
mkdir unfinished && cp runs/duel/games.tsv unfinished
gives 0 'nxn report unfinished -o log'
[ -s log/tables/unfinished/results.tsv ] || complain 'no tables of a log'
rm unfinished/games.tsv && cp runs/sweep/*.tsv unfinished
fails 2 'unfinished: has no tables of all of its log' 'nxn report runs/tiny unfinished -o early'
[ -e early ] && complain 'a bundle was begun before all runs were looked at'
fails 2 'other: holds neither a bundle nor a log' 'nxn verify other'
fails 2 "--fraction: '0' is not a share" 'nxn verify runs/tiny --fraction 0'
fails 2 "--fraction: 'x' is not a share" 'nxn verify runs/tiny --fraction x'
rm first/SHA256SUMS
fails 2 'SHA256SUMS: is not there' 'nxn verify first'
echo '/etc/passwd' >first/SHA256SUMS
fails 2 'SHA256SUMS: line 1 is no checksum of a file' 'nxn verify first'

# Several learning curves: one table and one figure of all, with a line for each; of one there is none.
gives 0 'nxn train qlearn -b 2x3 -e 90 -o slow.nxn --curve slow.tsv --block 30'
gives 0 'nxn train ntuple -b 2x3 -e 90 -o fast.nxn --curve fast.tsv --block 30'
gnuplot_idle 'svg:*/curves.gp'
gives 0 'nxn report slow.tsv fast.tsv -o both'
awk -F '\t' -v OFS='\t' '/^[0-9]/ { name = FILENAME; sub(/.tsv/, "", name); print "\"2x3\"", "\"" name "\"", $1, $2, $5, $6, $7, $8, $3 }' slow.tsv fast.tsv >want
grep -v '^#' both/tables/curves/curves.tsv | sed 1d | cmp -s - want && [ "$(wc -l <want)" -eq 6 ] || complain 'not the rows of both curves'
for label in slow fast 2x3; do
	[ "$(grep -c "<text>.*$label.*</text>" both/figures/curves/curves.svg)" -eq 1 ] || complain "not one '$label' in the figure of both curves"
done
(mkdir again && cd again && cp ../both/figures/curves/*.gp ../both/figures/curves/*.tsv . && gnuplot curves.gp)
cmp again/curves.svg both/figures/curves/curves.svg || complain 'curves.gp draws another figure'
gives 0 'nxn compare -a random -b 2x3 -g 5 -o curves --no-figures && nxn report curves slow.tsv fast.tsv -o named'
[ -e named/tables/curves/results.tsv ] && cmp both/tables/curves/curves.tsv named/tables/curves-2/curves.tsv || complain 'a run named curves and the curves are not apart'
gives 0 'nxn report slow.tsv -o alone'
[ -e alone/figures/slow/training.svg ] && [ ! -e alone/tables/curves ] || complain 'one curve is several'

# The law of players on five boards; a player whose name ends as a column of differences does; a name with dots.
gnuplot_idle 'svg:*/law.gp'
cat >laws.yaml <<'END'
boards: [2x2, 2x3, 3x3, 2x5, 3x4]
sequences:
  - {players: [{name: temporal_difference, agent: greedy}, {name: chance, agent: random}], games: 12}
END
gives 0 'nxn compare laws.yaml -o v1..v2 --no-figures'
gives 0 'nxn report v1..v2 -o laws'
grep -q '<text>.*greedy\|temporal_difference' laws/figures/v1..v2/law.svg || complain 'no figure of the law'
grep -q 'temporal\\_difference % \\\[95%\\\]' laws/tables/v1..v2/tiles.md || complain "a player has no intervals: $(head -n 1 laws/tables/v1..v2/tiles.md)"
gives 0 'nxn verify laws'
gives 0 "nxn compare -a random -b 2x6,6x2,3x4,4x3,2x2 -g 12 -o sizes --no-figures && nxn report sizes --tsv=law | grep -v '^#'"
! grep -q '"power' stdout || complain "a law from two sizes: $(cat stdout)"

# The tables of a bundle are those of all its games, also if a run that continued was killed before it made them.
nxn compare -a random -b 2x2 -g 10 -o killed --no-figures >stdout
at_work killed/games.tsv 100 'nxn compare -a random -b 2x2 -g 100000000 -o killed -j 1 --no-figures'
signalled KILL
gives 0 'nxn report killed -o after'
[ "$(awk -F '\t' '/random/ { print $6 }' after/tables/killed/results.tsv)" -ge 100 ] ||
	complain "tables are older than the games: $(cat after/tables/killed/results.tsv)"

# A link is followed.
mkdir target && ln -s target link
gives 0 'nxn report v1..v2 -o link'
[ -L link ] && [ -s target/index.html ] || complain 'a link was replaced by a folder'
exit $bad
