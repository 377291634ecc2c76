# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact solutions: the best play of a small board, and what an agent scores, without sampling."""

from __future__ import annotations

import ctypes
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Optional, Union, overload

import numpy as np

from ._library import (Array, ExactResult, Handle, Solution, address, call, lib, made, refuse_copy,
                       text, whole)
from .game import Game, game_of


class _Table(Handle):
    """A table of the library."""

    _free = lib.nxn_table_close


class Optimum:
    """Best play of a board: its expected score, and what each move leads to."""

    def __init__(self, game: Game, path: Union[str, os.PathLike[str]]) -> None:
        """Opens the table of GAME at PATH, which exact() or `nxn solve` wrote."""
        self.game = game
        self._path: Optional[str] = os.path.abspath(os.fspath(path))
        self._table = _Table(made(lib.nxn_table_open, game._handle, text(os.fspath(path))), game)
        #: What is best, "score" or another goal of `nxn solve`.
        self.goal: str = lib.nxn_table_goal(self._table._handle).decode()
        #: Its expectation over games from their start, in points for "score".
        self.value: float = lib.nxn_table_value(self._table._handle)

    def __reduce__(self) -> Any:
        if self._path is None:
            refuse_copy("an Optimum whose table no file holds cannot be pickled: expected exact(..., path=FILE)")
        return Optimum, (self.game, self._path)

    def __copy__(self) -> Optimum:
        return self

    def __deepcopy__(self, memo: Any) -> Optimum:
        return self

    def moves(self, positions: Any) -> Array:
        """What each move leads to under best play, its own points included: (..., 4).

        NaN where it is not legal, and where no game reaches the position.
        """
        cells = self.game.cells(positions)
        worth = np.empty(cells.shape[:-2] + (4,), np.float64)
        call(lib.nxn_table_moves, self._table._handle, address(cells), worth.size // 4, address(worth))
        return worth

    def act(self, positions: Any) -> Any:
        """A best move in each of POSITIONS, the first of equals; 0 where none is legal."""
        worth = self.moves(positions)
        action = np.argmax(np.where(np.isnan(worth), -np.inf, worth), axis=-1).astype(np.uint8)
        return int(action) if action.ndim == 0 else action

    def __repr__(self) -> str:
        return f"<nxn.Optimum of {self.game.shape}, {self.goal} {self.value:.6f}>"


@dataclass(frozen=True)
class ExactPlay:
    """All games of an agent, exactly."""

    score: float  #: expected points
    sd: float  #: their standard deviation
    moves: float  #: expected moves of a game
    states: int  #: positions that it can reach
    max_tile: dict[int, float]  #: the probability of each largest tile at the end
    loss: Optional[float]  #: expected points lost against the optimum; None without one


_Path = Union[str, "os.PathLike[str]", None]


@overload
def exact(board: Union[str, Game] = "3x3", agent: None = None, *, path: _Path = None,
          optimum: Optional[Optimum] = None, threads: int = 1, memory: int = 0,
          spawn: Optional[str] = None, start_tiles: int = 0) -> Optimum: ...


@overload
def exact(board: Union[str, Game], agent: str, *, path: _Path = None,
          optimum: Optional[Optimum] = None, threads: int = 1, memory: int = 0,
          spawn: Optional[str] = None, start_tiles: int = 0) -> ExactPlay: ...


def exact(board: Union[str, Game] = "3x3", agent: Optional[str] = None, *,
          path: _Path = None, optimum: Optional[Optimum] = None,
          threads: int = 1, memory: int = 0, spawn: Optional[str] = None,
          start_tiles: int = 0) -> Union[Optimum, ExactPlay]:
    """The exact optimum of a small board; or with AGENT, a text, exactly what that agent scores.

    The table of an optimum is written to PATH, or into a temporary file that goes at once; a table
    that is at PATH already is not made again. An agent is held against OPTIMUM, of the same game.
    MEMORY in bytes, 0: what is usual.
    """
    if isinstance(board, str) and optimum is not None and not spawn and not start_tiles:
        board = optimum.game if optimum.game.shape == board else board
    game = game_of(board, spawn, start_tiles)
    workers, limit = whole("threads", threads, 1, 4096), whole("memory", memory)
    if agent is not None:
        return _exact_play(game, agent, optimum, workers, limit)
    if path is not None and os.path.exists(path):
        return Optimum(game, path)
    if path is not None:
        return _solve(game, path, workers, limit)
    with tempfile.TemporaryDirectory() as folder:
        # Mapped while it is open, so the file itself may go.
        solved = _solve(game, os.path.join(folder, "table"), workers, limit)
        solved._path = None
        return solved


def _solve(game: Game, path: Union[str, os.PathLike[str]], threads: int, memory: int) -> Optimum:
    solution = Solution()
    call(lib.nxn_solve, game._handle, text(os.fspath(path)), threads, memory, ctypes.byref(solution))
    return Optimum(game, path)


def _exact_play(game: Game, agent: str, optimum: Optional[Optimum], threads: int,
                memory: int) -> ExactPlay:
    result = ExactResult()
    table = optimum._table._handle if optimum else None
    call(lib.nxn_exact_play, game._handle, text(agent), table, threads, memory, ctypes.byref(result))
    tiles = {(1 << k if k else 0): p for k, p in enumerate(result.max_tile) if p > 0}
    return ExactPlay(result.score, result.sd, result.moves, result.states, tiles,
                     sum(result.loss) if optimum else None)
