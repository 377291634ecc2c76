# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the 2048 of OpenSpiel against the rules:

    nxn verify --against 'python3 open_spiel_game.py'

New tiles are drawn here, with the probabilities that the game states. The game ends at the tile
max_tile, which is set to the largest tile of 2048.
"""
import random
import sys

import pyspiel


def spawns(state):
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes())
        state.apply_action(random.choices(actions, chances)[0])


def answer(word, state):
    cells = [str(int(cell)) for cell in state.observation_tensor(0)]
    board = "/".join(",".join(cells[i:i + 4]) for i in range(0, 16, 4))
    legal = "" if state.is_terminal() else "".join("URDL"[i] for i in state.legal_actions())
    return f"{word} {board} {legal or '-'} {int(state.returns()[0])}"


game = pyspiel.load_game("2048", {"max_tile": 131072})
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
        random.seed(int(rest[0]))
        state = game.new_initial_state()
    elif word == "step":
        state.apply_action("URDL".index(rest[0]))
    if word in ("start", "step"):
        spawns(state)
        said = answer(word, state)
    print(said, file=out, flush=True)
