# SPDX-License-Identifier: GPL-3.0-or-later
"""libnxn: found, its functions declared, its errors raised."""

from __future__ import annotations

import ctypes
import itertools
import os
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, NoReturn, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _places

Array = NDArray[Any]
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


class LogPlayer(ctypes.Structure):
    _fields_ = [("config", c_uint64), ("board", c_char_p), ("label", c_char_p), ("agent", c_char_p),
                ("trained", c_uint64)]


class LogGame(ctypes.Structure):
    _fields_ = [*((name, c_uint64) for name in (
        "player", "log", "seed", "game", "score", "max_tile", "moves", "tile_sum")),
        ("seconds", c_double), ("uncertainty", c_double)]


class IntervalBounds(ctypes.Structure):
    _fields_ = [("value", c_double), ("low", c_double), ("high", c_double)]


def _load(name: str) -> tuple[ctypes.CDLL, str]:
    problem = ""
    for place in _places.files(name, __file__):
        try:
            return ctypes.CDLL(place), place
        except OSError as error:
            problem = str(error)
    raise ImportError(f"{name}.{_places.ABI} is not found ({problem}): install nxn, or set NXN_LIBRARY to "
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
    "nxn_envs_threads": (_status, [_pointer, c_int, _why]),
    "nxn_envs_games": (_status, [_pointer, c_size_t, c_uint64, c_uint64, c_uint64, _why]),
    "nxn_envs_reset_some": (None, [_pointer, _pointer, POINTER(Observation)]),
    "nxn_envs_state_size": (c_size_t, [_pointer]),
    "nxn_envs_save": (None, [_pointer, _pointer]),
    "nxn_envs_load": (_status, [_pointer, c_char_p, c_size_t, _why]),
    "nxn_envs_step": (_status, [_pointer, _pointer, POINTER(Observation), _why]),
    "nxn_envs_act": (_status, [_pointer, _pointer, _pointer, _why]),
    "nxn_agent_new": (_status, [_pointer, c_char_p, POINTER(_pointer), _why]),
    "nxn_agent_free": (None, [_pointer]),
    "nxn_agent_check": (_status, [c_char_p, _why]),
    "nxn_agent_untrained": (None, [_pointer, c_int]),
    "nxn_agent_act": (_status, [_pointer, _pointer, c_size_t, _pointer, c_uint64, c_uint64, _pointer,
                                _pointer, _pointer, _why]),
    "nxn_agent_policy": (_status, [_pointer, _pointer, c_size_t, c_uint64, c_uint64, _pointer, _why]),
    "nxn_agent_play": (_status, [_pointer, c_uint64, c_uint64, c_size_t, _pointer, _pointer, _pointer,
                                 _why]),
    "nxn_agent_train": (_status, [_pointer, c_uint64, c_uint64, _why]),
    "nxn_agent_save": (_status, [_pointer, c_char_p, _why]),
    "nxn_solve": (_status, [_pointer, c_char_p, c_int, c_uint64, POINTER(Solution), _why]),
    "nxn_table_open": (_status, [_pointer, c_char_p, POINTER(_pointer), _why]),
    "nxn_table_check": (_status, [_pointer, _why]),
    "nxn_table_close": (None, [_pointer]),
    "nxn_table_goal": (c_char_p, [_pointer]),
    "nxn_table_value": (c_double, [_pointer]),
    "nxn_table_moves": (_status, [_pointer, _pointer, c_size_t, _pointer, _why]),
    "nxn_exact_play": (_status, [_pointer, c_char_p, _pointer, c_int, c_uint64, POINTER(ExactResult),
                                 _why]),
    "nxn_record_reader_open": (_status, [c_char_p, POINTER(_pointer), _why]),
    "nxn_record_reader_next": (_status, [_pointer, POINTER(POINTER(RecordedGame)), _why]),
    "nxn_record_reader_close": (None, [_pointer]),
    "nxn_log_read": (_status, [POINTER(c_char_p), c_size_t, POINTER(_pointer), _why]),
    "nxn_log_close": (None, [_pointer]),
    "nxn_log_players": (_pointer, [_pointer, POINTER(c_size_t)]),
    "nxn_log_games": (_pointer, [_pointer, POINTER(c_size_t)]),
    "nxn_log_torn_count": (c_size_t, [_pointer]),
    "nxn_log_torn": (c_char_p, [_pointer, c_size_t]),
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
    """The version of libnxn, which is that of the package.

    Returns
    -------
    str
        Such as "0.1.0".
    """
    return str(lib.nxn_version().decode())


if version() != _places.VERSION:
    raise ImportError(f"{library_path} is of version {version()}, the package nxn of {_places.VERSION}: "
                      "expected the same version: install both again, or set NXN_LIBRARY to the file "
                      "libnxn.so.0 of this version")


def failure(status: int, why: Why) -> BaseException:
    """What to raise for a STATUS that is not 0."""
    text = why.text.decode(errors="replace")
    if status == NXN_STOPPED:
        return KeyboardInterrupt(text)
    return OSError(text) if status == NXN_SYSTEM else Error(text)


def call(function: Any, *arguments: Any) -> None:
    """Calls FUNCTION with a reason behind its ARGUMENTS; raises what it says."""
    why = Why()
    status = function(*arguments, why)
    if status:
        raise failure(status, why)


def made(function: Any, *arguments: Any) -> c_void_p:
    """What a function that makes an object puts into its last argument but one."""
    handle = c_void_p()
    call(function, *arguments, ctypes.byref(handle))
    return handle


def address(array: Optional[Array]) -> Optional[int]:
    """Where the elements of ARRAY are; they must be contiguous."""
    return None if array is None else int(array.__array_interface__["data"][0])


def numbers(what: str, given: Any, kinds: str, expected: str) -> Array:
    """GIVEN, which is called WHAT, as an array of numbers of the KINDS of numpy; Error if it is none."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError):
        raise Error(f"{what}: lists of different lengths, or no numbers: expected {expected}") from None
    if array.dtype.kind not in kinds:
        raise Error(f"{what} of {array.dtype}: expected {expected}")
    return array


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
    except (TypeError, ValueError, OverflowError):
        value = least - 1
    if isinstance(number, (bool, np.bool_)) or value != number or not least <= value <= most:
        raise Error(f"{name} {number!r}: expected a whole number of {least} to {most}")
    return value


def refuse_copy(what: str) -> NoReturn:
    """What copy and pickle raise for objects that cannot be copied."""
    raise TypeError(what)


_Self = TypeVar("_Self")


class Constant:
    """What never changes, so that a copy is the object itself."""

    def __copy__(self: _Self) -> _Self:
        return self

    def __deepcopy__(self: _Self, memo: Any) -> _Self:
        return self


def _release(free: Any, handle: c_void_p, process: int, needs: Any) -> None:
    """Gives HANDLE back, whose object NEEDS others until then; not in a process that was forked from its own."""
    del needs
    if os.getpid() == process:
        free(handle)


class Handle:
    """An object of the library, given back when nothing refers to it any more.

    NEEDS are objects that it uses, which are given back after it.
    """

    _free: Any = None
    _finalizer: Any = None

    def __init__(self, handle: c_void_p, *needs: Any) -> None:
        self._given = handle
        self._finalizer = weakref.finalize(self, _release, self._free, handle, os.getpid(), needs)

    @property
    def _handle(self) -> c_void_p:
        """What the library calls the object. Error once it is given back."""
        if self._finalizer is None or not self._finalizer.alive:
            raise Error(f"{type(self).__name__.lstrip('_')}: closed, or never made: expected another one")
        return self._given

    def _close(self) -> None:
        """Gives the object back now."""
        if self._finalizer is not None:
            self._finalizer()

    def __reduce__(self) -> Any:
        refuse_copy(f"{type(self).__name__.lstrip('_')}: cannot be copied or pickled: expected another "
                    "one, made anew")
