# SPDX-License-Identifier: GPL-3.0-or-later
"""The spaces and base classes of Gymnasium where it is installed; else small ones like them.

Gymnasium then has the boards by name, as nxn/2048-4x4-v0.
"""

from __future__ import annotations

import importlib
import itertools
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from ._library import Array

AUTORESET: Any = "NextStep"


class EnvBase:
    """What Gymnasium's classes give to theirs: a generator for wrappers, seeded by reset()."""

    _np_random: Optional[np.random.Generator] = None

    @property
    def np_random(self) -> np.random.Generator:
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @property
    def unwrapped(self) -> Any:
        """The environment itself."""
        return self

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> Any:
        if seed is not None:
            self._np_random = np.random.default_rng(seed)


class VectorEnvBase(EnvBase):
    """The same for many games at once."""


def _choice(random: np.random.Generator, mask: Array) -> np.int64:
    """One of the choices that MASK allows, 0 if it allows none."""
    choices = np.flatnonzero(mask)
    return np.int64(random.choice(choices) if len(choices) else 0)


class Space:
    """What the spaces below share: a shape, a type, a generator of samples."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self._random: Optional[np.random.Generator] = None

    @property
    def np_random(self) -> np.random.Generator:
        if self._random is None:
            self._random = np.random.default_rng()
        return self._random

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = np.random.default_rng(seed)

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Box(Space):
    """Arrays with elements of LOW to HIGH."""

    def __init__(self, low: Any, high: Any, shape: tuple[int, ...], dtype: Any) -> None:
        super().__init__(shape, dtype)
        self.low = np.full(shape, low, dtype)
        self.high = np.full(shape, high, dtype)

    def sample(self) -> Array:
        return self.np_random.integers(self.low, self.high, endpoint=True, dtype=self.dtype)

    def contains(self, x: Any) -> bool:
        return (isinstance(x, np.ndarray) and x.shape == self.shape
                and np.can_cast(x.dtype, self.dtype)
                and bool(np.all(x >= self.low) and np.all(x <= self.high)))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and bool(np.all(self.low == other.low) and np.all(self.high == other.high)))

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Discrete(Space):
    """0 to N - 1."""

    def __init__(self, n: int) -> None:
        super().__init__((), np.int64)
        self.n = np.int64(n)

    def sample(self, mask: Optional[Array] = None) -> np.int64:
        return _choice(self.np_random, np.ones(self.n) if mask is None else mask)

    def contains(self, x: Any) -> bool:
        whole = isinstance(x, (int, np.integer)) or (
            isinstance(x, np.ndarray) and x.shape == () and x.dtype.kind in "iu")
        return whole and bool(0 <= int(x) < self.n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discrete) and self.n == other.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class MultiDiscrete(Space):
    """Arrays of whole numbers, each of 0 to its NVEC - 1."""

    def __init__(self, nvec: Sequence[int]) -> None:
        self.nvec = np.asarray(nvec, np.int64)
        super().__init__(self.nvec.shape, np.int64)

    def sample(self, mask: Optional[Sequence[Array]] = None) -> Array:
        if mask is None:
            return self.np_random.integers(self.nvec)
        return np.array([_choice(self.np_random, one) for one in mask])

    def contains(self, x: Any) -> bool:
        return (isinstance(x, np.ndarray) and x.shape == self.shape and x.dtype.kind in "iu"
                and bool(np.all(x >= 0) and np.all(x < self.nvec)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

    def __repr__(self) -> str:
        return f"MultiDiscrete({self.nvec})"


if not TYPE_CHECKING:
    try:
        gymnasium = importlib.import_module("gymnasium")
    except ImportError:
        pass
    else:
        Box, Discrete, MultiDiscrete = (getattr(gymnasium.spaces, name)
                                        for name in ("Box", "Discrete", "MultiDiscrete"))
        EnvBase, VectorEnvBase = gymnasium.Env, gymnasium.vector.VectorEnv
        modes = getattr(gymnasium.vector, "AutoresetMode", None)
        AUTORESET = getattr(modes, "NEXT_STEP", AUTORESET)
        for rows, cols in itertools.product(range(2, 7), repeat=2):
            gymnasium.register(f"nxn/2048-{rows}x{cols}-v0", "nxn:Env", vector_entry_point="nxn:VectorEnv",
                               kwargs={"board": f"{rows}x{cols}"})
