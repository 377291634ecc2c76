# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the wheel that pip installs: the package and the two libraries beside it.

The libraries are those of NXN_LIBRARY or of a build beside the package; where there is none, they are
built from a copy of the sources in a temporary folder. This file needs nothing but Python; a build needs
what quickstart installs. Of PEP 517 it has what pip calls. As a program, it makes a wheel, or with a
second argument "sdist" the sources, in the folder that the first one names.
"""

import base64
import ctypes
import hashlib
import io
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLACES = runpy.run_path(str(HERE / "nxn" / "_places.py"))
VERSION, ABI = PLACES["VERSION"], PLACES["ABI"]
ABOUT = f"nxn-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: nxn
Version: {VERSION}
Summary: The game 2048 on boards of every size: environments, players, exact solutions
License: GPL-3.0-or-later
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Provides-Extra: gymnasium
Requires-Dist: gymnasium>=1.0; extra == "gymnasium"
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text(encoding="utf-8")}"""


def copy_sources(folder):
    """The sources of nxn in FOLDER, with configure, without what builds leave."""
    if not (HERE.parent / "configure.ac").is_file():
        raise SystemExit(f"{HERE.parent} has no library and no sources of one: expected build/libnxn.{ABI} "
                         f"beside python/, the sources of nxn, or NXN_LIBRARY=/path/to/libnxn.{ABI}")
    shutil.copytree(HERE.parent, folder, symlinks=True, ignore=shutil.ignore_patterns(
        ".git", "build", "build-[!a]*", "out", "wheel", "*.o", "*.a", "*.so.*", "__pycache__", "*.cache", "Makefile",
        "config.log", "config.status", "*.whl"))
    if not (folder / "configure").is_file():
        subprocess.run(["./bootstrap"], cwd=folder, check=True, stdout=sys.stderr)


def build():
    """The contents of the libraries, built in a temporary folder."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "nxn"
        copy_sources(folder)
        files = [f"wheel/{name}.{ABI}" for name in ("libnxn", "libnxn-stats")]
        for command in (["./configure", "--quiet", "--without-mpi", "--disable-werror"],
                        ["make", "-s", f"-j{os.cpu_count()}", *files]):
            if subprocess.run(command, cwd=folder, stdout=sys.stderr).returncode:
                raise SystemExit(f"libnxn cannot be built: {' '.join(command)} failed "
                                 "(quickstart installs what it needs)")
        return {Path(file).name: (folder / file).read_bytes() for file in files}


def libraries():
    """Names and contents of libnxn and libnxn-stats."""
    found = [next((file for file in PLACES["files"](name, __file__) if os.path.isfile(file)), None)
             for name in ("libnxn", "libnxn-stats")]
    if None in found:
        if os.environ.get("NXN_LIBRARY"):
            raise SystemExit(f"NXN_LIBRARY={os.environ['NXN_LIBRARY']}: expected libnxn.{ABI} with "
                             f"libnxn-stats.{ABI} beside it")
        return build()
    version = ctypes.CDLL(found[0]).nxn_version
    version.restype = ctypes.c_char_p
    if version().decode() != VERSION:
        raise SystemExit(f"{found[0]} is of version {version().decode()}: expected {VERSION}, that of the "
                         "package: run make again")
    return {Path(file).name: Path(file).read_bytes() for file in found}


def tag(contents):
    """Where libraries of these CONTENTS run: wherever there is their glibc, if they need nothing else."""
    data = b"".join(contents)
    needs = set(re.findall(rb"\0((?:lib|ld-)[\w.+-]+\.so[.\d]*)(?=\0)", data))
    others = {name for name in needs if not re.match(rb"lib(c|m|nxn|nxn-stats)\.so|ld-", name)}
    minor = max((int(number) for number in re.findall(rb"\0GLIBC_2\.(\d+)", data)), default=0)
    if minor and not others:
        return f"py3-none-manylinux_2_{max(minor, 17)}_{platform.machine()}"
    return "py3-none-" + re.sub(r"\W", "_", sysconfig.get_platform())


def write(folder, contents, platforms):
    """A wheel of CONTENTS, names and bytes, in FOLDER; its name."""
    wheel_file = f"Wheel-Version: 1.0\nGenerator: nxn\nRoot-Is-Purelib: false\nTag: {platforms}\n"
    contents = {**contents, f"{ABOUT}/WHEEL": wheel_file.encode(),
                f"{ABOUT}/METADATA": METADATA.encode()}
    record = ""
    name = f"nxn-{VERSION}-{platforms}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{ABOUT}/RECORD", f"{record}{ABOUT}/RECORD,,\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks first; without it, pip would build the wheel twice."""
    folder = Path(metadata_directory) / ABOUT
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA, encoding="utf-8")
    return ABOUT


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    compiled = libraries()
    files = sorted([*(HERE / "nxn").glob("*.py"), HERE / "nxn" / "py.typed"])
    contents = {**{file.name: file.read_bytes() for file in files}, **compiled}
    return write(wheel_directory, {f"nxn/{name}": data for name, data in contents.items()},
                 tag(compiled.values()))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package where it is, which finds the library of the build itself."""
    return write(wheel_directory, {"nxn.pth": f"{HERE}\n".encode()}, "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    """The sources, which pip builds where they are installed."""
    name = f"nxn-{VERSION}"
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8").replace('["."]', '["python"]')
    with tempfile.TemporaryDirectory() as temporary, \
            tarfile.open(os.path.join(sdist_directory, f"{name}.tar.gz"), "w:gz") as sdist:
        copy_sources(Path(temporary) / name)
        sdist.add(Path(temporary) / name, name)
        for path, text in (("PKG-INFO", METADATA), ("pyproject.toml", project)):
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text.encode())
            sdist.addfile(info, io.BytesIO(text.encode()))
    return f"{name}.tar.gz"


if __name__ == "__main__":
    print((build_sdist if sys.argv[2:] == ["sdist"] else build_wheel)(sys.argv[1]))
