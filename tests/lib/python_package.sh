#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: what test_package.py asks of it, the page docs/python.md at a small size, the same moves as
# `nxn eval`, and pip without network.
. "${srcdir:-.}/tests/lib/python_lib.sh"

export VECTORS="$source/tests/vectors"
python3 "$source/tests/lib/test_package.py" >stdout 2>stderr || {
	cat stderr
	complain 'test_package.py'
}

# The blocks of the page, each as it stands, but for the board and the length of the learning.
awk -v RS='```' 'NR % 2 == 0 { sub(/^python\n/, ""); print > ("block" NR / 2 ".py") }' "$source/docs/python.md"
[ -f block3.py ] || complain 'docs/python.md has lost its blocks'
sed -i 's/BOARD, ENVS, STEPS, ALPHA = "3x3", 64, 20000/BOARD, ENVS, STEPS, ALPHA = "2x3", 64, 1500/' block3.py
grep -q '"2x3", 64, 1500' block3.py || complain 'the learner has another size'
for block in block1 block2 block3; do
	python3 $block.py >stdout 2>stderr || complain "$block of docs/python.md"
	[ -s stdout ] || complain "$block prints nothing"
done
# 480.26 is the optimum of 2x3; 61.17 what random moves score.
has 'of 480.26:'
learned=$(sed -n 's/^learned \([0-9]*\) .*/\1/p' stdout)
[ "${learned:-0}" -gt 240 ] && [ "$learned" -le 500 ] || complain "the learner scores ${learned:-nothing}"

# Moves and values of `nxn eval`, ties and searches included.
cat >positions.py <<'END'
import nxn
import numpy as np
envs = nxn.VectorEnv("4x4", 3, seed=5)
obs, info = envs.reset()
rng = np.random.default_rng(0)
for _ in range(40):
    for cells in obs:
        print(envs.game.format(cells))
    obs, *_, info = envs.step((rng.random((3, 4)) * info["action_mask"]).argmax(axis=1))
END
cat >eval.py <<'END'
import nxn, sys
import numpy as np
agent = nxn.Agent(sys.argv[1])
lines = open("positions").read().split()
obs = np.stack([nxn.Board(line).cells for line in lines])
action, values, nodes = agent.decide(obs)
for line, move, value, count in zip(lines, action, values, nodes):
    name = ["up", "right", "down", "left"][move] if nxn.Board(line).legal else "none"
    print(line, name, *("NaN" if v != v else f"{v:.9g}" for v in value), count, sep="\t")
END
python3 positions.py >positions || complain 'positions.py'
[ "$(wc -l <positions)" -eq 120 ] || complain 'no positions'
for agent in expectimax:depth=2 random greedy:ties=random; do
	nxn eval --agent $agent positions | awk -F '\t' -v OFS='\t' 'NR > 1 {
		for (i = 3; i <= 6; i++) if ($i != "NaN") $i = sprintf("%.9g", $i)
		print $1, $2, $3, $4, $5, $6, $7 }' >wanted
	python3 eval.py $agent >got || complain "eval.py $agent"
	cmp wanted got || { diff wanted got | head -4; complain "nxn eval and nxn.Agent('$agent') differ"; }
done

# Games of a log.
if "$python" -c 'import pandas' 2>/dev/null; then
	gives 0 'nxn compare -b 3x3 -a random,greedy -g 10 -s 1 --no-figures -o log'
	cat >log.py <<'END'
import nxn
games = nxn.read_games("log")
greedy = games[games.agent == "greedy"].sort_values("game")
assert len(games) == 20 and list(greedy.score) == list(nxn.Agent("greedy", "3x3").play(10, seed=1).score)
assert len(nxn.read_games("log", "log/games.tsv")) == 40
old = nxn.read_games("old.tsv")
assert list(old.score) == [1180, 20] and old.tile_sum[0] == 274 and old.tile_sum.isna()[1], old
END
	# Older logs have fields without a name, in some rows; this one was torn off, too.
	{
		printf '# nxn\nconfig\tboard\tagent\tgame\tscore\n00c0\t4x4\trandom\t0\t1180\tsum=274\tdoubt=1.3\n'
		printf '# more\n00c1\t4x4\tgreedy\t0\t20\n00c1\t4x4\tgre'
	} >old.tsv
	python3 log.py 2>stderr || complain 'read_games()'
fi

# pip without network, into a folder of its own.
if "$python" -c 'import pip, setuptools, wheel' 2>/dev/null; then
	cp -r "$source/python" package && chmod -R u+w package
	"$python" -m pip install --quiet --no-build-isolation --no-index --no-deps --target pip ./package \
		>stdout 2>stderr || complain 'pip install'
	PYTHONPATH=pip "$python" -c 'import nxn; assert "pip" in nxn.__file__; print(nxn.Board("0,2/2,0").perft(1))' \
		>stdout 2>stderr || complain 'the package that pip installed'
	has 'Perft(states='
fi
exit $bad
