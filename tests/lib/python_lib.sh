# SPDX-License-Identifier: GPL-3.0-or-later
# A Python with numpy that finds the package and the library of this build; to be sourced.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(cd "$(dirname "$nxn_path")" && pwd)
python=
for one in "${PYTHON:-python3}" /usr/bin/python3; do
	"$one" -c 'import numpy' 2>/dev/null && python=$one && break
done
[ -n "$python" ] || { echo 'SKIP: no Python with numpy (Debian: python3-numpy)'; exit 77; }
export PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1 NXN_LIBRARY="$build/libnxn.so.0"
# A library with sanitizers wants their run-time library first; what Python itself leaks is no fault here.
if grep -qs '^CFLAGS.*-fsanitize' "$build/Makefile"; then
	sanitized=yes
	preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
	export ASAN_OPTIONS=detect_leaks=0 NXN_SANITIZED=1
else
	sanitized= preload=
fi

# python3 ARGUMENT...
python3()
{
	LD_PRELOAD=$preload "$python" "$@"
}
