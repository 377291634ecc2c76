# SPDX-License-Identifier: GPL-3.0-or-later
"""Games and boards: shapes, rules, positions, moves."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from ._library import (Array, Constant, Error, Handle, PerftCounts, address, call, lib, made, numbers,
                       text, whole)

UP, RIGHT, DOWN, LEFT = range(4)


class Moves(NamedTuple):
    """The moves of positions; leading axes are those of the positions.

    Attributes
    ----------
    after : uint8 array (..., 4, rows, cols)
        Exponents right after each move, before a tile appears; unchanged if the move is not legal.
    reward : int64 array (..., 4)
        Points.
    mask : int8 array (..., 4)
        1 if the move is legal.
    """

    after: Array
    reward: Array
    mask: Array


class Perft(NamedTuple):
    """What lies a number of plies from a position; a ply is a legal move and a spawn.

    Attributes
    ----------
    states, terminal : int
        Distinct positions, and those without a legal move.
    pairs : int
        Pairs of a position and a legal move in it.
    afterstates : int
        Distinct after-states of these moves.
    rewards : int
        Their points, summed over the pairs.
    leaves, leaf_score : int
        Sequences of plies, and their points, summed over the sequences.
    """

    states: int
    terminal: int
    pairs: int
    afterstates: int
    rewards: int
    leaves: int
    leaf_score: int


class Game(Constant, Handle):
    """A shape, a spawn rule and a start; nothing in it ever changes.

    Parameters
    ----------
    shape : str, optional
        "4x4", rows by columns, each from 2 to 6; None: that of start.
    spawn : str, optional
        Tiles and their probabilities, such as "2:0.9,4:0.1", the usual ones.
    start_tiles : int
        Tiles of a first position; 0: the usual 2.
    start : str, optional
        The first position, such as "0,2/4,0".
    """

    _free = lib.nxn_game_free

    def __init__(self, shape: Optional[str] = "4x4", spawn: Optional[str] = None,
                 start_tiles: int = 0, start: Optional[str] = None) -> None:
        tiles = whole("start_tiles", start_tiles, 0, 36)
        super().__init__(made(lib.nxn_game_new, text(shape), text(spawn), tiles, text(start)))
        self._told = (shape, spawn, tiles, start)
        self.rows: int = lib.nxn_game_rows(self._handle)
        self.cols: int = lib.nxn_game_cols(self._handle)
        self.max_exponent: int = lib.nxn_game_max_exponent(self._handle)
        self.shape: str = lib.nxn_game_shape(self._handle).decode()
        self.spawn: str = lib.nxn_game_spawn(self._handle).decode()

    def __repr__(self) -> str:
        return f"nxn.Game({self.shape!r}, spawn={self.spawn!r})"

    def __reduce__(self) -> Any:
        return Game, self._told

    def cells(self, positions: Any) -> Array:
        """Checks positions.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        uint8 array (..., rows, cols)
            The same, contiguous.

        Raises
        ------
        Error
            For another shape, or tiles that play cannot reach.
        """
        if isinstance(positions, Board):
            positions = positions.cells
        expected = f"exponents of 0 to {self.max_exponent}"
        given = numbers("positions", positions, "iub", expected)
        if given.ndim < 2 or given.shape[-2:] != (self.rows, self.cols):
            raise Error(f"positions of shape {given.shape}: expected (..., {self.rows}, {self.cols})")
        if given.dtype != np.uint8:
            if given.size and not 0 <= given.min() <= given.max() < 256:
                raise Error(f"positions of {given.dtype} with {given.min()} to {given.max()}: expected {expected}")
            given = given.astype(np.uint8)
        given = np.ascontiguousarray(given)
        call(lib.nxn_board_check, self._handle, address(given), given.size // (self.rows * self.cols))
        return given

    def read(self, position: str) -> Array:
        """Reads a position.

        Parameters
        ----------
        position : str
            Tiles, rows from the top: "0,2/4,0".

        Returns
        -------
        uint8 array (rows, cols)
            Exponents.
        """
        cells = np.empty((self.rows, self.cols), np.uint8)
        call(lib.nxn_board_read, self._handle, text(position), address(cells))
        return cells

    def format(self, position: Any) -> str:
        """Writes a position.

        Parameters
        ----------
        position : Board or array of integers (rows, cols)
            Exponents.

        Returns
        -------
        str
            What read() reads.
        """
        cells = self.cells(position)
        if cells.ndim != 2:
            raise Error(f"positions of shape {cells.shape}: expected one position")
        out = ctypes.create_string_buffer(505)
        call(lib.nxn_board_format, self._handle, address(cells), out)
        return out.value.decode()

    def moves(self, positions: Any) -> Moves:
        """All moves.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        Moves
            After-states, points and legal moves, with the leading axes of the positions.
        """
        cells = self.cells(positions)
        many = cells.shape[:-2]
        after = np.empty(many + (4, self.rows, self.cols), np.uint8)
        reward = np.empty(many + (4,), np.int64)
        legal = np.empty(many, np.uint8)
        lib.nxn_moves(self._handle, address(cells), legal.size, address(after), address(reward),
                      address(legal))
        mask = (legal[..., None] >> np.arange(4, dtype=np.uint8) & 1).astype(np.int8)
        return Moves(after, reward, mask)

    def canonical(self, positions: Any) -> Array:
        """The images of positions that stand for all their rotations and reflections.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.

        Returns
        -------
        uint8 array (..., rows, cols)
            Equal for positions that are images of each other.
        """
        cells = self.cells(positions)
        out = np.empty_like(cells)
        lib.nxn_board_canonical(self._handle, address(cells), cells.size // (self.rows * self.cols),
                                address(out))
        return out

    def playouts(self, positions: Any, seed: int = 1, index: int = 0) -> tuple[Array, Array]:
        """Plays a game of random moves from each position to its end.

        Parameters
        ----------
        positions : Board or array of integers (..., rows, cols)
            Exponents.
        seed, index : int
            What decides the random numbers.

        Returns
        -------
        points : int64 array (...)
            Points earned from there on.
        moves : int64 array (...)
            Moves made from there on.
        """
        cells = self.cells(positions)
        points = np.empty(cells.shape[:-2], np.int64)
        moves = np.empty_like(points)
        call(lib.nxn_playouts, self._handle, address(cells), points.size, whole("seed", seed),
             whole("index", index), address(points), address(moves))
        return points, moves


class Board(Constant):
    """A position that does not change.

    Parameters
    ----------
    position : str or array of integers (rows, cols)
        Tiles, such as "0,2/4,0", or exponents.
    game : Game, optional
        None: that of the shape, with the usual spawn rule.

    Attributes
    ----------
    cells : uint8 array (rows, cols)
        Exponents.
    """

    def __init__(self, position: Union[str, Any], game: Optional[Game] = None) -> None:
        if isinstance(position, str):
            rows = position.split("/")
            self.game = game or Game(f"{len(rows)}x{len(rows[0].split(','))}")
            cells = self.game.read(position)
        else:
            given = numbers("a position", position, "iub", "exponents (rows, cols)")
            if given.ndim != 2:
                raise Error(f"a position of shape {given.shape}: expected (rows, cols)")
            self.game = game or Game(f"{given.shape[0]}x{given.shape[1]}")
            cells = self.game.cells(given).copy()
        cells.flags.writeable = False
        self.cells: Array = cells

    @property
    def tiles(self) -> Array:
        """The tiles themselves, int64 (rows, cols), 0 where there is none."""
        return np.where(self.cells > 0, np.int64(1) << self.cells.astype(np.int64), 0)

    def moves(self) -> Moves:
        """All four moves.

        Returns
        -------
        Moves
            After-states (4, rows, cols), points and legal moves (4,).
        """
        return self.game.moves(self.cells)

    @property
    def legal(self) -> list[int]:
        """The directions that change the board."""
        mask = self.moves().mask
        return [d for d in range(4) if mask[d]]

    def move(self, direction: int) -> tuple[Board, int]:
        """Makes a legal move.

        Parameters
        ----------
        direction : int
            0 up, 1 right, 2 down, 3 left.

        Returns
        -------
        after : Board
            The position right after the move, before a tile appears.
        reward : int
            Points.
        """
        d = whole("direction", direction, 0, 3)
        moves = self.moves()
        if not moves.mask[d]:
            raise Error(f"direction {d} is not legal in {self}: expected one of {self.legal}")
        return Board(moves.after[d], self.game), int(moves.reward[d])

    def place(self, row: int, col: int, exponent: int) -> Board:
        """Puts a tile into an empty cell.

        Parameters
        ----------
        row, col : int
            The cell, counted from 0.
        exponent : int
            k for the tile 2**k.

        Returns
        -------
        Board
            The position with the tile.
        """
        r = whole("row", row, 0, self.game.rows - 1)
        c = whole("col", col, 0, self.game.cols - 1)
        if self.cells[r, c]:
            raise Error(f"row {r}, column {c} of {self} is not empty")
        cells = self.cells.copy()
        cells[r, c] = whole("exponent", exponent, 1, self.game.max_exponent)
        return Board(cells, self.game)

    def canonical(self) -> Board:
        """The one of all symmetric images that stands for them.

        Returns
        -------
        Board
            The same for each of the images.
        """
        return Board(self.game.canonical(self.cells), self.game)

    def perft(self, plies: int) -> Perft:
        """Counts what lies some plies from here.

        Parameters
        ----------
        plies : int
            Legal moves, each with a spawn.

        Returns
        -------
        Perft
            Positions and sequences.
        """
        counts = PerftCounts()
        call(lib.nxn_perft, self.game._handle, address(self.cells), whole("plies", plies, 0, 10**6),
             ctypes.byref(counts))
        return Perft(*(getattr(counts, name) for name in Perft._fields))

    def __reduce__(self) -> Any:
        return Board, (self.cells, self.game)

    def __str__(self) -> str:
        return self.game.format(self.cells)

    def __repr__(self) -> str:
        return f"nxn.Board({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))


def game_of(board: Union[str, Game, None], spawn: Optional[str] = None, start_tiles: int = 0,
            start: Optional[str] = None) -> Game:
    """BOARD if it is a game, to which nothing else may be told; else the game that is told."""
    if board is None or isinstance(board, str):
        return Game(board, spawn, start_tiles, start)
    if not isinstance(board, Game):
        raise Error(f"board {board!r}: expected text such as '4x4', or an nxn.Game")
    if spawn or start_tiles or start:
        raise Error("spawn and start belong to the game: expected them where it was made")
    return board
