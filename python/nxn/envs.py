# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments with Gymnasium's interface: VectorEnv for many games at once, Env for one.

Environment i plays the games i, i + N, i + 2 N, ... of a seed: those that the command nxn and
nxn.Agent.play() play, whatever the number of environments.
"""

from __future__ import annotations

import copy
import ctypes
import secrets
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import (Array, Error, Handle, Observation, Why, address, call, failure, lib, made, numbers,
                       whole)
from .agents import Agent
from .game import Game, game_of
from .pictures import as_image, as_text
from .spaces import AUTORESET, Box, Discrete, EnvBase, MultiDiscrete, VectorEnvBase

Info = dict[str, Any]
_PICTURES: dict[str, Any] = {"ansi": as_text, "rgb_array": as_image}


class _Envs(Handle):
    """N environments of the library."""

    _free = lib.nxn_envs_free

    def __init__(self, game: Game, n: int, seed: int, threads: int) -> None:
        super().__init__(made(lib.nxn_envs_new, game._handle, n, seed), game)
        self.game, self.n, self.threads = game, n, threads
        if threads > 1:
            call(lib.nxn_envs_threads, self._handle, threads)

    def __reduce__(self) -> Any:
        state = ctypes.create_string_buffer(lib.nxn_envs_state_size(self._handle))
        lib.nxn_envs_save(self._handle, state)
        return _envs_again, (self.game, self.n, state.raw, self.threads)


def _envs_again(game: Game, n: int, state: bytes, threads: int = 1) -> _Envs:
    """The environments of a saved state."""
    envs = _Envs(game, whole("environments of a saved state", n, 1, len(state)), 0, threads)
    call(lib.nxn_envs_load, envs._handle, state, len(state))
    return envs


class _Step:
    """A call of nxn_envs_step() whose arguments are ready: finding an address takes longer than a step.

    The order of ARRAYS, by name, is that of struct nxn_observation.
    """

    def __init__(self, envs: _Envs, arrays: dict[str, Array]) -> None:
        self.envs, self.arrays = envs, arrays
        self.actions = np.zeros(envs.n, np.uint8)
        self.truncations, self.every = np.zeros(envs.n, np.bool_), np.ones(envs.n, np.bool_)
        self.every.flags.writeable = False
        self.first_obs, self.first_mask = arrays["obs"][0], arrays["action_mask"][0]
        self.why = Why()
        self.out = ctypes.byref(Observation(*map(address, arrays.values())))
        self.moves = ctypes.c_void_p(address(self.actions))
        self.arguments = envs._handle, self.moves, self.out, ctypes.byref(self.why)

    def __reduce__(self) -> Any:
        return _Step, (self.envs, self.arrays)

    def info(self, copied: bool) -> Info:
        mask, score = self.arrays["action_mask"], self.arrays["score"]
        if copied:
            mask, score = mask.copy(), score.copy()
        return {"action_mask": mask, "_action_mask": self.every, "score": score, "_score": self.every}


_step = lib.nxn_envs_step
_uint8, _int64, _uint64 = map(np.dtype, (np.uint8, np.int64, np.uint64))


def _arrays(game: Game, n: int, given: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of N environments of GAME, those GIVEN among them. Error for one that does not fit."""
    kinds: dict[str, tuple[tuple[int, ...], Any]] = {
        "obs": ((n, game.rows, game.cols), np.uint8), "rewards": ((n,), np.float64),
        "terminations": ((n,), np.bool_), "action_mask": ((n, 4), np.int8), "score": ((n,), np.int64)}
    for name, array in given.items():
        if name not in kinds:
            raise Error(f"buffer {name!r}: expected some of {', '.join(kinds)}")
        shape, kind = kinds[name]
        if not (isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind
                and array.flags.c_contiguous and array.flags.writeable):
            raise Error(f"buffer {name!r}: expected a contiguous, writeable array of {np.dtype(kind)} "
                        f"and shape {shape}")
    return {name: given[name] if name in given else np.zeros(shape, kind)
            for name, (shape, kind) in kinds.items()}


def _seed(seed: Optional[int]) -> int:
    return secrets.randbits(63) if seed is None else whole("seed", seed)


def _actions(actions: Any, n: int) -> Array:
    """ACTIONS as N numbers of 0 to 3."""
    given = numbers("actions", actions, "iu", f"{n} whole numbers")
    if given.shape != (n,):
        raise Error(f"actions of shape {given.shape}: expected {n} whole numbers")
    if not 0 <= given.min() <= given.max() <= 3:
        raise Error("actions: expected 0 up, 1 right, 2 down or 3 left")
    return given


