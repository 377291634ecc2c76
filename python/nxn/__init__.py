# SPDX-License-Identifier: GPL-3.0-or-later
"""The game 2048 on every board from 2x2 to 6x6: environments, players, exact solutions.

>>> import nxn
>>> envs = nxn.VectorEnv("4x4", num_envs=8, seed=1)
>>> obs, info = envs.reset()
>>> obs, rewards, terminations, truncations, info = envs.step(envs.act(nxn.Agent("greedy")))

Positions are arrays of uint8 exponents, k for the tile 2**k and 0 for an empty cell, of shape
(rows, cols), or (N, rows, cols) for many. Moves are 0 up, 1 right, 2 down and 3 left. What the
library refuses is raised as nxn.Error, a ValueError; what the system denies as an OSError.

An object may be used by one thread at a time; calls let other threads run meanwhile.
"""

try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    import sys as _sys
    raise ImportError(f"nxn needs numpy, which {_sys.executable} does not have ({error}): install it, or use "
                      "another python3, on Debian /usr/bin/python3 with the package python3-numpy") from None

from ._library import Error, library_path, version
from .agents import Agent
from .envs import Env, VectorEnv
from .exact import ExactPlay, Optimum, exact
from .game import DOWN, LEFT, RIGHT, UP, Board, Game, Moves, Perft
from .tables import Interval, Record, interval, read_games, read_records

__version__ = version()
__all__ = [
    "Agent", "Board", "DOWN", "Env", "Error", "ExactPlay", "Game", "Interval", "LEFT", "Moves",
    "Optimum", "Perft", "RIGHT", "Record", "UP", "VectorEnv", "exact", "interval", "library_path",
    "read_games", "read_records", "version",
]
