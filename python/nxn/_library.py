# SPDX-License-Identifier: GPL-3.0-or-later
"""libnxn: found, its functions declared, its errors raised."""

from __future__ import annotations

import ctypes
import os
import subprocess
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Iterator, Optional

import numpy as np

ABI = "so.0"
NXN_SYSTEM, NXN_STOPPED = 2, 3


class Error(ValueError):
    """What was given is wrong: one line that says what, where, and what would be right."""


class Why(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class Observation(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("cells", "reward", "terminated", "mask", "score")]


class PerftCounts(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in (
        "states", "terminal", "pairs", "afterstates", "rewards", "leaves", "leaf_score")]


class Solution(ctypes.Structure):
    _fields_ = [("value", c_double), ("states", c_uint64), ("afterstates", c_uint64)]


class ExactResult(ctypes.Structure):
    _fields_ = [("score", c_double), ("sd", c_double), ("moves", c_double),
                ("max_tile", c_double * 64), ("states", c_uint64), ("visits", c_double * 64),
                ("optimal", c_double * 64), ("loss", c_double * 64)]


class RecordedGame(ctypes.Structure):
    _fields_ = [("game", c_void_p), ("player", c_char_p), ("has_seed", c_int),
                ("has_index", c_int), ("seed", c_uint64), ("index", c_uint64),
                ("start", c_void_p), ("moves", c_size_t), ("direction", c_void_p),
                ("cell", c_void_p), ("exponent", c_void_p), ("score", c_uint64),
                ("finished", c_int)]


class IntervalBounds(ctypes.Structure):
    _fields_ = [("value", c_double), ("low", c_double), ("high", c_double)]


def _places(name: str) -> Iterator[str]:
    """Where the library NAME may be, the nearest first."""
    file = f"{name}.{ABI}"
    told = os.environ.get("NXN_LIBRARY")
    if told:
        # One library is named; the other one lies beside it.
        yield told if name == "libnxn" else str(Path(told).parent / file)
        return
    for parent in Path(__file__).resolve().parents[1:6]:
        for folder in (parent, parent / "lib", parent / "build"):
            if (folder / file).is_file():
                yield str(folder / file)
    yield file
    package = "nxn" if name == "libnxn" else "nxn-stats"
    try:
        where = subprocess.run(["pkg-config", "--variable=libdir", package], capture_output=True,
                               text=True, check=True).stdout.strip()
        yield str(Path(where) / file)
    except (OSError, subprocess.CalledProcessError):
        pass


def _load(name: str) -> tuple[ctypes.CDLL, str]:
    problem = ""
    for place in _places(name):
        try:
            return ctypes.CDLL(place), place
        except OSError as error:
            problem = str(error)
    raise ImportError(f"{name}.{ABI} is not found ({problem}): install nxn, or set NXN_LIBRARY to "
                      "the file libnxn.so.0")


_status, _pointer = c_int, c_void_p
_why = POINTER(Why)
_functions: dict[str, tuple[Any, list[Any]]] = {
    "nxn_version": (c_char_p, []),
    "nxn_game_new": (_status, [c_char_p, c_char_p, c_int, c_char_p, POINTER(_pointer), _why]),
    "nxn_game_free": (None, [_pointer]),
    "nxn_game_rows": (c_int, [_pointer]),
    "nxn_game_cols": (c_int, [_pointer]),
    "nxn_game_max_exponent": (c_int, [_pointer]),
    "nxn_game_shape": (c_char_p, [_pointer]),
    "nxn_game_spawn": (c_char_p, [_pointer]),
    "nxn_board_read": (_status, [_pointer, c_char_p, _pointer, _why]),
    "nxn_board_format": (_status, [_pointer, _pointer, c_char_p, _why]),
    "nxn_board_check": (_status, [_pointer, _pointer, c_size_t, _why]),
    "nxn_board_canonical": (None, [_pointer, _pointer, c_size_t, _pointer]),
    "nxn_moves": (None, [_pointer, _pointer, c_size_t, _pointer, _pointer, _pointer]),
    "nxn_perft": (_status, [_pointer, _pointer, c_int, POINTER(PerftCounts), _why]),
    "nxn_playouts": (_status, [_pointer, _pointer, c_size_t, c_uint64, c_uint64, _pointer, _pointer,
                               _why]),
    "nxn_rng_new": (_status, [c_uint64, c_uint32, c_uint64, POINTER(_pointer), _why]),
    "nxn_rng_free": (None, [_pointer]),
    "nxn_start": (None, [_pointer, _pointer, _pointer]),
    "nxn_spawn": (c_int, [_pointer, _pointer, _pointer]),
    "nxn_envs_new": (_status, [_pointer, c_size_t, c_uint64, POINTER(_pointer), _why]),
    "nxn_envs_free": (None, [_pointer]),
    "nxn_envs_seed": (None, [_pointer, c_size_t, c_uint64]),
    "nxn_envs_reset": (None, [_pointer, POINTER(Observation)]),
    "nxn_envs_step": (_status, [_pointer, _pointer, POINTER(Observation), _why]),
    "nxn_envs_act": (_status, [_pointer, _pointer, _pointer, _why]),
    "nxn_agent_new": (_status, [_pointer, c_char_p, POINTER(_pointer), _why]),
    "nxn_agent_free": (None, [_pointer]),
    "nxn_agent_check": (_status, [c_char_p, _why]),
    "nxn_agent_act": (_status, [_pointer, _pointer, c_size_t, _pointer, c_uint64, c_uint64, _pointer,
                                _pointer, _pointer, _why]),
    "nxn_agent_policy": (_status, [_pointer, _pointer, c_size_t, c_uint64, c_uint64, _pointer, _why]),
    "nxn_agent_play": (_status, [_pointer, c_uint64, c_uint64, c_size_t, _pointer, _pointer, _pointer,
                                 _why]),
    "nxn_agent_train": (_status, [_pointer, c_uint64, c_uint64, _why]),
    "nxn_agent_save": (_status, [_pointer, c_char_p, _why]),
    "nxn_solve": (_status, [_pointer, c_char_p, c_int, c_uint64, POINTER(Solution), _why]),
    "nxn_table_open": (_status, [_pointer, c_char_p, POINTER(_pointer), _why]),
    "nxn_table_close": (None, [_pointer]),
    "nxn_table_goal": (c_char_p, [_pointer]),
    "nxn_table_value": (c_double, [_pointer]),
    "nxn_table_moves": (_status, [_pointer, _pointer, c_size_t, _pointer, _why]),
    "nxn_exact_play": (_status, [_pointer, c_char_p, _pointer, c_int, c_uint64, POINTER(ExactResult),
                                 _why]),
    "nxn_record_reader_open": (_status, [c_char_p, POINTER(_pointer), _why]),
    "nxn_record_reader_next": (_status, [_pointer, POINTER(POINTER(RecordedGame)), _why]),
    "nxn_record_reader_close": (None, [_pointer]),
}
_stats_functions: dict[str, tuple[Any, list[Any]]] = {
    "nxn_estimate": (_status, [c_int, _pointer, c_size_t, POINTER(IntervalBounds), _why]),
}


def _declare(library: ctypes.CDLL, functions: dict[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_found, library_path = _load("libnxn")
lib = _declare(_found, _functions)
_stats: Optional[ctypes.CDLL] = None


def stats() -> ctypes.CDLL:
    """libnxn-stats, loaded when it is first needed."""
    global _stats
    if _stats is None:
        _stats = _declare(_load("libnxn-stats")[0], _stats_functions)
    return _stats


def version() -> str:
    """The version of libnxn."""
    return lib.nxn_version().decode()


def call(function: Any, *arguments: Any) -> None:
    """Calls FUNCTION with a reason behind its ARGUMENTS; raises what it says."""
    why = Why()
    status = function(*arguments, why)
    if status:
        text = why.text.decode(errors="replace")
        if status == NXN_STOPPED:
            raise KeyboardInterrupt(text)
        raise OSError(text) if status == NXN_SYSTEM else Error(text)


def made(function: Any, *arguments: Any) -> c_void_p:
    """What a function that makes an object puts into its last argument but one."""
    handle = c_void_p()
    call(function, *arguments, ctypes.byref(handle))
    return handle


def address(array: Optional[np.ndarray]) -> Optional[int]:
    """Where the elements of ARRAY are; they must be contiguous."""
    return None if array is None else array.__array_interface__["data"][0]


def text(word: Optional[str]) -> Optional[bytes]:
    """A text for C. Error if it has a NUL in it, which would cut it off."""
    if word is None:
        return None
    encoded = os.fsencode(word)
    if b"\0" in encoded:
        raise Error(f"{word!r}: expected text without a NUL")
    return encoded


def whole(name: str, number: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """NUMBER as a whole number of LEAST .. MOST; Error if it is none."""
    try:
        value = int(number)
    except (TypeError, ValueError):
        value = least - 1
    if isinstance(number, bool) or value != number or not least <= value <= most:
        raise Error(f"{name} {number!r}: expected a whole number of {least} to {most}")
    return value


class Handle:
    """An object of the library, given back when nothing refers to it any more."""

    _free: Any = None

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and self._free is not None:
            self._handle = None
            self._free(handle)
