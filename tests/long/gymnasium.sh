#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package with Gymnasium, which Debian does not have: GYMNASIUM names a checkout of its sources, unless
# python3 has it. Its checker passes every board without a warning; its ways to make many environments play the same
# games; its statistics of episodes are right; its own tests of vectors pass with a board in place of CartPole, where
# there is pytest; and test_package.py, the example of docs/python.md and examples/adapters/gymnasium_env.py pass too.
. "${srcdir:-.}/tests/lib/python_lib.sh"

export PYTHONPATH="$PYTHONPATH${GYMNASIUM:+:$GYMNASIUM}" VECTORS="$source/tests/vectors"
python3 -c 'import gymnasium.vector' 2>stderr || {
	echo "SKIP: no Gymnasium ($(tail -n 1 stderr)): expected it in python3, or a checkout of its sources in GYMNASIUM"
	exit 77
}

cat >checked.py <<'END'
import warnings

import gymnasium
import nxn
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics

warnings.simplefilter("error")
names = [name for name in gymnasium.registry if name.startswith("nxn/")]
assert len(names) == 25, names
for name in names:
    env = gymnasium.make(name, render_mode="rgb_array")
    assert isinstance(env.unwrapped, nxn.Env) and name == f"nxn/2048-{env.unwrapped.game.shape}-v0"
    check_env(env.unwrapped)

ways = [gymnasium.make_vec("nxn/2048-3x3-v0", 4, vectorization_mode=mode) for mode in ("vector_entry_point", "sync", "async")]
assert isinstance(ways[0], nxn.VectorEnv) and not isinstance(ways[1], nxn.VectorEnv)
ways.append(RecordEpisodeStatistics(gymnasium.make_vec("nxn/2048-3x3-v0", 4, copy=False)))
seen = [way.reset(seed=[5, 6, 7, 8]) for way in ways]
rng, ended = np.random.default_rng(1), 0
for _ in range(200):
    for obs, *_, info in seen:
        np.testing.assert_array_equal(obs, seen[0][0])
        np.testing.assert_array_equal(info["score"], seen[0][-1]["score"])
        np.testing.assert_array_equal(info["action_mask"], seen[0][-1]["action_mask"])
    moves = (rng.random((4, 4)) * seen[0][-1]["action_mask"]).argmax(axis=1)
    seen = [way.step(moves) for way in ways]
    over = seen[0][2]
    for _, reward, terminated, truncated, _ in seen:
        np.testing.assert_array_equal(reward, seen[0][1])
        np.testing.assert_array_equal(terminated, over)
        assert not truncated.any()
    if over.any():
        ended += over.sum()
        np.testing.assert_array_equal(seen[3][4]["episode"]["r"][over], seen[0][4]["score"][over])
assert ended > 4, ended
for way in ways:
    way.close()
print(f"{len(names)} boards checked, {ended} games the same in three ways")
END
python3 checked.py >stdout 2>stderr || complain 'checked.py'
cat stdout

awk -v RS='```' 'NR % 2 == 0 && /import gymnasium/ { sub(/^python\n/, ""); print }' "$source/docs/python.md" >block.py
python3 block.py >stdout 2>stderr || complain 'the example of docs/python.md'
has "nxn.VectorEnv('3x5', num_envs=64)"
adapter="$python $source/examples/adapters/gymnasium_env.py"
gives 0 "nxn verify --against '$adapter nxn:nxn/2048-3x5-v0 --shape 3x5 --cells exponents --score info.score' --steps 500"
mkdir again && (cd again && python3 "$source/tests/lib/test_package.py") >stdout 2>stderr || complain 'test_package.py with Gymnasium'

# What asks for other properties of CartPole is left out: its gravity, the space of FrozenLake beside its own, an empty
# info; and what needs Box2D.
if [ -d "${GYMNASIUM:-}/tests/vector" ] && python3 -c 'import pytest' 2>/dev/null; then
	cp -r "$GYMNASIUM/tests" . && chmod -R u+w tests
	sed -i 's#"CartPole-v1"#"nxn:nxn/2048-4x4-v0"#' tests/vector/*.py
	python3 -m pytest -q -p no:cacheprovider tests/vector/test_[as]*_vector_env.py tests/vector/test_autoreset_mode.py \
		tests/vector/test_vector_wrapper.py -k 'not call and not attr and not spaces and not reset_async and not env_seed' >stdout 2>stderr ||
		complain "Gymnasium's tests of vectors"
	tail -n 3 stdout
fi
exit $bad
