# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-ins for what examples/adapters call, with right rules: this file, under the names jax, pgx,
pyspiel, gymnasium and jumanji/environments. They say nothing about the real packages.
"""
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np


def slid(line):
    """A line of exponents, slid to its first cell, and the points."""
    done, points, tiles = [], 0, [int(k) for k in line if k]
    while tiles:
        k = tiles.pop(0)
        if tiles and tiles[0] == k:
            k = tiles.pop(0) + 1
            points += 1 << k
        done.append(k)
    return done + [0] * (len(line) - len(done)), points


def moved(board, letter):
    turns = "LURD".index(letter)
    lines = [slid(line) for line in np.rot90(board, turns)]
    return np.rot90(np.array([line for line, _ in lines]), -turns), sum(p for _, p in lines)


def legal_mask(board, letters):
    return np.array([(moved(board, letter)[0] != board).any() for letter in letters])


def spawned(board, rng, fours=0.1):
    board, cells = board.copy(), np.argwhere(board == 0)
    board[tuple(cells[rng.integers(len(cells))])] = 2 if rng.random() < fours else 1
    return board


def begun(rng, rows=4, cols=4, fours=0.1):
    return spawned(spawned(np.zeros((rows, cols), int), rng, fours), rng, fours)


# ---- JAX: a key serves once.

keys_used = set()


def key_use(key):
    assert key not in keys_used, "a key is used again"
    keys_used.add(key)


def key_split(key):
    key_use(key)
    return hash((key, 1)) % 2**63, hash((key, 2)) % 2**63


def key_rng(key):
    key_use(key)
    return np.random.default_rng(key)


random = SimpleNamespace(PRNGKey=int, split=key_split)


def jit(function):
    return function


# ---- Jumanji.

class Game2048:
    letters = "URDL"

    def __init__(self, board_size):
        self.board_size = board_size

    def seen(self, board, key, reward):
        seen = SimpleNamespace(board=board, action_mask=legal_mask(board, self.letters))
        return (board, key), SimpleNamespace(observation=seen, reward=np.float32(reward))

    def reset(self, key):
        key, first = key_split(key)
        return self.seen(begun(key_rng(first), self.board_size, self.board_size), key, 0)

    def step(self, state, action):
        board, points = moved(state[0], self.letters[action])
        key, now = key_split(state[1])
        return self.seen(spawned(board, key_rng(now)), key, points)


# ---- pgx.

@dataclass(frozen=True)
class State:
    board: Any
    rewards: Any
    terminated: Any
    legal_action_mask: Any
    observation: Any


class Play2048:
    letters = "LURD"

    def seen(self, board, points):
        legal = legal_mask(board, self.letters)
        over = not legal.any()  # then all actions are allowed
        layers = np.arange(31) == board[:, :, None]
        return State(board, np.float32([points]), np.bool_(over), legal | over, layers)

    def init(self, key):
        return self.seen(begun(key_rng(key)), 0)

    def step(self, state, action, key):
        board, points = moved(state.board, self.letters[action])
        return self.seen(spawned(board, key_rng(key)), points)


# ---- OpenSpiel: an action at a chance node is 2 * cell, or 2 * cell + 1 for a 4.

class SpielState:
    def __init__(self, max_tile):
        self.board, self.points, self.spawns, self.max_tile = np.zeros((4, 4), int), 0, 2, max_tile

    def is_chance_node(self):
        return self.spawns > 0

    def chance_outcomes(self):
        cells = np.flatnonzero(self.board == 0).tolist()
        return [(2 * cell + four, p / len(cells)) for cell in cells for four, p in enumerate((0.9, 0.1))]

    def apply_action(self, action):
        if self.is_chance_node():
            self.board[divmod(action // 2, 4)] = 1 + action % 2
            self.spawns -= 1
        else:
            self.board, points = moved(self.board, "URDL"[action])
            self.points += points
            self.spawns = 1

    def is_terminal(self):
        return not legal_mask(self.board, "URDL").any() or 1 << self.board.max() >= self.max_tile

    def legal_actions(self):
        return np.flatnonzero(legal_mask(self.board, "URDL")).tolist()

    def observation_tensor(self, player):
        return [float(1 << k if k else 0) for k in self.board.ravel()]

    def returns(self):
        return [float(self.points)]


def load_game(name, parameters):
    return SimpleNamespace(new_initial_state=lambda: SpielState(**parameters))


# ---- Gymnasium.

class Env:
    """Has layers before rows, a reward that is no points, and its own order of actions."""
    letters = "DRLU"

    def __init__(self, rows=4, cols=4, fours=0.1):
        self.rows, self.cols, self.fours = rows, cols, fours
        self.unwrapped = self

    def seen(self):
        return np.arange(17)[:, None, None] == self.board, {"points": {"game": self.points}}

    def masks(self):
        return legal_mask(self.board, self.letters)

    def reset(self, seed=None):
        print("a new game")
        self.rng = np.random.default_rng(seed)
        self.board, self.points = begun(self.rng, self.rows, self.cols, self.fours), 0
        return self.seen()

    def step(self, action):
        board, points = moved(self.board, self.letters[action])
        if (board != self.board).any():
            self.board = spawned(board, self.rng, self.fours)
        self.points += points
        obs, info = self.seen()
        return obs, -1.0, not self.masks().any(), False, info


def make(name, **values):
    return Play2048() if name == "2048" else Env(**values)
