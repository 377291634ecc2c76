#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapters of examples/adapters, with stand-ins for the packages that they need (stand_ins.py), and with nxn.Env:
# programs with right rules pass, every way to name the parts of an environment works, and a wrong share of fours is
# found.
. "${srcdir:-.}/tests/lib/python_lib.sh"

adapters=$source/examples/adapters
mkdir jumanji
for name in jax pgx pyspiel gymnasium jumanji/environments; do
	cp "$source/tests/lib/stand_ins.py" $name.py
done

# checks STATUS COMMAND [OPTION...]
checks()
{
	status=$1 command=$2
	shift 2
	gives "$status" "nxn verify --against '$python $adapters/$command' --steps 300 $*"
	[ "$status" -ne 0 ] || [ "$(grep -c ' ok$' stdout)" -ge 7 ] || complain "fewer than 7 lines: $command"
}
checks 0 'gymnasium_env.py nxn:Env --cells exponents --score info.score'
export PYTHONPATH="$work"
checks 0 pgx_game.py
checks 0 open_spiel_game.py
checks 0 jumanji_game.py --boards 3x3,4x4
checks 0 'gymnasium_env.py gymnasium:2048-v0 --actions DRLU --board env.board --cells exponents --score env.points'
places='--actions DRLU --cells one-hot --legal env.masks --score info.points.game'
checks 0 "gymnasium_env.py gymnasium:Env rows=3 cols=5 --shape 3x5 $places"
checks 1 "gymnasium_env.py 2048-v0 fours=0.3 $places"
grep -q 'new tiles, kinds .*FAILED$' stdout || complain 'a wrong share of fours'
exit $bad
