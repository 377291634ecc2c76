#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One bit of a model of each learner, of a table, or of a solver's layers is another: a line says so, and
# the file stays as it is. One bit of every DAMAGE_STEP-th byte (tests/long/damage.sh: of every byte).
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
cat >flip.py <<'END'
import os, subprocess, sys
path, step, command = sys.argv[1], int(sys.argv[2]), sys.argv[3].split()
light = {**os.environ, "ASAN_OPTIONS": sys.argv[4]}
with open(path, "rb") as file:
    whole = file.read()
passed = []
places = sorted({*range(0, len(whole), step), *range(max(0, len(whole) - 8), len(whole))})
for n, at in enumerate(places):
    damaged = bytearray(whole)
    damaged[at] ^= 1 << (at // step + at) % 8
    with open(path, "wb") as file:
        file.write(damaged)
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=light if n % 4 else None)
    with open(path, "rb") as file:
        kept = file.read() == damaged
    if run.returncode != 2 or run.stderr.count(b"\n") != 1 or not kept:
        passed.append(at)
with open(path, "wb") as file:
    file.write(whole)
print(f"{path}: {len(places)} of {len(whole)} bytes")
if passed:
    sys.exit(f"no error or another file, status 2 and one line expected, with a bit of these bytes: {passed}")
END

# damaged FILE STEP COMMAND: a bit that is wrong is an error of COMMAND, which else succeeds.
damaged()
{
	gives 0 "$3"
	cp "$1" "$1.whole"
	python3 -IS flip.py "$1" "${DAMAGE_STEP:-$2}" "$3" "$light" 2>stderr || complain "$3"
	cmp -s "$1" "$1.whole" || complain "$1 was changed"
	gives 0 "$3"
}

for learner in qlearn adp ntuple:tuples=lines policy:hidden=2 relative:hidden1=2,hidden2=2; do
	model=${learner%%:*}.nxn
	gives 0 "nxn train $learner -b 2x2 -e 3 -o $model"
	damaged "$model" 409 "nxn info $model"
	grep -qx 'checksums  *good' stdout || complain "info does not say that $model is good"
done
# Where the file ends early, and where it goes on.
head -c 2600 qlearn.nxn >short.nxn
fails 2 'short.nxn: ' 'nxn info short.nxn'
head -c 2507 qlearn.nxn >shorter.nxn
fails 2 'shorter.nxn: truncated' 'nxn info shorter.nxn'
(cat qlearn.nxn && echo) >longer.nxn
fails 2 'longer.nxn: ' 'nxn info longer.nxn'
gives 0 'nxn info built-in'

gives 0 'nxn solve -b 2x2 --max-sum 12 -o table'
damaged table 181 'nxn info table'
# All who use the values of a table verify them.
gives 0 'nxn solve -b 2x2 -o whole.nxo'
damaged whole.nxo 401 'nxn gap -b 2x2 -a random -g 2 -j 1 --no-figures --table whole.nxo -o gap'
damaged whole.nxo 401 'nxn play -b 2x2 -a optimal:whole.nxo'
damaged whole.nxo 401 'nxn solve -b 2x2 -j 1 --policy greedy --table whole.nxo'
# Layers of what is solved, none of which is needed again but for the last.
gives 0 'nxn solve -b 2x2 --max-sum 8 --work layers'
damaged layers/layers.nxl 83 'nxn solve -b 2x2 --max-sum 8 --work layers'
exit $bad
