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
    envs = nxn.VectorEnv(board, n, seed=1, copy=False)
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

def seconds(clock, n, calls, repeats=9, **how):
    """Of a call of N games, the median of REPEATS."""
    envs = nxn.VectorEnv("4x4", n, seed=1, **how)
    envs.reset()
    moves = np.random.default_rng(1).integers(0, 4, (calls, n)).astype(np.uint8)
    spent = []
    for _ in range(repeats):
        start = clock()
        for one in moves:
            envs.step(one)
        spent.append((clock() - start) / calls)
    return sorted(spent)[repeats // 2]

def single():
    env = nxn.Env("4x4", seed=1)
    env.reset()
    for move in np.random.default_rng(1).integers(0, 4, 20000).tolist():
        if env.step(move)[2]:
            env.reset()
    return 20000

print(f"Env: {1e6 * best(single):.0f} steps a second")
large = seconds(time.process_time, n, 100, copy=False)
print(f"{n} games: {1e-6 * n / large:.1f} million steps a second")
for how in ({"copy": True}, {"copy": False}):
    spent = seconds(time.process_time, 64, 2000, **how)
    print(f"64 games, {how}: {1e6 * spent:.2f} us a call, {1e6 * (spent - 64 * large / n):.2f} us more than 64 of {n}")
pairs = [[seconds(time.perf_counter, n, 100, 1, copy=False, num_threads=threads) for threads in (1, 2)] for _ in range(9)]
ratios = sorted(one / two for one, two in pairs)
print(f"two threads: {ratios[4]:.2f} times as fast as one (median of {len(ratios)}, up to {ratios[-1]:.2f})")
END
python3 speed.py || complain 'speeds'

# Types: the package and each program of the documentation whose modules are there.
if command -v mypy >/dev/null; then
	blocks_read "$source"/docs/*.md
	for checked in "$source/python/nxn" block*.python; do
		missing=$(sed -n 's/^import \(gymnasium\|torch\|polars\)$/\1/p' "$checked" 2>/dev/null)
		[ -z "$missing" ] || python3 -c "import $missing" 2>/dev/null || { echo "no $missing: types not checked"; continue; }
		case $checked in *.python) cp "$checked" checked.py && checked=checked.py ;; esac
		MYPYPATH="$source/python" mypy --strict --cache-dir=cache "$checked" >stdout || { cat "$checked" stdout; complain mypy; }
	done
fi
exit $bad
