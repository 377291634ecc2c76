#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every fuzz target, over its corpus and some fixed mutations of it: none crashes, hangs, or takes more
# than 1 GiB. FUZZ_MUTATIONS sets how many (tests/long/fuzz.sh has more, and make fuzz finds its own way).
. "$srcdir/tests/src/commands/cli_lib.sh"

programs=$(dirname "$nxn_path")/tests/fuzz
for target in "$source"/tests/fuzz/fuzz_*.c; do
	name=$(basename "$target" .c)
	name=${name#fuzz_}
	gives 0 "'$programs/fuzz_$name' -runs=${FUZZ_MUTATIONS:-600} '$source/tests/fuzz/corpus/$name'"
	has " mutations" stdout
	echo "$name: $(cat stdout)"
done
exit $bad
