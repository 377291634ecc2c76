#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A million random games of 3x3 through the Python package have the exact mean, 178.743854; and steps a second of processor time from
# Python on one core beside the playouts of C, printed for 3x3 to 6x6. mypy --strict finds nothing.
. "${srcdir:-.}/tests/lib/python_lib.sh"

cat >million.py <<'END'
import numpy as np, nxn, time
n, k = 4000, 250
envs = nxn.VectorEnv("3x3", n, seed=2048)
_, info = envs.reset()
rng = np.random.default_rng(2048)
played, scores = np.zeros(n, int), []
while (played < k).any():
    moves = (rng.random((n, 4), np.float32) * info["action_mask"]).argmax(axis=1)
    _, _, over, _, info = envs.step(moves)
    scores.append(info["score"][over & (played < k)])
    played += over
score = np.concatenate(scores).astype(float)
error = score.std() / len(score) ** 0.5
print(f"{len(score)} games, mean {score.mean():.4f}, standard error {error:.4f}")
assert len(score) == 10**6 and abs(score.mean() - 178.743854) < 4 * error
END
python3 million.py || complain 'a million games'

cat >speed.py <<'END'
import numpy as np, nxn, time
n = 4096

def best(work, repeats=5):
    """Million moves a second, the best of REPEATS."""
    speeds = []
    for _ in range(repeats):
        start = time.process_time()
        moves = work()
        speeds.append(moves / (time.process_time() - start) * 1e-6)
    return max(speeds)

print("board\tstep\tstep with random moves by numpy\tplayouts")
for board in ("3x3", "4x4", "5x5", "6x6"):
    envs = nxn.VectorEnv(board, n, seed=1)
    rng = np.random.default_rng(1)
    state = {"info": envs.reset()[1]}
    drawn = [(rng.random((n, 4), np.float32)) for _ in range(50)]

    def stepped():
        spent = 0.0
        for draw in drawn:
            moves = (draw * state["info"]["action_mask"]).argmax(axis=1).astype(np.uint8)
            start = time.process_time()
            *_, state["info"] = envs.step(moves)
            spent += time.process_time() - start
        return spent

    def whole():
        for _ in range(50):
            draw = rng.random((n, 4), np.float32)
            *_, state["info"] = envs.step((draw * state["info"]["action_mask"]).argmax(axis=1))
        return 50 * n

    alone = max(50 * n / stepped() for _ in range(5)) * 1e-6
    starts, _ = nxn.VectorEnv(board, n, seed=2).reset()
    print(board, f"{alone:.1f}", f"{best(whole):.1f}",
          f"{best(lambda: envs.game.playouts(starts)[1].sum()):.1f}", sep="\t")
END
python3 speed.py || complain 'speeds'

# Types: the package and each program of its page.
if command -v mypy >/dev/null; then
	awk -v RS='```' 'NR % 2 == 0 { sub(/^python\n/, ""); print > ("block" NR / 2 ".py") }' "$source/docs/python.md"
	[ -f block3.py ] || complain 'docs/python.md has lost its blocks'
	for checked in "$source/python/nxn" block*.py; do
		MYPYPATH="$source/python" mypy --strict --cache-dir=cache "$checked" >stdout || { cat stdout; complain "mypy $checked"; }
	done
fi
exit $bad
