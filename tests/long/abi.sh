#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that were compiled with the last release run with these libraries: abidiff finds no function, structure or
# symbol version that has changed or gone since tests/lib/*.abi were made. New functions are no change.
#     abi.sh --print     makes the descriptions anew: for a release, or after raising lib_abi
source=$(cd "${srcdir:-.}" && pwd) || exit 99
build=$(dirname "${NXN:-$PWD/nxn}")
[ -f "$build/libnxn.so.0" ] || { echo 'a build with sanitizers has no libnxn'; exit 77; }
command -v abidiff >/dev/null || { echo 'no abidiff (Debian: abigail-tools)'; exit 77; }
readelf -S "$build/libnxn.so.0" | grep -q '\.debug_info' || { echo 'a build without -g does not tell its types'; exit 77; }
new=$(mktemp -d) || exit 99
trap 'rm -rf "$new"' EXIT
bad=0
for library in libnxn libnxn-stats; do
	kept=$source/tests/lib/$library.abi
	abidw --headers-dir "$source/lib" --exported-interfaces-only --drop-private-types --no-corpus-path --no-comp-dir-path \
		--no-show-locs --out-file "$new/$library.abi" "$build/$library.so.0" || bad=1
	if [ "${1-}" = --print ]; then
		cp "$new/$library.abi" "$kept" || bad=1
	elif ! abidiff --no-added-syms "$kept" "$new/$library.abi"; then
		echo "FAILED: $library.so differs from the description in tests/lib: programs must be recompiled. Undo the change, or raise" \
			'lib_abi in Makefile.am and make the descriptions anew (tests/long/abi.sh --print)'
		bad=1
	fi
done
exit $bad
