# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact solutions: the best play of a small board, and what an agent scores, without sampling."""

from __future__ import annotations

import ctypes
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Optional, Union, overload

import numpy as np

from ._library import (Array, Constant, ExactResult, Handle, Solution, address, call, lib, made,
                       refuse_copy, text, whole)
from .game import Board, Game, game_of


class _Table(Handle):
    """A table of the library."""

    _free = lib.nxn_table_close


class Optimum(Constant):
    """Best play of a board: its expected score, and what each move leads to.

    Parameters
    ----------
    game : Game
        What was solved.
    path : str or path
        The table, which exact() or `nxn solve` wrote.

    Attributes
    ----------
    goal : str
        What is best, "score" or another goal of `nxn solve`.
    value : float
        Its expectation over games from their start, in points for "score".
    """

    def __init__(self, game: Game, path: Union[str, os.PathLike[str]]) -> None:
        self.game = game
        self._path: Optional[str] = os.path.abspath(os.fspath(path))
        self._table = _Table(made(lib.nxn_table_open, game._handle, text(os.fspath(path))), game)
        self.goal: str = lib.nxn_table_goal(self._table._handle).decode()
        self.value: float = lib.nxn_table_value(self._table._handle)

    def __reduce__(self) -> Any:
        if self._path is None:
            refuse_copy("an Optimum whose table no file holds cannot be pickled: expected exact(..., path=FILE)")
        return Optimum, (self.game, self._path)

    def moves(self, positions: Any) -> Array:
        """What each move leads to under best play.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        float64 array (..., 4)
            Points to expect, those of the move included, or what the goal says; NaN where the move is
            not legal, and where no game reaches the position.
        """
        cells = self.game.cells(positions)
        worth = np.empty(cells.shape[:-2] + (4,), np.float64)
        call(lib.nxn_table_moves, self._table._handle, address(cells), worth.size // 4, address(worth))
        return worth

    @overload
    def act(self, positions: Board) -> int: ...

    @overload
    def act(self, positions: Any) -> Any: ...

    def act(self, positions: Any) -> Any:
        """A best move in each position, the first of equals.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        int or uint8 array (...)
            Directions, an int for one position; 0 where none is legal.
        """
        worth = self.moves(positions)
        action = np.argmax(np.where(np.isnan(worth), -np.inf, worth), axis=-1).astype(np.uint8)
        return int(action) if action.ndim == 0 else action

    def __repr__(self) -> str:
        return f"<nxn.Optimum of {self.game.shape}, {self.goal} {self.value:.6f}>"


@dataclass(frozen=True)
class ExactPlay:
    """All games of an agent, exactly.

    Attributes
    ----------
    score, sd : float
        Expected points and their standard deviation.
    moves : float
        Expected moves of a game.
    states : int
        Positions that the agent can reach.
    max_tile : dict of int to float
        The probability of each largest tile at the end.
    loss : float, optional
        Expected points lost to the optimum; None without one.
    """

    score: float
    sd: float
    moves: float
    states: int
    max_tile: dict[int, float]
    loss: Optional[float]


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
    """The exact optimum of a small board, or exactly what an agent scores there.

    Parameters
    ----------
    board : str or Game
        Such as "3x3".
    agent : str, optional
        A player such as "greedy"; None: the optimum.
    path : str or path, optional
        The file for the table of the optimum, which is used if it exists and is of the same game. None:
        a temporary file that is removed at once.
    optimum : Optimum, optional
        That of the same game, with which the agent is compared; else that of `path`, if given.
    threads : int
        Threads.
    memory : int
        The most memory, in bytes; 0: 1 GiB to solve, no limit for an agent.
    spawn : str, optional
        Tiles and their probabilities, such as "2:0.9,4:0.1", the usual ones.
    start_tiles : int
        Tiles of a first position; 0: the usual 2.

    Returns
    -------
    Optimum or ExactPlay
        ExactPlay with an agent.
    """
    if isinstance(board, str) and optimum is not None and not spawn and not start_tiles:
        board = optimum.game if optimum.game.shape == board else board
    game = game_of(board, spawn, start_tiles)
    workers, limit = whole("threads", threads, 1, 4096), whole("memory", memory)
    if agent is not None and (path is None or optimum is not None):
        return _exact_play(game, agent, optimum, workers, limit)
    if path is not None:
        found = Optimum(game, path) if os.path.exists(path) else _solve(game, path, workers, limit)
        call(lib.nxn_table_check, found._table._handle)
        return found if agent is None else _exact_play(game, agent, found, workers, limit)
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
