#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nxn bench from the outside: rows, every error.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

examples bench

# Nine rows a board and instruction set, with numbers in them.
gives 0 'nxn bench --boards 2x2,3x5 --repeats 2'
head -n 1 stdout | grep -qx 'board	isa	measure	unit	median	mad	repeats' || complain 'no header'
for board in 2x2 3x5; do
	rows=$(awk -F '\t' -v b=$board '$1 == b && $2 == "portable" && $5 > 0 && $7 == 2' stdout | wc -l)
	[ "$rows" -eq 9 ] || complain "$rows rows of $board instead of 9"
done

fails 2 "board '9x9': expected ROWSxCOLUMNS" 'nxn bench --boards 2x2,9x9'
[ -s stdout ] && complain 'measured before a board was refused'
fails 2 '--repeats' 'nxn bench --repeats 0'
fails 2 'NXN_ISA=fast: expected portable, avx2 or avx512' 'NXN_ISA=fast nxn play -b 2x2 -a random'

exit $bad
