#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: test_package.py, the page docs/python.md at a small size, the same moves as
# `nxn eval`, and with --all pip without network.
. "${srcdir:-.}/tests/lib/python_lib.sh"

export VECTORS="$source/tests/vectors"
python3 "$source/tests/lib/test_package.py" >stdout 2>stderr || {
	cat stderr
	complain 'test_package.py'
}

# The blocks of docs/python.md, except the one that needs Gymnasium; and the learner of
# docs/recipes.md, on a smaller board and for fewer steps.
blocks_read "$source/docs/python.md" "$source/docs/recipes.md"
grep -l 'import gymnasium' block002.python >stdout || complain 'docs/python.md has lost its blocks'
sed -i 's/BOARD, ENVS, STEPS, ALPHA = "3x3", 64, 20000/BOARD, ENVS, STEPS, ALPHA = "2x3", 64, 1500/' block004.python
grep -q '"2x3", 64, 1500' block004.python || complain 'the learner has another size'
for block in block001 block003 block004; do
	python3 $block.python >stdout 2>stderr || complain "$block of docs/python.md"
	[ -s stdout ] || complain "$block prints nothing"
done
rm block*
# 480.26 is the optimum of 2x3; random moves score 61.17.
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
for agent in expectimax:depth=2 greedy:ties=random ${all:+random}; do
	nxn eval --agent $agent positions | awk -F '\t' -v OFS='\t' 'NR > 1 {
		for (i = 3; i <= 6; i++) if ($i != "NaN") $i = sprintf("%.9g", $i)
		print $1, $2, $3, $4, $5, $6, $7 }' >wanted
	python3 eval.py $agent >got || complain "eval.py $agent"
	cmp wanted got || { diff wanted got | head -4; complain "nxn eval and nxn.Agent('$agent') differ"; }
done

# Games of logs, by the rules and in the words of `nxn report`.
if "$python" -c 'import pandas' 2>/dev/null; then
	gives 0 'nxn compare -b 3x3 -a random,greedy -g 10 -s 1 --no-figures -o log'
	nxn report --tsv=games log | grep -v '^#' >wanted
	cat >log.py <<'END'
import io, math, sys, warnings
import nxn, pandas
warnings.simplefilter("error")
games = nxn.read_games("log")
greedy = games[games.agent == "greedy"].sort_values("game")
assert len(games) == 20 and list(greedy.score) == list(nxn.Agent("greedy", "3x3").play(10, seed=1).score)
assert games.score.dtype == "int64" and all(len(config) == 16 for config in games.config)
wanted = pandas.read_csv("wanted", sep="\t", dtype={"config": str})
assert len(wanted) == 20
for name in wanted.columns:
    assert name not in games or all(a == b or a != a and b != b or abs(a - b) < 1e-6 for a, b in zip(wanted[name], games[name])), name
both = nxn.read_games("log", "log/games.tsv")
assert len(both) == 20 and set(both.log) == {"log"}, both
END
	python3 log.py >stdout 2>stderr || { cat stderr; complain 'read_games()'; }

	names='config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds'
	row='0000000000000123\t4x4\t"a ""b"" #1"\tgreedy\t0\t1'
	printf "$names\ttile_sum\tuncertainty\n$row\t0\t1180\t128\t122\t0.5\t274\t1.3\n$row\t0\t1180\t128\t122\t0.5\t274\t1.3\n" >twice.tsv
	{ cat twice.tsv; printf "$row\t1\t11"; } >torn.tsv
	sed 's/1180/1184/' twice.tsv | sed 1d | cat twice.tsv - >contradicts.tsv
	echo 'a shopping list' >other.tsv
	: >empty.tsv
	printf "$names\ttile_sum\tuncertainty\n$row\t0\t \t128\t122\t0.5\t274\t1.3\n" >blank.tsv
	mkdir -p nothing
	{ printf '\357\273\277'; cat twice.tsv; } >mark.tsv
	sed 's/$/\r/' twice.tsv >ends.tsv
	# NAME.told gets the result of read_games(): games, warnings and rows, or an error.
	cat >told.py <<'END'
