# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a Gymnasium environment against the rules of 2048:

    nxn verify --against 'python3 gymnasium_env.py ENV' --boards 4x4

ENV is an id (package:name-v0 imports the package) or a class (package.module:Class). A PLACE is
obs, info or env (the environment without wrappers), with names behind dots, as in info.board; what
is found there is called if it can be.
"""
import argparse
import ast
import copy
import importlib
import sys

import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("env", metavar="ENV")
parser.add_argument("make", metavar="NAME=VALUE", nargs="*", help="arguments of the environment")
parser.add_argument("--shape", default="4x4", help="rows x columns (4x4)")
parser.add_argument("--board", default="obs", metavar="PLACE", help="the board (obs)")
parser.add_argument("--cells", default="tiles", choices=["tiles", "exponents", "one-hot"],
                    help="what a cell has (tiles); one-hot: layer k for the tile 2^k")
parser.add_argument("--actions", default="URDL", help="the moves of actions 0 to 3 (URDL)")
parser.add_argument("--legal", metavar="PLACE", help="mask of actions (else: what changes a copy)")
parser.add_argument("--score", metavar="PLACE", help="points so far (else: the sum of rewards)")
args = parser.parse_args()
rows, cols = map(int, args.shape.split("x"))


def find(place, env, obs, info):
    first, *names = place.split(".")
    value = {"obs": obs, "info": info, "env": env.unwrapped}[first]
    for name in names:
        value = value[name] if isinstance(value, dict) else getattr(value, name)
    return value() if callable(value) else value


def tiles(*state):
    cells = np.array(find(args.board, *state))
    if args.cells == "one-hot":
        cells = cells.argmax(axis=-1 if cells.shape[:2] == (rows, cols) else 0)
    cells = cells.astype(int).reshape(rows, cols)
    return cells if args.cells == "tiles" else np.where(cells, 1 << cells, 0)


def may(action, env, *seen):
    if args.legal:
        return find(args.legal, env, *seen)[action]
    other = copy.deepcopy(env)
    obs, *_, info = other.step(action)
    return (tiles(other, obs, info) != tiles(env, *seen)).any()


def answer(word, *state):
    legal = "".join(m for m in "URDL" if not over and may(args.actions.index(m), *state)) or "-"
    board = "/".join(",".join(map(str, row)) for row in tiles(*state).tolist())
    return f"{word} {board} {legal} {int(find(args.score, *state) if args.score else total)}"


package, _, name = args.env.rpartition(":")
values = {key: ast.literal_eval(text) for key, text in (s.split("=", 1) for s in args.make)}
made = getattr(importlib.import_module(package), name, None) if package else None
env = made(**values) if made else importlib.import_module("gymnasium").make(args.env, **values)
out, sys.stdout = sys.stdout, sys.stderr  # the environment may print
for line in sys.stdin:
    word, *rest = line.split()
    if word == "quit":
        break
    if word == "start":
        (obs, info), total, over = env.reset(seed=int(rest[0])), 0, False
    elif word == "step":
        obs, reward, ended, stopped, info = env.step(args.actions.index(rest[0]))
        total, over = total + reward, ended or stopped
    said = {"hello": f"hello 1 step boards={args.shape}", "new": "new"}.get(word)
    if word in ("start", "step"):
        said = answer(word, env, obs, info)
    print(said or "error no such request", file=out, flush=True)
