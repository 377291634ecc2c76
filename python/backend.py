# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the wheel that pip installs: the package and the two libraries of the build beside it.

It needs nothing but Python and writes nothing but the wheel. Of PEP 517 it has what pip calls.
"""

import base64
import hashlib
import os
import runpy
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "0.1.0"
TAG = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
METADATA = f"""Metadata-Version: 2.1
Name: nxn
Version: {VERSION}
Summary: The game 2048 on boards of every size: environments, players, exact solutions
License: GPL-3.0-or-later
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Provides-Extra: tables
Requires-Dist: pandas; extra == "tables"
Description-Content-Type: text/markdown

"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: nxn\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def libraries():
    """The files of libnxn and libnxn-stats."""
    places = runpy.run_path(str(HERE / "nxn" / "_places.py"))
    for name in ("libnxn", "libnxn-stats"):
        found = next((Path(file) for file in places["files"](name, __file__) if Path(file).is_file()), None)
        if found is None:
            raise SystemExit(f"{name}.{places['ABI']} is not found: expected it in build/ beside python/, where "
                             "./quickstart or make puts it, or NXN_LIBRARY=/path/to/libnxn.so.0")
        yield f"nxn/{name}.{places['ABI']}", found.read_bytes()


def write(folder, contents):
    """A wheel of CONTENTS, pairs of names and bytes, in FOLDER; its name."""
    about = f"nxn-{VERSION}.dist-info"
    contents = [*contents, (f"{about}/WHEEL", WHEEL.encode()),
                (f"{about}/METADATA", (METADATA + (HERE / "README.md").read_text(encoding="utf-8")).encode())]
    record = ""
    name = f"nxn-{VERSION}-{TAG}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents:
            wheel.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{about}/RECORD", f"{record}{about}/RECORD,,\n")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = sorted([*(HERE / "nxn").glob("*.py"), HERE / "nxn" / "py.typed"])
    return write(wheel_directory, [*((f"nxn/{file.name}", file.read_bytes()) for file in files), *libraries()])


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package where it is, which finds the library of the build itself."""
    return write(wheel_directory, [("nxn.pth", f"{HERE}\n".encode())])


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the package needs the library: expected a wheel, or the sources of nxn as a whole")
