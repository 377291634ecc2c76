# SPDX-License-Identifier: GPL-3.0-or-later
"""The players of nxn, by their text."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional, Union, overload

import numpy as np

from ._library import (Array, Error, Handle, address, call, lib, made, numbers, refuse_copy, text,
                       whole)
from .game import Board, Game, game_of


class _Agent(Handle):
    """An agent of the library, of one game."""

    _free = lib.nxn_agent_free

    def __init__(self, game: Game, words: str, untrained: bool) -> None:
        super().__init__(made(lib.nxn_agent_new, game._handle, text(words)), game)
        lib.nxn_agent_untrained(self._handle, untrained)


class Games(NamedTuple):
    """Whole games, N of them.

    Attributes
    ----------
    score : int64 array (N,)
        Points.
    moves : int64 array (N,)
        Moves.
    max_tile : int64 array (N,)
        The largest tile at the end.
    """

    score: Array
    moves: Array
    max_tile: Array


class Agent:
    """A player of nxn.

    Parameters
    ----------
    words : str
        Such as "expectimax:depth=2"; `nxn info agents` lists all with their parameters.
    board : str or Game, optional
        Where it plays; None: on every board.
    seed : int
        What it draws at random depends on it and on how many positions it was asked before, as in
        `nxn eval`, which has seed 1.
    untrained : bool
        Whether a learner plays before it has learned anything.
    """

    def __init__(self, words: str, board: Union[str, Game, None] = None, seed: int = 1, *,
                 untrained: bool = False) -> None:
        call(lib.nxn_agent_check, text(words))
        self.words = words
        self.seed = whole("seed", seed)
        self.untrained = untrained
        self.asked = 0
        self._games: dict[Any, Game] = {}
        self._made: dict[Any, _Agent] = {}
        self._learned = False
        self.game: Optional[Game] = None if board is None else game_of(board)
        if self.game is not None:
            self._of(self.game)

    def __reduce__(self) -> Any:
        if self._learned:
            refuse_copy(f"{self.words} has learned what no file holds: expected save(FILE), and a copy of "
                        f"nxn.Agent('{self.words.partition(':')[0]}:FILE')")
        return _agent_again, (self.words, self.game, self.seed, self.untrained, self.asked)

    def _of(self, game: Game) -> _Agent:
        """The agent of GAME: one for all games of a shape and spawn rule.

        One that talks with another program is made anew in a process that was forked.
        """
        rules = (game.shape, game.spawn, os.getpid() if "external" in self.words else 0)
        if rules not in self._made:
            made = self.game
            if made is not None and (made.shape, made.spawn) != (game.shape, game.spawn):
                raise Error(f"{self.words} was made for {made.shape} with spawns {made.spawn}, not for "
                            f"{game.shape} with spawns {game.spawn}")
            self._made[rules] = _Agent(game, self.words, self.untrained)
        return self._made[rules]

    def _at(self, positions: Any) -> tuple[_Agent, Array]:
        """The agent for POSITIONS, and these checked."""
        game = positions.game if isinstance(positions, Board) else self.game
        if self.game is not None and (game is None or game.shape == self.game.shape):
            game = self.game
        if game is None:
            positions = numbers("positions", positions, "iub", "exponents (..., rows, cols)")
            shape = positions.shape[-2:]
            if len(shape) < 2:
                raise Error(f"positions of shape {shape}: expected (..., rows, cols)")
            if shape not in self._games:
                self._games[shape] = Game(f"{shape[0]}x{shape[1]}")
            game = self._games[shape]
        cells = game.cells(positions)
        return self._of(game), cells

    def _ask(self, positions: Any) -> tuple[Array, Array, Array]:
        agent, cells = self._at(positions)
        many = cells.shape[:-2]
        action, value = np.empty(many, np.uint8), np.empty(many + (4,), np.float64)
        nodes = np.empty(many, np.int64)
        call(lib.nxn_agent_act, agent._handle, address(cells), action.size, None, self.seed,
             self.asked, address(action), address(value), address(nodes))
        self.asked += action.size
        return action, value, nodes

    @overload
    def act(self, positions: Board) -> int: ...

    @overload
    def act(self, positions: Any) -> Any: ...

    def act(self, positions: Any) -> Any:
        """Its moves.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        int or uint8 array (...)
            Directions, an int for one position; 0 where none is legal.
        """
        action = self._ask(positions)[0]
        return int(action) if action.ndim == 0 else action

    def values(self, positions: Any) -> Array:
        """What it thinks of each move.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        float64 array (..., 4)
            Values in its own unit; NaN where it tells nothing.
        """
        return self._ask(positions)[1]

    def decide(self, positions: Any) -> tuple[Array, Array, Array]:
        """Its moves, with what led to them.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        action : uint8 array (...)
            Directions; 0 where none is legal.
        value : float64 array (..., 4)
            Values of the moves in its own unit; NaN where it tells nothing.
        nodes : int64 array (...)
            Positions searched.
        """
        return self._ask(positions)

    def policy(self, positions: Any) -> Array:
        """The probabilities of its moves.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        float64 array (..., 4)
            Probabilities; 0 for moves that are not legal.
        """
        agent, cells = self._at(positions)
        chance = np.empty(cells.shape[:-2] + (4,), np.float64)
        call(lib.nxn_agent_policy, agent._handle, address(cells), chance.size // 4, self.seed,
             self.asked, address(chance))
        self.asked += chance.size // 4
        return chance

    def _bound(self) -> _Agent:
        if self.game is None:
            raise Error(f"{self.words}: expected a board, as in nxn.Agent({self.words!r}, '4x4')")
        return self._of(self.game)

    def play(self, games: int, seed: int = 1, first: int = 0) -> Games:
        """Plays whole games, those of the command nxn.

        Parameters
        ----------
        games : int
            N, how many.
        seed : int
            Their seed.
        first : int
            The number of the first game under the seed.

        Returns
        -------
        Games
            Points, moves and largest tiles, (N,) each.
        """
        agent = self._bound()
        n = whole("games", games, 0, 2**40)
        score, moves, top = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.uint8)
        call(lib.nxn_agent_play, agent._handle, whole("seed", seed), whole("first", first), n,
             address(score), address(moves), address(top))
        return Games(score, moves, np.where(top > 0, np.int64(1) << top.astype(np.int64), 0))

    def train(self, games: int, seed: int = 1) -> None:
        """Plays training games and learns.

        Parameters
        ----------
        games : int
            How many games have ended at the end, those of earlier calls among them.
        seed : int
            Their seed.
        """
        agent = self._bound()
        self._learned = True
        call(lib.nxn_agent_train, agent._handle, whole("seed", seed), whole("games", games))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes what it has learned to a model file.

        Parameters
        ----------
        path : str or path
            The file, which an agent such as "ntuple:PATH" reads.
        """
        call(lib.nxn_agent_save, self._bound()._handle, text(os.fspath(path)))

    def __repr__(self) -> str:
        return f"nxn.Agent({self.words!r})"


def _agent_again(words: str, game: Optional[Game], seed: int, untrained: bool, asked: int) -> Agent:
    """The agent that a pickle holds."""
    agent = Agent(words, game, seed, untrained=untrained)
    agent.asked = whole("asked", asked)
    return agent
