# SPDX-License-Identifier: GPL-3.0-or-later
"""What was played: logs of games as pandas tables, recorded games, intervals of scores."""

from __future__ import annotations

import ctypes
import os
import importlib
import warnings
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, Optional, Union

import numpy as np

from ._library import (Array, Error, Handle, IntervalBounds, LogGame, LogPlayer, RecordedGame, address,
                       call, lib, made, numbers, stats, text)

Path = Union[str, "os.PathLike[str]"]


class _Log(Handle):
    """Game logs that the library has read."""

    _free = lib.nxn_log_close

    def rows(self, function: Any, kind: Any) -> Any:
        """What FUNCTION gives: structs of the type KIND, valid as long as the log."""
        count = ctypes.c_size_t()
        where = function(self._handle, ctypes.byref(count))
        return ctypes.cast(where, ctypes.POINTER(kind * count.value)).contents if count.value else []


def read_games(*paths: Path) -> Any:
    """The games of logs, a pandas.DataFrame with one row per game, by the rules of `nxn report`.

    A path is a games.tsv or the folder that has one. Several logs are combined: a game that is in two
    of them counts once, and a column `log` in front says where it came from. Error for a file that is
    no log, or contradicts itself or another; a torn last line is left out with a warning.
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
    return pandas.DataFrame(columns)


class Interval(NamedTuple):
    """An estimate with its 95% interval; NaN for bounds that cannot be told."""

    value: float
    low: float
    high: float


_STATISTICS = ("mean", "median", "sd", "iqm")


def interval(scores: Any, statistic: str = "mean") -> Interval:
    """The mean, median, sd or iqm (mean of the middle half) of SCORES with its 95% interval."""
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
    """A recorded game; arrays of moves have an element per move."""

    shape: str
    spawn: str
    player: str
    seed: Optional[int]
    index: Optional[int]  #: the number of the game under its seed
    start: Array  #: (rows, cols) uint8 exponents
    direction: Array  #: uint8
    cell: Array  #: uint8, where a tile then appeared, in reading order from 0
    exponent: Array  #: uint8, of that tile
    score: int
    finished: bool


class _Reader(Handle):
    """A reader of the library."""

    _free = lib.nxn_record_reader_close


def _bytes(where: int, n: int) -> Array:
    return np.frombuffer(ctypes.string_at(where, n), np.uint8) if n else np.empty(0, np.uint8)


def read_records(path: Path) -> Iterator[Record]:
    """The games of a record file (`nxn play --record`), each checked move by move."""
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
