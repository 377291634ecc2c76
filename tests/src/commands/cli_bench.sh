#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn bench from the outside: the signature on everything this machine has, rows, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

examples bench

# One signature for every instruction set and number of threads.
gives 0 'NXN_ISA=portable nxn bench --signature --threads 1'
grep -qx '[0-9a-f]\{16\}' stdout || complain 'no hash of 16 digits'
signature=$(cat stdout)
for isa in portable avx2 avx512; do
	NXN_ISA=$isa nxn info program >/dev/null 2>&1 || continue
	for threads in 1 2 4; do
		gives 0 "NXN_ISA=$isa nxn bench --signature --threads $threads"
		[ "$(cat stdout)" = "$signature" ] || complain "another signature: $isa, $threads threads"
	done
done

# Nine rows a board and instruction set, with numbers in them.
gives 0 'nxn bench --boards 2x2,3x5 --repeats 2'
head -n 1 stdout | grep -qx 'board	isa	measure	unit	median	mad	repeats' || complain 'no header'
for board in 2x2 3x5; do
	rows=$(awk -F '\t' -v b=$board '$1 == b && $2 == "portable" && $5 > 0 && $7 == 2' stdout | wc -l)
	[ "$rows" -eq 9 ] || complain "$rows rows of $board instead of 9"
done

fails 2 'expected ROWSxCOLUMNS' 'nxn bench --boards 7x7'
fails 2 '--repeats' 'nxn bench --repeats 0'
fails 2 "unexpected argument 'x'" 'nxn bench x'
fails 2 'NXN_ISA=fast: expected portable, avx2 or avx512' 'NXN_ISA=fast nxn bench --signature'

exit $bad
