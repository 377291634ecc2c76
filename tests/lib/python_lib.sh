# SPDX-License-Identifier: GPL-3.0-or-later
# Finds a Python with numpy, for the package and the library of this build; to be sourced.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(cd "$(dirname "$nxn_path")" && pwd)
python=
for one in "${PYTHON:-python3}" /usr/bin/python3; do
	"$one" -c 'import numpy' 2>/dev/null && python=$(command -v "$one") && break
done
[ -n "$python" ] || { echo 'SKIP: no Python with numpy (Debian: python3-numpy)'; exit 77; }
[ -f "$build/libnxn.so.0" ] || { echo 'SKIP: a build with sanitizers has no libnxn'; exit 77; }
export PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1 NXN_LIBRARY="$build/libnxn.so.0"

# python3 ARGUMENT...
python3()
{
	"$python" "$@"
}
