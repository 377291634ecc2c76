# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments with Gymnasium's interface: VectorEnv for many games at once, Env for one.

Environment i plays the games i, i + N, i + 2 N, ... of a seed: those that the command nxn and
nxn.Agent.play() play, whatever the number of environments.
"""

from __future__ import annotations

import copy
import ctypes
import secrets
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._library import Array, Error, Handle, Observation, address, call, lib, made, numbers, whole
from .agents import Agent
from .game import Game, game_of
from .spaces import AUTORESET, Box, Discrete, EnvBase, MultiDiscrete, VectorEnvBase

Info = dict[str, Any]


class _Envs(Handle):
    """N environments of the library."""

    _free = lib.nxn_envs_free

    def __init__(self, game: Game, n: int, seed: int) -> None:
        super().__init__(made(lib.nxn_envs_new, game._handle, n, seed), game)
        self.game, self.n = game, n
        self.shape = (n, game.rows, game.cols)

    def __reduce__(self) -> Any:
        state = ctypes.create_string_buffer(lib.nxn_envs_state_size(self._handle))
        lib.nxn_envs_save(self._handle, state)
        return _envs_again, (self.game, self.n, state.raw)


def _envs_again(game: Game, n: int, state: bytes) -> _Envs:
    """The environments of a saved state."""
    envs = _Envs(game, whole("environments of a saved state", n, 1, len(state)), 0)
    call(lib.nxn_envs_load, envs._handle, state, len(state))
    return envs


def _seed(seed: Optional[int]) -> int:
    return secrets.randbits(63) if seed is None else whole("seed", seed)


def _actions(actions: Any, n: int) -> Array:
    """ACTIONS as N bytes of 0 to 3."""
    given = numbers("actions", actions, "iu", f"{n} whole numbers")
    if given.shape != (n,):
        raise Error(f"actions of shape {given.shape}: expected {n} whole numbers")
    if given.dtype != np.uint8:
        if given.size and not 0 <= given.min() <= given.max() <= 3:
            raise Error("actions: expected 0 up, 1 right, 2 down or 3 left")
        given = given.astype(np.uint8)
    return np.ascontiguousarray(given)


def _mask(options: Optional[dict[str, Any]], n: int) -> Optional[Array]:
    """The environments that options["reset_mask"] tells to start again; None for all."""
    told = None if options is None else options.get("reset_mask")
    if told is None:
        return None
    expected = f"{n} booleans, not all of them False"
    mask = numbers("reset_mask", told, "b", expected)
    if mask.shape != (n,) or not mask.any():
        raise Error(f"reset_mask of shape {mask.shape} with {mask.sum()} True: expected {expected}")
    return np.ascontiguousarray(mask)


class VectorEnv(VectorEnvBase):
    """Many games at once.

    BOARD is "4x4" or a Game. Observations are uint8 exponents (num_envs, rows, cols); rewards are
    points; info["action_mask"] is int8 (num_envs, 4), 1 where a move is legal, and info["score"]
    int64 (num_envs,), points of the game so far. An action that is not legal changes nothing.

    Autoreset is in the next step, as Gymnasium 1.0 has it: when terminations[i] is true, the
    observation is the last one of that game; the next step() ignores action i, starts the next game
    and gives its first observation with reward 0. Nothing is ever truncated.

    A copy and a pickle go on where their original stands, games and random streams included.
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

    def __copy__(self) -> VectorEnv:
        return copy.deepcopy(self)

    def _started_envs(self, call_of: str) -> _Envs:
        """The environments. Error if they are closed, or not started before CALL_OF."""
        if self.closed:
            raise Error(f"{call_of} after close(): expected another environment")
        if not self._started and call_of != "reset()":
            raise Error(f"{call_of} before reset(): expected a call of reset() first")
        return self._envs

    def _observe(self) -> tuple[Observation, tuple[Array, ...]]:
        """Where new arrays are, and these, which must be kept until they are written."""
        n = self._envs.n
        arrays: tuple[Array, ...] = (
            np.empty(self._envs.shape, np.uint8), np.empty(n, np.float64), np.empty(n, np.bool_),
            np.empty((n, 4), np.int8), np.empty(n, np.int64))
        return Observation(*[address(array) for array in arrays]), arrays

    def _info(self, mask: Array, score: Array) -> Info:
        every = np.ones(self._envs.n, np.bool_)
        return {"action_mask": mask, "_action_mask": every, "score": score, "_score": every}

    def _seed_games(self, seed: Any, mask: Optional[Array]) -> None:
        """What reset() says of SEED, in the environments of MASK."""
        n = self._envs.n
        seeds = list(seed) if hasattr(seed, "__iter__") else None
        if seeds is not None and len(seeds) != n:
            raise Error(f"{len(seeds)} seeds: expected {n}")
        known = [None if one is None else whole("seed", one) for one in seeds or [seed]]
        for i in range(n):
            one = known[i if seeds else 0]
            if one is not None and (mask is None or mask[i]):
                first, step = (0, 1) if seeds else (i, n)
                call(lib.nxn_envs_games, self._envs._handle, i, one, first, step)

    def reset(self, *, seed: Union[int, Sequence[Optional[int]], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Array, Info]:
        """Starts a new game in every environment; with options["reset_mask"], booleans, in these.

        With a SEED its first games, the same each time: environment i plays the games i, i + N, ...
        With a list of seeds environment i plays the games 0, 1, ... of SEED[i], as an Env with that
        seed does, None going on. Without, the games that follow those under way.
        """
        envs = self._started_envs("reset()")
        mask = _mask(options, envs.n)
        super().reset(seed=whole("seed", seed) if seed is not None and not hasattr(seed, "__iter__") else None)
        if seed is not None:
            self._seed_games(seed, mask)
        out, arrays = self._observe()
        lib.nxn_envs_reset_some(envs._handle, address(mask), ctypes.byref(out))
        obs, _, _, legal, score = arrays
        self._started, self._obs = True, obs
        return obs, self._info(legal, score)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Info]:
        """Makes a move in each environment: obs, rewards, terminations, truncations, info."""
        envs = self._started_envs("step()")
        moves = _actions(actions, envs.n)
        out, arrays = self._observe()
        call(lib.nxn_envs_step, envs._handle, address(moves), ctypes.byref(out))
        obs, reward, over, mask, score = arrays
        self._obs = obs
        return obs, reward, over, np.zeros(envs.n, np.bool_), self._info(mask, score)

    def act(self, agent: Agent) -> Array:
        """The moves of AGENT in all environments; its draws are those of the games."""
        envs = self._started_envs("act()")
        moves = np.empty(envs.n, np.uint8)
        call(lib.nxn_envs_act, envs._handle, agent._of(envs.game)._handle, address(moves))
        return moves

    def render(self) -> Optional[tuple[str, ...]]:
        """With render_mode "ansi", a text for each position."""
        return tuple(map(picture, self._obs)) if self.render_mode == "ansi" else None

    def close(self, **kwargs: Any) -> None:
        """Nothing more can be asked of the environments."""
        self.closed, self._started = True, False
        self._envs._close()

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

    def __copy__(self) -> Env:
        return copy.deepcopy(self)

    @staticmethod
    def _one(info: Info) -> Info:
        return {"action_mask": info["action_mask"][0], "score": int(info["score"][0])}

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Array, Info]:
        """Starts a new game: the first of SEED, or the one that follows."""
        super().reset(seed=None if seed is None else whole("seed", seed))
        obs, info = self._vector.reset(seed=seed, options=options)
        self._over = False
        return obs[0], self._one(info)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Info]:
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


def picture(cells: Array) -> str:
    """Rows of tiles, a dot for an empty cell."""
    tiles = [[str(1 << int(k)) if k else "." for k in row] for row in cells]
    width = max(len(tile) for row in tiles for tile in row)
    return "\n".join(" ".join(tile.rjust(width) for tile in row) for row in tiles)
