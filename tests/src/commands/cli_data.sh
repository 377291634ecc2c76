#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of log and table loads with the one line of docs/data.md: in pandas and in R, where they are
# installed, and has as many rows, columns and values as there are in the file.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
export NXN_PLOTS=
page=$source/docs/data.md
explained=$(cat "$page")

# The tables of all commands. Labels have what readers of tables trip over.
cat >mixed.yaml <<'END'
name: mixed
boards: [2x2, 2x3, 2x4, 2x5, 3x3]
traces: 1
sequences:
  - {agents: random, games: 6, label: "a #1"}
  - {agents: greedy, games: 6, label: "it's \"best\""}
  - {agents: "policy:hidden=4", train: 20, evaluate: 5, repeat: 2, trainings: 2}
END
gives 0 'nxn compare mixed.yaml -o mixed --no-figures'
gives 0 'nxn sweep -b 2x2,2x3 -d 1,2 -c 0 -p 3 -g 3 -o swept --no-figures'
gives 0 'nxn gap --board 2x2 --agents "random;qlearn" --train 20 --games 10 --exact never -o gap --no-figures'
gives 0 'nxn duel -b 2x2 random greedy -g 100 -o duel --no-figures'
gives 0 'nxn train policy:hidden=4 -b 2x2 -e 20 --block 10 -o m.nxn --curve curve.tsv'
gives 0 'nxn play --agent random --board 2x2 --trace trace.tsv'
for table in summary results spread tiles reach scores curve means ratios law crossover front games; do
	nxn report --tsv=$table mixed >stats.$table.tsv || complain "stats --tsv=$table"
done
# Several folders are one table.
gives 0 'nxn compare -b 2x2 -a corners -g 3 -s 9 -o more --no-figures'
gives 0 'nxn report --tsv=games mixed more'
mv stdout both.tsv
[ "$(grep -vc '^#' both.tsv)" -eq $(($(grep -vc '^#' mixed/games.tsv) + 3)) ] || complain 'games of folders are missing'
cut -f 1-4,6- stats.games.tsv | grep -v '^#' | sort >want
grep -v '^#\|	"corners"	' both.tsv | cut -f 1-4,6- | sort | cmp - want || complain 'two folders give other games'

set -- mixed/games.tsv mixed/tables/*.tsv mixed/traces/*.tsv swept/*.tsv swept/tables/*.tsv gap/gap.tsv \
	gap/tables/*.tsv duel/tables/*.tsv curve.tsv trace.tsv stats.*.tsv both.tsv
[ $# -gt 35 ] || complain "only $# tables"
# Rows of equal width, and every column explained, but for bounds and one for each tile.
awk -F '\t' '
	FNR == 1 { width = rows = 0; name = FILENAME; sub(/.*\//, "", name) }
	/^#/ { next }
	!width { width = NF; files++
		for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i !~ /_(low|high)$|^(reach|end)_[0-9]*$/) used[$i] = name } }
	NF != width { print FILENAME ": rows of several widths" }
	{ full[FILENAME] = ++rows }
	END {
		for (column in used) print "column", column, used[column]
		for (file in full) if (full[file] < 2) print file ": no rows"
		if (files < ARGC - 1) print "files without a row"
	}' "$@" >seen
grep -v '^column ' seen >wrong && complain "$(cat wrong)"
while read -r _ column name; do
	case $explained in *"\`$column\`"*) ;; *) complain "docs/data.md does not explain the column $column of $name" ;; esac
done <<END
$(grep '^column ' seen)
END

# JSON Lines: as many objects as rows, of the same values; provenance first and once.
if command -v python3 >/dev/null; then
	for table in summary reach curve law crossover games; do
		gives 0 "nxn report --tsv=$table --format=json mixed"
		mv stdout $table.json
		json_agrees $table.json stats.$table.tsv $table
	done
	gives 0 'nxn report --format=tsv mixed'
	grep -v '^# command' stats.summary.tsv >want
	grep -v '^# command' stdout | cmp - want || complain '--format=tsv is another table than --tsv'
fi
fails 2 "--format: 'xml' is none of text, tsv, json" 'nxn report --format=xml mixed'

readers=0
if /usr/bin/python3 -c 'import pandas' 2>stderr; then
	readers=$((readers + 1))
	line=$(sed -n 's/^    t = \(pandas.read_csv.*)\) *# Python$/\1/p' "$page")
	[ "$line" ] || complain 'docs/data.md has no line for pandas'
	cat >load.py <<END
import csv, sys, pandas
for path in sys.argv[1:]:
    with open(path) as lines:
        rows = list(csv.reader([line for line in lines if line[0] != "#"], delimiter="\t"))
    t = $line
    assert list(t.columns) == rows[0], (path, list(t.columns))
    assert isinstance(t.index, pandas.RangeIndex), path
    assert len(t) == len(rows) - 1, (path, len(t))
    for i, name in enumerate(rows[0]):
        for cell, value in zip([row[i] for row in rows[1:]], t[name]):
            if cell in ("NaN", ""):
                assert pandas.isna(value), (path, name, cell, value)
            elif isinstance(value, str):
                assert value == cell, (path, name, cell, value)
            else:
                assert float(cell) == float(value), (path, name, cell, value)
t = pandas.read_csv("mixed/games.tsv", sep="\t", comment="#")
assert set(t.label) == {"a #1", "it's \"best\"", "policy:hidden=4", "policy:hidden=4 #2"}, set(t.label)
assert t.score.dtype == "int64" and t.uncertainty.dtype == "float64"
assert t[t.label == "a #1"].uncertainty.notna().all()
print(len(sys.argv) - 1)
END
	gives 0 "/usr/bin/python3 load.py $*"
	has "$#"
fi
if command -v Rscript >/dev/null; then
	readers=$((readers + 1))
	line=$(sed -n 's/^    t <- \(read.delim.*)\) *# R$/\1/p' "$page")
	[ "$line" ] || complain 'docs/data.md has no line for R'
	cat >load.R <<END
for (path in commandArgs(TRUE)) {
	lines <- grep("^#", readLines(path), value=TRUE, invert=TRUE)
	t <- $line
	stopifnot(nrow(t) == length(lines) - 1)
	stopifnot(ncol(t) == length(strsplit(lines[1], "\t")[[1]]))
	stopifnot(names(t) == gsub('"', '', strsplit(lines[1], "\t")[[1]]))
}
t <- read.delim("mixed/games.tsv", comment.char="#")
stopifnot(setequal(t\$label, c("a #1", "it's \"best\"", "policy:hidden=4", "policy:hidden=4 #2")), is.numeric(t\$score))
cat(length(commandArgs(TRUE)), "\n")
END
	gives 0 "Rscript load.R $*"
	has "$#"
else
	echo 'no Rscript: the line for R was not run'
fi
# DuckDB guesses what it is not told, so a label that is quoted only far down would keep its quotes.
for option in "delim='\t'" header=true "quote='\"'" "escape='\"'" "comment='#'"; do
	grep 'FROM read_csv(' "$page" | grep -qF -e "$option" || complain "docs/data.md: DuckDB is not told $option"
done
[ $bad -eq 0 ] || exit $bad
[ $readers -gt 0 ] || { echo 'SKIP: neither pandas nor R is installed'; exit 77; }
exit 0