def _mask(options: Optional[dict[str, Any]], n: int) -> Optional[Array]:
    """The environments that options["reset_mask"] tells to start again; None for all."""
    other = [] if options is None else [key for key in options if key != "reset_mask"]
    if other:
        raise Error(f"reset() has no option {other[0]!r}; expected 'reset_mask'")
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

    Autoreset is in the next step, as Gymnasium 1.0 has it: when terminations[i] is true, the
    observation is the last one of that game; the next step() ignores action i, starts the next game
    and gives its first observation with reward 0. Nothing is ever truncated. A move that is not legal
    changes nothing and has reward 0.

    A copy and a pickle go on where their original stands, games and random streams included.

    Parameters
    ----------
    board : str or Game
        "4x4", rows by columns, or a Game.
    num_envs : int
        N, the number of games.
    seed : int, optional
        Environment i plays the games i, i + N, i + 2 N, ... of it. None: one that is drawn.
    spawn : str, optional
        Tiles and their probabilities, such as "2:0.9,4:0.1", the usual ones.
    start_tiles : int
        Tiles of a first position; 0: the usual 2.
    start : str, optional
        The first position, such as "0,2/4,0".
    render_mode : {"ansi", "rgb_array"}, optional
        What render() gives.
    copy : bool
        Whether reset() and step() give arrays of their own. False: the next call overwrites them.
    buffers : mapping of str to array, optional
        Arrays to write and give, in place of own ones, as with copy=False. Some of "obs", uint8
        (N, rows, cols); "rewards", float64 (N,); "terminations", bool (N,); "action_mask", int8
        (N, 4); "score", int64 (N,).
    num_threads : int
        Threads of a step. The games do not depend on it.
    """

    metadata: dict[str, Any] = {"render_modes": list(_PICTURES), "render_fps": 4,
                                "autoreset_mode": AUTORESET}
    spec = None
    closed = False

    def __init__(self, board: Union[str, Game] = "4x4", num_envs: int = 1, seed: Optional[int] = None,
                 *, spawn: Optional[str] = None, start_tiles: int = 0, start: Optional[str] = None,
                 render_mode: Optional[str] = None, copy: bool = True,
                 buffers: Optional[Mapping[str, Array]] = None, num_threads: int = 1) -> None:
        if render_mode is not None and render_mode not in _PICTURES:
            raise Error(f"render_mode {render_mode!r}: expected None, 'ansi' or 'rgb_array'")
        self.game = game_of(board, spawn, start_tiles, start)
        self.num_envs = whole("num_envs", num_envs, 1, 2**31 - 1)
        self.render_mode = render_mode
        arrays = _arrays(self.game, self.num_envs, {} if buffers is None else buffers)
        self._copied = copy and buffers is None
        threads = whole("num_threads", num_threads, 1, 1024)
        self._envs = _Envs(self.game, self.num_envs, _seed(seed), threads)
        self._step = _Step(self._envs, arrays)
        shape = (self.game.rows, self.game.cols)
        top = self.game.max_exponent
        self.single_observation_space = Box(0, top, shape, np.uint8)
        self.observation_space = Box(0, top, (self.num_envs, *shape), np.uint8)
        self.single_action_space = Discrete(4)
        self.action_space = MultiDiscrete([4] * self.num_envs)
        self._started = False

    def __copy__(self) -> VectorEnv:
        return copy.deepcopy(self)

    def _started_envs(self, call_of: str) -> _Envs:
        """The environments. Error if they are closed, or not started before CALL_OF."""
        if self.closed:
            raise Error(f"{call_of} after close(): expected another environment")
        if not self._started and call_of != "reset()":
            raise Error(f"{call_of} before reset(): expected a call of reset() first")
        return self._envs

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
        """Starts a new game in every environment, or in some.

        Parameters
        ----------
        seed : int or sequence of int, optional
            A number: its first games, the same each time, environment i playing the games i, i + N,
            .... A list: environment i plays the games 0, 1, ... of seed[i], as an Env with that seed
            does, None going on. None: the games that follow those under way.
        options : dict, optional
            With "reset_mask", bool (N,), only the environments where it is true start again.

        Returns
        -------
        obs : uint8 array (N, rows, cols)
            Exponents: k for the tile 2**k, 0 for an empty cell.
        info : dict
            "action_mask", int8 (N, 4), 1 for a legal move; "score", int64 (N,), points of the game
            so far; and which environments these are known of, all.
        """
        envs = self._started_envs("reset()")
        mask = _mask(options, envs.n)
        super().reset(seed=whole("seed", seed) if seed is not None and not hasattr(seed, "__iter__") else None)
        if seed is not None:
            self._seed_games(seed, mask)
        lib.nxn_envs_reset_some(envs._handle, address(mask), self._step.out)
        self._started = True
        obs = self._step.arrays["obs"]
        return obs.copy() if self._copied else obs, self._step.info(self._copied)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Info]:
        """Makes a move in each environment.

        Parameters
        ----------
        actions : array of integers (N,)
            0 up, 1 right, 2 down, 3 left; uint8 is the fastest.

        Returns
        -------
        obs : uint8 array (N, rows, cols)
            Exponents.
        rewards : float64 array (N,)
            Points of the moves.
        terminations : bool array (N,)
            Whether no legal move is left.
        truncations : bool array (N,)
            False.
        info : dict
            As from reset().
        """
        if not self._started:
            self._started_envs("step()")
        step = self._step
        kept = step.actions
        if not (type(actions) is np.ndarray and actions.shape == kept.shape
                and (actions.dtype == _uint8
                     or actions.dtype == _int64 and int(actions.view(_uint64).max()) < 4)):
            actions = _actions(actions, self.num_envs)
        kept[:] = actions
        status = _step(*step.arguments)
        if status:
            raise failure(status, step.why)
        obs, rewards, over, *_ = step.arrays.values()
        if self._copied:
            return obs.copy(), rewards.copy(), over.copy(), step.truncations.copy(), step.info(True)
        return obs, rewards, over, step.truncations, step.info(False)

    def act(self, agent: Agent) -> Array:
        """The moves of an agent.

        Parameters
        ----------
        agent : Agent
            One that plays on every board, or on this one. It draws from the streams of the games, so
            they are those of Agent.play() and of the command nxn.

        Returns
        -------
        uint8 array (N,)
            Directions; 0 where the game is over.
        """
        envs = self._started_envs("act()")
        moves = np.empty(envs.n, np.uint8)
        call(lib.nxn_envs_act, envs._handle, agent._of(envs.game)._handle, address(moves))
        return moves

    def render(self) -> Optional[tuple[Any, ...]]:
        """Pictures of the positions.

        Returns
        -------
        tuple of str or of uint8 array (height, width, 3), optional
            As render_mode says; None without one.
        """
        if self.render_mode is None:
            return None
        return tuple(map(_PICTURES[self.render_mode], self._step.arrays["obs"]))

    def close(self, **kwargs: Any) -> None:
        """Gives the memory back; nothing more can be asked of the environments."""
        self.closed, self._started = True, False
        self._envs._close()

    def __repr__(self) -> str:
        return f"nxn.VectorEnv({self.game.shape!r}, num_envs={self.num_envs})"


class Env(EnvBase):
    """One game at a time; when it is over, reset() must be called.

    Parameters
    ----------
    board : str or Game
        "4x4", rows by columns, or a Game.
    seed : int, optional
        Its games 0, 1, ... are played. None: one that is drawn.
    spawn : str, optional
        Tiles and their probabilities, such as "2:0.9,4:0.1", the usual ones.
    start_tiles : int
        Tiles of a first position; 0: the usual 2.
    start : str, optional
        The first position, such as "0,2/4,0".
    render_mode : {"ansi", "rgb_array"}, optional
        What render() gives.
    """

    metadata: dict[str, Any] = {"render_modes": list(_PICTURES), "render_fps": 4}
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

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Array, Info]:
        """Starts a new game.

        Parameters
        ----------
        seed : int, optional
            Its first game. None: the game that follows.
        options : dict, optional
            As of VectorEnv.reset().

        Returns
        -------
        obs : uint8 array (rows, cols)
            Exponents: k for the tile 2**k, 0 for an empty cell.
        info : dict
            "action_mask", int8 (4,), 1 for a legal move; "score", int, points of the game so far.
        """
        super().reset(seed=None if seed is None else whole("seed", seed))
        obs, info = self._vector.reset(seed=seed, options=options)
        self._over = False
        return obs[0], {"action_mask": info["action_mask"][0], "score": int(info["score"][0])}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Info]:
        """Makes a move.

        Parameters
        ----------
        action : int
            0 up, 1 right, 2 down, 3 left. One that is not legal changes nothing.

        Returns
        -------
        obs : uint8 array (rows, cols)
            Exponents.
        reward : float
            Points of the move.
        terminated : bool
            Whether no legal move is left.
        truncated : bool
            False.
        info : dict
            As from reset().
        """
        if self._over:
            raise Error("step() after the end of a game: expected a call of reset() first")
        if not self._vector._started:
            self._vector._started_envs("step()")
        step = self._vector._step
        quick = type(action) is int and 0 <= action < 4
        step.actions[0] = action if quick else whole("action", action, 0, 3)
        status = _step(*step.arguments)
        if status:
            raise failure(status, step.why)
        _, reward, over, _, score = step.arrays.values()
        self._over = over.item()
        return (step.first_obs.copy(), reward.item(), self._over, False,
                {"action_mask": step.first_mask.copy(), "score": score.item()})

    def act(self, agent: Agent) -> int:
        """The move of an agent.

        Parameters
        ----------
        agent : Agent
            One that plays on every board, or on this one. It draws from the stream of the game.

        Returns
        -------
        int
            A direction.
        """
        return int(self._vector.act(agent)[0])

    def render(self) -> Any:
        """A picture of the position.

        Returns
        -------
        str or uint8 array (height, width, 3), optional
            As render_mode says; None without one.
        """
        pictures = self._vector.render()
        return pictures and pictures[0]

    def close(self) -> None:
        """Gives the memory back; nothing more can be asked of the environment."""
        self._vector.close()

    def __repr__(self) -> str:
        return f"nxn.Env({self.game.shape!r})"
