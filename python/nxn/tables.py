# SPDX-License-Identifier: GPL-3.0-or-later
"""What was played: logs of games as pandas tables, recorded games, intervals of scores."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Union

import numpy as np

from ._library import (Error, Handle, IntervalBounds, RecordedGame, address, call, lib, made, stats,
                       text)

if TYPE_CHECKING:
    import pandas

Path = Union[str, "os.PathLike[str]"]


#: Fields of older logs that stand behind those with a name, as `sum=78`, by the names of today.
_OLDER = {"sum": "tile_sum", "doubt": "uncertainty"}


def _tidy(lines: list[str]) -> str:
    """LINES of a log, without comments and a torn last line: one width, a name for every field."""
    rows = [line[:-1].split("\t") for line in lines if line[0] not in "#\n" and line[-1] == "\n"]
    names = rows[0] if rows else []
    rows = [row for row in rows[1:] if row != names]
    told = [dict(field.partition("=")[::2] for field in row[len(names):]) for row in rows]
    more = sorted({key for fields in told for key in fields})
    table = [names + [_OLDER.get(key, key) for key in more]]
    table += [row[:len(names)] + [fields.get(key, "NaN") for key in more]
              for row, fields in zip(rows, told)]
    return "".join("\t".join(row) + "\n" for row in table)


def read_games(*paths: Path) -> pandas.DataFrame:
    """The games of logs, one row per game; a path is a games.tsv or the folder that has one.

    Columns are those of the log; several logs get a column `log` in front, where each came from.
    """
    import csv
    import io

    import pandas

    if not paths:
        raise Error("no path: expected a games.tsv, or the folder of one")
    tables = []
    for path in paths:
        file = os.path.join(path, "games.tsv") if os.path.isdir(path) else os.fspath(path)
        with open(file, encoding="utf-8", newline="\n") as log:
            text_of = _tidy(list(log))
        table = pandas.read_csv(io.StringIO(text_of), sep="\t", quoting=csv.QUOTE_NONE)
        if len(paths) > 1:
            table.insert(0, "log", os.fspath(path))
        tables.append(table)
    return pandas.concat(tables, ignore_index=True)


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
    x = np.ascontiguousarray(scores, np.float64).ravel()
    bounds = IntervalBounds()
    call(stats().nxn_estimate, _STATISTICS.index(statistic), address(x), x.size, ctypes.byref(bounds))
    return Interval(bounds.value, bounds.low, bounds.high)


@dataclass(frozen=True)
class Record:
    """A recorded game; arrays of moves have an element per move."""

    shape: str
    spawn: str
    player: str
    seed: Optional[int]
    index: Optional[int]  #: the number of the game under its seed
    start: np.ndarray  #: (rows, cols) uint8 exponents
    direction: np.ndarray  #: uint8
    cell: np.ndarray  #: uint8, where a tile then appeared, in reading order from 0
    exponent: np.ndarray  #: uint8, of that tile
    score: int
    finished: bool


class _Reader(Handle):
    """A reader of the library."""

    _free = lib.nxn_record_reader_close


def _bytes(where: int, n: int) -> np.ndarray:
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
                     *(_bytes(part, game.moves) for part in (game.direction, game.cell, game.exponent)),
                     score=game.score, finished=bool(game.finished))
