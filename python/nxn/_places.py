# SPDX-License-Identifier: GPL-3.0-or-later
"""Which libnxn is needed and where it may be: what the package and its installation by pip both ask."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Iterator

VERSION = "0.1.0"  # of the package and of the library that it needs
ABI = "so.0"


def files(name: str, beside: str) -> Iterator[str]:
    """Where NAME, "libnxn" or "libnxn-stats", may be: NXN_LIBRARY, or near the file BESIDE, or installed."""
    file = f"{name}.{ABI}"
    told = os.environ.get("NXN_LIBRARY")
    if told:
        # One library is named; the other one lies beside it.
        yield told if name == "libnxn" else str(Path(told).parent / file)
        return
    for parent in Path(beside).resolve().parents[:6]:
        for folder in (parent, parent / "lib", parent / "build"):
            if (folder / file).is_file():
                yield str(folder / file)
    yield from installed(name)


def installed(name: str) -> Iterator[str]:
    """What the system's loader and pkg-config find."""
    yield f"{name}.{ABI}"
    package = "nxn" if name == "libnxn" else "nxn-stats"
    try:
        where = subprocess.run(["pkg-config", "--variable=libdir", package], capture_output=True,
                               text=True, check=True).stdout.strip()
        yield str(Path(where) / f"{name}.{ABI}")
    except (OSError, subprocess.CalledProcessError):
        pass
