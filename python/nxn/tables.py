# SPDX-License-Identifier: GPL-3.0-or-later
"""What was played: logs of games as pandas tables, recorded games, intervals of scores."""

from __future__ import annotations

import ctypes
import os
import importlib
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Union

import numpy as np

from ._library import (Array, Error, Handle, IntervalBounds, LogGame, LogPlayer, RecordedGame, address,
                       call, lib, made, numbers, stats, text)

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore

Path = Union[str, "os.PathLike[str]"]


class _Log(Handle):
    """Game logs that the library has read."""

    _free = lib.nxn_log_close

    def rows(self, function: Any, kind: Any) -> Any:
        """What FUNCTION gives: structs of the type KIND, valid as long as the log."""
        count = ctypes.c_size_t()
        where = function(self._handle, ctypes.byref(count))
        return ctypes.cast(where, ctypes.POINTER(kind * count.value)).contents if count.value else []


def read_games(*paths: Path) -> DataFrame:
    """The games of logs, by the rules of `nxn report`.

    Parameters
    ----------
    *paths : str or path
        Each a games.tsv or the folder that has one. A game that is in two of them counts once.

    Returns
    -------
    pandas.DataFrame
        A row per finished game; score in points, seconds of the player. With several paths, the first
        column `log` says which. Of a run that was stopped the short games have finished first: a mean
        may only be taken over games 0 to k - 1 of a player and board, k being its first missing one, as
        `nxn report` does.

    Raises
    ------
    Error
        For a file that is no log, or contradicts itself or another.

    Warns
    -----
    UserWarning
        For a torn last line, which is left out.
    """
    pandas = importlib.import_module("pandas")
    if not paths:
        raise Error("no path: expected a games.tsv, or the folder of one")
    words = [text(os.fspath(path)) for path in paths]
    log = _Log(made(lib.nxn_log_read, (ctypes.c_char_p * len(words))(*words), len(words)))
    for i in range(lib.nxn_log_torn_count(log._handle)):
        torn = os.fsdecode(lib.nxn_log_torn(log._handle, i))
        warnings.warn(f"{torn}: the torn last line was left out", stacklevel=2)
    players = log.rows(lib.nxn_log_players, LogPlayer)
    games = np.ctypeslib.as_array(log.rows(lib.nxn_log_games, LogGame))
    who = games["player"].astype(np.intp)
    columns: dict[str, Any] = {}
    if len(paths) > 1:
        columns["log"] = np.array([os.fsdecode(path) for path in paths], object)[games["log"].astype(np.intp)]
    columns["config"] = np.array([f"{one.config:016x}" for one in players], object)[who]
    for name in ("board", "label", "agent"):
        columns[name] = np.array([getattr(one, name).decode(errors="replace") for one in players], object)[who]
    columns["trained"] = np.array([one.trained for one in players], np.uint64)[who]
    for name in ("seed", "game", "score", "max_tile", "moves", "seconds", "tile_sum", "uncertainty"):
        columns[name] = games[name].copy()
    columns["tile_sum"] = np.where(games["tile_sum"] > 0, games["tile_sum"].astype(float), np.nan)
    for name in ("trained", "game", "score", "max_tile", "moves"):
        if len(who) and columns[name].max() < 2**63:
            columns[name] = columns[name].astype(np.int64)
    table: DataFrame = pandas.DataFrame(columns)
    return table


class Interval(NamedTuple):
    """An estimate with its 95% interval.

    Attributes
    ----------
    value, low, high : float
        In the unit of the numbers; NaN for bounds that cannot be told.
    """

    value: float
    low: float
    high: float


_STATISTICS = ("mean", "median", "sd", "iqm")


def interval(scores: Any, statistic: str = "mean") -> Interval:
    """An estimate of many games.

    Parameters
    ----------
    scores : array of numbers (N,)
        One of each game.
    statistic : {"mean", "median", "sd", "iqm"}
        "iqm" is the mean of the middle half.

    Returns
    -------
    Interval
        The statistic with its 95% interval.
    """
    if statistic not in _STATISTICS:
        raise Error(f"statistic {statistic!r}: expected one of {', '.join(_STATISTICS)}")
    given = numbers("scores", scores, "iuf", "a list of numbers")
    if given.ndim != 1:
        raise Error(f"scores of shape {given.shape}: expected a list of numbers, without lists in it")
    x = np.ascontiguousarray(given, np.float64)
    bounds = IntervalBounds()
    call(stats().nxn_estimate, _STATISTICS.index(statistic), address(x), x.size, ctypes.byref(bounds))
    return Interval(bounds.value, bounds.low, bounds.high)


@dataclass(frozen=True, eq=False)
class Record:
    """A recorded game of n moves.

    Attributes
    ----------
    shape, spawn, player : str
        Such as "4x4", "2:0.9,4:0.1" and "greedy".
    seed, index : int, optional
        The seed and the number of the game under it.
    start : uint8 array (rows, cols)
        Exponents.
    direction : uint8 array (n,)
        0 up, 1 right, 2 down, 3 left.
    cell, exponent : uint8 array (n,)
        Where a tile then appeared, in reading order from 0, and its exponent.
    score : int
        Points.
    finished : bool
        Whether no legal move was left.
    """

    shape: str
    spawn: str
    player: str
    seed: Optional[int]
    index: Optional[int]
    start: Array
    direction: Array
    cell: Array
    exponent: Array
    score: int
    finished: bool


class _Reader(Handle):
    """A reader of the library."""

    _free = lib.nxn_record_reader_close


def _bytes(where: int, n: int) -> Array:
    return np.frombuffer(ctypes.string_at(where, n), np.uint8) if n else np.empty(0, np.uint8)


def read_records(path: Path) -> Iterator[Record]:
    """The games of a record file (`nxn play --record`), each checked move by move.

    Parameters
    ----------
    path : str or path
        The file.

    Yields
    ------
    Record
        One game after the other.
    """
    reader = _Reader(made(lib.nxn_record_reader_open, text(os.fspath(path))))
    while True:
        found = ctypes.POINTER(RecordedGame)()
        call(lib.nxn_record_reader_next, reader._handle, ctypes.byref(found))
        if not found:
            return
        game = found.contents
        rows, cols = lib.nxn_game_rows(game.game), lib.nxn_game_cols(game.game)
        yield Record(lib.nxn_game_shape(game.game).decode(), lib.nxn_game_spawn(game.game).decode(),
                     os.fsdecode(game.player), game.seed if game.has_seed else None,
                     game.index if game.has_index else None,
                     _bytes(game.start, rows * cols).reshape(rows, cols),
                     _bytes(game.direction, game.moves), _bytes(game.cell, game.moves),
                     _bytes(game.exponent, game.moves), score=game.score, finished=bool(game.finished))
