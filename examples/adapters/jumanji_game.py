# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks Jumanji's Game2048 against the rules of 2048, on square boards:

    nxn verify --against 'python3 jumanji_game.py' --boards 4x4
"""
import sys

import jax
from jumanji.environments import Game2048


def answer(word, observation, points):
    tiles = [[1 << k if k else 0 for k in row] for row in observation.board.tolist()]
    board = "/".join(",".join(map(str, row)) for row in tiles)
    legal = "".join(m for m, may in zip("URDL", observation.action_mask.tolist()) if may)
    return f"{word} {board} {legal or '-'} {points}"


out, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    word, *rest = line.split()
    said = "error no such request"
    if word == "hello":
        said = "hello 1 step boards=2x2,3x3,4x4,5x5,6x6"
    elif word == "new" and rest[1] == "2:0.9,4:0.1":
        env = Game2048(board_size=int(rest[0][0]))
        reset, step = jax.jit(env.reset), jax.jit(env.step)
        said = "new"
    elif word == "quit":
        break
    elif word == "start":
        state, timestep = reset(jax.random.PRNGKey(int(rest[0])))
        points = 0
    elif word == "step":
        state, timestep = step(state, "URDL".index(rest[0]))
        points += int(timestep.reward)
    if word in ("start", "step"):
        said = answer(word, timestep.observation, points)
    print(said, file=out, flush=True)