import nxn, sys, warnings
for path in sys.argv[1:]:
    with warnings.catch_warnings(record=True) as seen, open(path + ".told", "w") as told:
        warnings.simplefilter("always")
        try:
            games = nxn.read_games(path)
            print(len(games), *(str(one.message) for one in seen), file=told)
            print(games.to_csv(sep="|", index=False), file=told)
        except nxn.Error as error:
            print(f"nxn report: {error}", file=told)
END
	python3 told.py twice.tsv torn.tsv contradicts.tsv other.tsv empty.tsv blank.tsv nothing mark.tsv ends.tsv >stdout 2>stderr ||
		complain 'read_games() of damaged logs'
	# kept FILE GAMES SAYS: both read so many games of it, and read_games() warns of SAYS.
	kept()
	{
		gives 0 "nxn report --tsv=games $1"
		[ "$(grep -c '^[^#]' stdout)" -eq $(($2 + 1)) ] || complain "nxn report has other games of $1 than $2"
		has "$2${3+ $3}" "$1.told"
	}
	# refused FILE SAYS: nxn report and read_games() refuse it in the same words.
	refused()
	{
		gives 2 "nxn report $1"
		mv stderr wanted
		has "$2" wanted
		cmp wanted "$1.told" || { diff wanted "$1.told"; complain "nxn report and read_games() speak of $1 in other words"; }
	}
	kept twice.tsv 1
	has '0000000000000123|4x4|"a ""b"" #1"|greedy|0|1|0|1180|128|122|0.5|274.0|1.3' twice.tsv.told
	kept torn.tsv 1 'torn.tsv: the torn last line was left out'
	refused contradicts.tsv 'contradicts.tsv:4: contradicts'
	refused other.tsv 'not a game log'
	refused empty.tsv 'holds no games'
	refused blank.tsv 'blank.tsv:2: score'
	refused nothing 'nothing/games.tsv: no such game log'
	# A byte order mark and CR LF: both readers accept them, or both refuse them.
	for file in mark ends; do
		if nxn report $file.tsv >/dev/null 2>&1; then kept $file.tsv 1; else refused $file.tsv $file.tsv; fi
	done
fi

# pip as after quickstart: build/ beside python/; without network, setuptools and wheel.
if [ "$all" ] && "$python" -c 'import pip' 2>/dev/null; then
	mkdir -p checkout/build && cp -r "$source/python" checkout/ && chmod -R u+w checkout
	cp "$build"/libnxn*.so.0 checkout/build/
	strip checkout/build/*.so.0 2>/dev/null # a third of the time to pack them
	find checkout -name __pycache__ -prune -exec rm -r {} +
	find checkout | sort >before
	(unset NXN_LIBRARY PYTHONPATH && "$python" -m pip install --quiet --no-build-isolation --no-index --no-deps \
		--target pip ./checkout/python) >stdout 2>stderr || { cat stderr; complain 'pip install'; }
	find checkout | grep -v __pycache__ | sort >after
	cmp before after || { diff before after; complain 'pip install leaves files behind'; }
	# no_wheel WORDS [NXN_LIBRARY=FILE]: no wheel is made, and the reason has WORDS.
	no_wheel()
	{
		(unset NXN_LIBRARY PYTHONPATH && env ${2-} "$python" -B checkout/python/backend.py .) >stdout 2>stderr &&
			complain "a wheel, in place of: $1"
		has "$1" stderr
	}
	no_wheel 'NXN_LIBRARY=none.so: expected libnxn.so.0 with libnxn-stats.so.0' NXN_LIBRARY=none.so
	sed -i 's/^VERSION = "[^"]*"/VERSION = "9.8"/' checkout/python/nxn/_places.py
	no_wheel 'expected 9.8, that of the package'
	rm -r checkout/build
	no_wheel 'has no library and no sources of one'
	rm -r checkout
	(unset NXN_LIBRARY && PYTHONPATH=pip "$python" -c 'if 1:
		import nxn
		assert "/pip/" in nxn.library_path, nxn.library_path
		print(nxn.Board("0,2/2,0").perft(1), nxn.interval([1, 2, 3]))') >stdout 2>stderr ||
		{ cat stderr; complain 'the package that pip installed'; }
	has 'Perft(states='
	has 'Interval(value=2.0'
fi

exit $bad
