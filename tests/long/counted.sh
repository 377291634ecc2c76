#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The intervals of runs that were stopped hold the mean of all games. Plays runs of GAMES games whose
# scores grow with their length, on 1, 2, 8 and 24 workers, each stopped at a random moment, STOPS of each
# (400); their logs are one log, a run at every stage of training, as nxn report is to read it. Once the
# log tells of the stops, and once, as after a kill, it does not. Prints in how many of the stops there is
# an interval, and how many of these hold the truth; fails where these are fewer than 91%, by three standard
# errors. Of stops that the log does not tell of: 89%, and 75% where all games began together.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
stops=${STOPS:-400}

# log TOLD SEED: the log. Scores are log-normal, or as those of a good player on 4x4: a tile of 256 to 4096.
log()
{
	awk -v told="$1" -v seed="$2" -v stops="$stops" -v sizes="${SIZES:-24 100 400}" '
	function tile(u) { return u < 0.03 ? 8 : u < 0.2 ? 9 : u < 0.6 ? 10 : u < 0.97 ? 11 : 12 }
	function game(kind, i,   k) {
		if (kind == "real") {
			k = tile(rand())
			length_[i] = 2 ^ k * (0.55 + 0.4 * rand())
			score[i] = int(length_[i] * 2 * (k - 1) + 0.5)
			return
		}
		length_[i] = 1000 * exp(0.5 * sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()))
		score[i] = int(10 * length_[i] + 0.5)
	}
	function run(kind, workers, games, group, number,   i, j, k, last, stop) {
		for (j = 0; j < workers; j++) busy[j] = 0
		for (i = last = 0; i < games; i++) {
			game(kind, i)
			for (j = k = 0; j < workers; j++) if (busy[j] < busy[k]) k = j
			end[i] = busy[k] += length_[i]
			if (end[i] > last) last = end[i]
		}
		stop = last * rand()
		config = sprintf("%08x%08x", group, number)
		if (told) printf "# stopped: %s 1 %d %d 1\n", config, games, workers
		for (i = 0; i < games; i++)
			if (end[i] <= stop)
				printf "%s\t4x4\t%s\t%s\t%d\t1\t%d\t%d\t2048\t%d\tNaN\tNaN\tNaN\n", config, kind, kind,
					group * 100000 + number, i, score[i], length_[i] + 1
	}
	BEGIN {
		srand(seed)
		print "config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds\ttile_sum\tuncertainty"
		split("1 2 8 24", workers, " ")
		n = split(sizes, size, " ")
		for (k = 0; k < 2; k++) for (w = 1; w <= 4; w++) for (s = 1; s <= n; s++)
			for (i = 1; i <= stops; i++)
				run(k ? "real" : "lognormal", workers[w], size[s], 1 + w * 1000 + size[s], i + k * stops)
	}'
}

# held TOLD: counts the rows of the table in the file stdout.
held()
{
	awk -F '\t' -v told="$1" -v stops="$stops" '
	/^#/ { next }
	{ gsub("\"", "") }
	$1 == "board" { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{
		group = int($column["trained"] / 100000) - 1
		name = $column["label"] "\t" int(group / 1000) "\t" group % 1000
		truth = $column["label"] == "real" ? 20048.64 : 10000 * exp(0.125)
		if ($column["mean_low"] == "NaN") next
		given[name]++
		hits[name] += $column["mean_low"] <= truth && truth <= $column["mean_high"]
	}
	END {
		split("1 2 8 24", workers, " ")
		for (name in given) {
			split(name, part, "\t")
			least = told ? 0.91 : part[3] > 24 ? 0.89 : 0.75
			bad = hits[name] < given[name] * (least - 3 * sqrt(0.06 / given[name]))
			printf "%s, %d workers, %d games, %s: an interval in %.0f%% of stops, of which %.1f%% hold the mean%s\n",
				part[1], workers[part[2]], part[3], told ? "told" : "not told", 100 * given[name] / stops,
				100 * hits[name] / given[name], bad ? ": FAILED" : ""
			failed += bad
			all += given[name]
		}
		exit failed || all < stops
	}' stdout | sort -t , -k 1,1 -k 2,2n -k 3,3n
}

for told in 1 0; do
	log $told 7 >games.tsv
	nxn report games.tsv --format=tsv >stdout 2>stderr || complain "nxn report: $(cat stderr)"
	held $told >table
	cat table
	! grep -q FAILED table || complain "intervals of stopped runs do not hold the mean"
	[ "$(wc -l <table)" -ge 6 ] || complain "no intervals"
done
exit $bad
