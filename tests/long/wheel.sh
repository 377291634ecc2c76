#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The ways to the Python package, each into a fresh virtual environment without network: the wheel of make wheel, which
# needs only the C library; pip install of a checkout without a build, which leaves nothing behind; and the sources that
# pip builds. numpy is that of the system.
. "${srcdir:-.}/tests/lib/python_lib.sh"

"$python" -c 'import pip, venv' 2>/dev/null || { echo 'SKIP: no pip or venv (Debian: python3-venv)'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL NXN_LIBRARY PYTHONPATH
CC=$(sed -n 's/^CC = //p' "$build/Makefile")
export CC

# installed NAME WHAT: the package that pip installs from WHAT plays, with a library of its own.
installed()
{
	began=$(date +%s)
	python3 -m venv --system-site-packages "$1" && "$1/bin/pip" install --quiet --no-index --no-deps "$2" >stdout 2>stderr ||
		{ complain "pip install $2"; return; }
	gives 0 "cd / && env -i '$work/$1/bin/python' -B -c 'if 1:
		import importlib.metadata, nxn
		assert nxn.library_path.startswith(\"$work/$1/\"), nxn.library_path
		assert importlib.metadata.version(\"nxn\") == nxn.__version__
		needs = importlib.metadata.requires(\"nxn\")
		assert [one for one in needs if \"extra\" not in one] == [\"numpy>=1.21\"], needs
		assert {\"gymnasium\", \"pandas\"} == set(importlib.metadata.metadata(\"nxn\").get_all(\"Provides-Extra\"))
		print(nxn.Agent(\"greedy\", \"3x3\").play(5).score.mean(), nxn.interval([1, 2, 3]))'"
	has 'Interval(value=2.0'
	echo "$1: $(($(date +%s) - began)) s"
}

gives 0 "make -s -C '$build' -o src/cli/built.h wheel"
wheel=$(ls "$build"/nxn-*.whl) || complain 'no wheel'
ls -l "$wheel"
readelf -d "$build"/wheel/libnxn*.so.0 >needed
if [ -f "$("$CC" -print-file-name=libzstd.a 2>/dev/null || gcc -print-file-name=libzstd.a)" ]; then
	grep 'NEEDED.*\(zstd\|gsl\)' needed && complain 'the libraries of the wheel need others'
	case $wheel in *manylinux_2_*) ;; *) complain "the wheel is called $wheel" ;; esac
fi
installed wheel "$wheel"

# A checkout as it is cloned.
mkdir clone
(cd "$source" && if [ -e .git ]; then git ls-files; else find . -name build -prune -o -type f -print; fi) >files
(cd "$source" && tar -c -T "$work/files") | tar -x -C clone
find clone | sort >before
installed checkout clone/python
find clone | sort >after
cmp before after || { diff before after; complain 'pip install leaves files behind'; }

python3 -B clone/python/backend.py . sdist >stdout 2>stderr || complain 'backend.py . sdist'
ls -l "$(cat stdout)"
rm -r clone
tar -tzf nxn-*.tar.gz >names
has /configure names
grep '\.o$\|\.git/\|/build/' names && complain 'the sources have what a build leaves'
installed sources ./nxn-*.tar.gz
exit $bad
