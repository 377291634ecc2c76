#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Times on a busy machine: two runs of a small sweep, with a process beside them that keeps every
# processor busy and stops and starts, agree within their intervals in 90% of cells at least. Cells
# that are one are counted once.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

busy()
{
	while :; do
		timeout 0.7 sh -c 'while :; do :; done'
		sleep 0.3
	done
}
pids=
for i in $(seq "$(nproc)"); do
	busy &
	pids="$pids $!"
done
for run in 1 2 3 4; do
	gives 0 "nxn sweep -b 3x3,4x4 -d 1-4 -c 1e-1,1e-2,1e-3 -p 50 -j 1 -o swept.$run --no-figures"
	grep -v '^#' swept.$run/tables/sweep.tsv | cut -f 1-6 | awk -F '\t' '$3 ~ /^[0-9]/ && !one[$1, $4]++' >cells.$run
done
for pid in $pids; do
	kill "$pid"
	wait "$pid" 2>/dev/null
done
# Runs 1 and 2, 3 and 4: intervals that overlap.
for run in 1 3; do
	awk -F '\t' 'NR == FNR { low[$1, $2, $3] = $5; high[$1, $2, $3] = $6; next }
	($1, $2, $3) in low { n++; agree += $5 <= high[$1, $2, $3] && low[$1, $2, $3] <= $6 }
	END { print agree + 0, n + 0 }' cells.$run cells.$((run + 1)) >agreement
	read -r agree cells <agreement
	echo "$agree of $cells cells agree"
	[ "$cells" -ge 18 ] || complain "only $cells cells"
	[ "$((10 * agree))" -ge "$((9 * cells))" ] || complain "only $agree of $cells cells agree"
done
exit $bad
