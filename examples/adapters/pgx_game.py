# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the 2048 of pgx against the rules:

    nxn verify --against 'python3 pgx_game.py'
"""
import sys

import jax
import pgx

ACTIONS = "LURD"  # of actions 0 to 3


def answer(word, state, points):
    # An observation has a layer for each exponent; at the end of a game all actions are allowed.
    tiles = [[1 << k if k else 0 for k in row] for row in state.observation.argmax(-1).tolist()]
    board = "/".join(",".join(map(str, row)) for row in tiles)
    mask = [not state.terminated and may for may in state.legal_action_mask.tolist()]
    legal = "".join(move for move in "URDL" if mask[ACTIONS.index(move)])
    return f"{word} {board} {legal or '-'} {points}"


env = pgx.make("2048")
init, step = jax.jit(env.init), jax.jit(env.step)
out, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    word, *rest = line.split()
    said = "error no such request"
    if word == "hello":
        said = "hello 1 step boards=4x4"
    elif rest == ["4x4", "2:0.9,4:0.1"]:
        said = "new"
    elif word == "quit":
        break
    elif word == "start":
        key, first = jax.random.split(jax.random.PRNGKey(int(rest[0])))
        state, points = init(first), 0
    elif word == "step":
        key, next_key = jax.random.split(key)
        state = step(state, ACTIONS.index(rest[0]), next_key)
        points += int(state.rewards[0])
    if word in ("start", "step"):
        said = answer(word, state, points)
    print(said, file=out, flush=True)
