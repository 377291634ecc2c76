#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# base/, boards/, agents/ and lib/ with another C library, musl, and without anything that configure looks for and can do
# without: they are built without a warning, their tests pass, and give the results that test_signature knows.
# Debian's libraries are those of glibc; tests/long/musl.c has what they ask of it.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
command -v musl-gcc >/dev/null || { echo 'no musl-gcc (Debian: musl-tools)'; exit 77; }
[ -x "$source/configure" ] || { echo 'no ./configure'; exit 77; }
libraries=$(dirname "$(cc -print-file-name=libcmocka.so)")
[ -e "$libraries/libcmocka.so" ] || { echo 'no cmocka'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL

# Of /usr/include musl is to see no more than these.
mkdir include lib
for header in zstd.h zstd_errors.h xxhash.h cmocka.h jansson.h jansson_config.h Random123 gsl; do
	for folder in /usr/include "/usr/include/$(cc -print-multiarch)"; do
		[ ! -e "$folder/$header" ] || ln -s "$folder/$header" include
	done
done
for library in cmocka zstd xxhash gsl gslcblas; do
	ln -s "$libraries/lib$library".so* lib
done
# The name is that of glibc's own part which libraries ask for.
glibc=ld-linux-x86-64.so.2
gives 0 "musl-gcc -shared -fPIC -o lib/$glibc '$source/tests/long/musl.c'"
gives 0 "'$source/configure' --quiet --enable-werror --without-mpi CC='musl-gcc -isystem $work/include' CFLAGS=-O1 \
	LDFLAGS='-L$work/lib -Wl,-rpath,$work/lib -Wl,--allow-shlib-undefined' LIBS=-l:$glibc \
	ac_cv_func_fopencookie=no ac_cv_func_memfd_create=no ac_cv_func_sched_getaffinity=no \
	ac_cv_have_decl_MADV_HUGEPAGE=no"
[ "$bad" -eq 0 ] || exit 1
tests=$(cd "$source" && find tests/base tests/boards tests/agents tests/lib -name 'test_*.c' | sed 's/\.c$//' | sort)
[ "$(echo "$tests" | wc -l)" -ge 25 ] || complain 'hardly any tests'
gives 0 "make -s -j '$(nproc)' libnxn.a $(echo $tests)"
grep 'warning:' stderr && complain 'warnings'
[ "$bad" -eq 0 ] || exit 1
export CMOCKA_MESSAGE_OUTPUT=TAP
for test in $tests; do
	timeout 900 "./$test" >stdout 2>&1 || { grep -v '^ok' stdout; complain "$test"; }
done
readelf -l tests/lib/test_signature | grep -q ld-musl || complain 'not built with musl'
exit $bad
