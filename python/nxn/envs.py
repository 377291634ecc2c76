# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments with Gymnasium's interface: VectorEnv for many games at once, Env for one.

Environment i plays the games i, i + N, i + 2 N, ... of a seed: those that the command nxn and
nxn.Agent.play() play, whatever the number of environments.
"""

from __future__ import annotations

import ctypes
import secrets
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._library import Error, Handle, Observation, address, call, lib, made, whole
from .agents import Agent
from .game import Game, game_of
from .spaces import AUTORESET, Box, Discrete, EnvBase, MultiDiscrete, VectorEnvBase

Info = dict[str, Any]


class _Envs(Handle):
    """N environments of the library."""

    _free = lib.nxn_envs_free

    def __init__(self, game: Game, n: int, seed: int) -> None:
        super().__init__(made(lib.nxn_envs_new, game._handle, n, seed))
        self.game, self.n = game, n


def _seed(seed: Optional[int]) -> int:
    return secrets.randbits(63) if seed is None else whole("seed", seed)


def _actions(actions: Any, n: int) -> np.ndarray:
    """ACTIONS as N bytes of 0 to 3."""
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise Error(f"actions of shape {given.shape} and type {given.dtype}: expected {n} whole numbers")
    if given.dtype != np.uint8:
        if given.size and not 0 <= given.min() <= given.max() <= 3:
            raise Error("actions: expected 0 up, 1 right, 2 down or 3 left")
        given = given.astype(np.uint8)
    return np.ascontiguousarray(given)


class VectorEnv(VectorEnvBase):
    """Many games at once.

    BOARD is "4x4" or a Game. Observations are uint8 exponents (num_envs, rows, cols); rewards are
    points; info["action_mask"] is int8 (num_envs, 4), 1 where a move is legal, and info["score"]
    uint64 (num_envs,), points of the game so far. An action that is not legal changes nothing.

    Autoreset is in the next step, as Gymnasium 1.0 has it: when terminations[i] is true, the
    observation is the last one of that game; the next step() ignores action i, starts the next game
    and gives its first observation with reward 0. Nothing is ever truncated.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AUTORESET}
    spec = None
    closed = False

    def __init__(self, board: Union[str, Game] = "4x4", num_envs: int = 1, seed: Optional[int] = None,
                 *, spawn: Optional[str] = None, start_tiles: int = 0, start: Optional[str] = None,
                 render_mode: Optional[str] = None) -> None:
        if render_mode not in (None, "ansi"):
            raise Error(f"render_mode {render_mode!r}: expected None or 'ansi'")
        self.game = game_of(board, spawn, start_tiles, start)
        self.num_envs = whole("num_envs", num_envs, 1, 2**31 - 1)
        self.render_mode = render_mode
        self._envs = _Envs(self.game, self.num_envs, _seed(seed))
        shape = (self.game.rows, self.game.cols)
        top = self.game.max_exponent
        self.single_observation_space = Box(0, top, shape, np.uint8)
        self.observation_space = Box(0, top, (self.num_envs, *shape), np.uint8)
        self.single_action_space = Discrete(4)
        self.action_space = MultiDiscrete([4] * self.num_envs)
        self._started = False
        self._obs = np.zeros((self.num_envs, *shape), np.uint8)

    def _observe(self) -> tuple[Observation, tuple[np.ndarray, ...]]:
        """Where new arrays are, and these, which must be kept until they are written."""
        n = self.num_envs
        arrays = (np.empty(self._obs.shape, np.uint8), np.empty(n, np.float64), np.empty(n, np.bool_),
                  np.empty((n, 4), np.int8), np.empty(n, np.uint64))
        return Observation(*map(address, arrays)), arrays

    def _info(self, mask: np.ndarray, score: np.ndarray) -> Info:
        every = np.ones(self.num_envs, np.bool_)
        return {"action_mask": mask, "_action_mask": every, "score": score, "_score": every}

    def reset(self, *, seed: Union[int, Sequence[Optional[int]], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[np.ndarray, Info]:
        """Starts a new game in every environment.

        With a SEED its first games, the same each time; with a list of seeds each environment those
        of its own, None going on. Without, the games that follow those under way.
        """
        super().reset(seed=None if seed is None or np.ndim(seed) else whole("seed", seed))  # type: ignore
        del options
        if seed is not None:
            seeds = [seed] * self.num_envs if np.ndim(seed) == 0 else list(seed)  # type: ignore
            if len(seeds) != self.num_envs:
                raise Error(f"{len(seeds)} seeds: expected {self.num_envs}")
            known = [None if one is None else whole("seed", one) for one in seeds]
            for i, one in enumerate(known):
                if one is not None:
                    lib.nxn_envs_seed(self._envs._handle, i, one)
        out, arrays = self._observe()
        lib.nxn_envs_reset(self._envs._handle, ctypes.byref(out))
        obs, _, _, mask, score = arrays
        self._started, self._obs = True, obs
        return obs, self._info(mask, score)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Info]:
        """Makes a move in each environment: obs, rewards, terminations, truncations, info."""
        if not self._started:
            raise Error("step() before reset(): expected a call of reset() first")
        moves = _actions(actions, self.num_envs)
        out, arrays = self._observe()
        call(lib.nxn_envs_step, self._envs._handle, address(moves), ctypes.byref(out))
        obs, reward, over, mask, score = arrays
        self._obs = obs
        return obs, reward, over, np.zeros(self.num_envs, np.bool_), self._info(mask, score)

    def act(self, agent: Agent) -> np.ndarray:
        """The moves of AGENT in all environments; its draws are those of the games."""
        if not self._started:
            raise Error("act() before reset(): expected a call of reset() first")
        moves = np.empty(self.num_envs, np.uint8)
        call(lib.nxn_envs_act, self._envs._handle, agent._of(self.game)._handle, address(moves))
        return moves

    def render(self) -> Optional[tuple[str, ...]]:
        """With render_mode "ansi", a text for each position."""
        return tuple(map(picture, self._obs)) if self.render_mode == "ansi" else None

    def close(self, **kwargs: Any) -> None:
        """Nothing more can be asked of the environments."""
        self.closed, self._started = True, False

    @property
    def unwrapped(self) -> VectorEnv:
        return self

    def __repr__(self) -> str:
        return f"nxn.VectorEnv({self.game.shape!r}, num_envs={self.num_envs})"


class Env(EnvBase):
    """One game at a time: observations uint8 exponents (rows, cols), the rest as VectorEnv.

    When a game is over reset() must be called; step() before that is an error.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}
    spec = None

    def __init__(self, board: Union[str, Game] = "4x4", seed: Optional[int] = None, *,
                 spawn: Optional[str] = None, start_tiles: int = 0, start: Optional[str] = None,
                 render_mode: Optional[str] = None) -> None:
        self._vector = VectorEnv(board, 1, seed, spawn=spawn, start_tiles=start_tiles, start=start,
                                 render_mode=render_mode)
        self.game, self.render_mode = self._vector.game, render_mode
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self._over = False

    @staticmethod
    def _one(info: Info) -> Info:
        return {"action_mask": info["action_mask"][0], "score": int(info["score"][0])}

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[np.ndarray, Info]:
        """Starts a new game: the first of SEED, or the one that follows."""
        super().reset(seed=None if seed is None else whole("seed", seed))
        obs, info = self._vector.reset(seed=seed, options=options)
        self._over = False
        return obs[0], self._one(info)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Makes a move: obs, reward, terminated, truncated, info."""
        if self._over:
            raise Error("step() after the end of a game: expected a call of reset() first")
        move = whole("action", action, 0, 3)
        obs, reward, over, _, info = self._vector.step(np.array([move], np.uint8))
        self._over = bool(over[0])
        return obs[0], float(reward[0]), self._over, False, self._one(info)

    def act(self, agent: Agent) -> int:
        """The move of AGENT; its draws are those of the game."""
        return int(self._vector.act(agent)[0])

    def render(self) -> Optional[str]:
        """With render_mode "ansi", the position as text."""
        return picture(self._vector._obs[0]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing more can be asked of the environment."""
        self._vector.close()

    @property
    def unwrapped(self) -> Env:
        return self

    def __repr__(self) -> str:
        return f"nxn.Env({self.game.shape!r})"


def picture(cells: np.ndarray) -> str:
    """Rows of tiles, a dot for an empty cell."""
    tiles = [[str(1 << int(k)) if k else "." for k in row] for row in cells]
    width = max(len(tile) for row in tiles for tile in row)
    return "\n".join(" ".join(tile.rjust(width) for tile in row) for row in tiles)
