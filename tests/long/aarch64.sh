#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make dist-binary for 64-bit ARM, by a cross compiler and Debian's libraries for it: the program, which qemu runs, plays
# the games that the built program plays. LIBRARIES=FOLDER: where the libraries are kept from run to run; CC=COMMAND.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
target=aarch64-linux-gnu
for tool in $target-gcc qemu-aarch64-static apt-get dpkg-deb; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
[ -x "$source/configure" ] || { echo 'no ./configure'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL

# apt keeps its lists in a temporary folder, so this test does not change the machine.
libraries=${LIBRARIES:-$work/libraries}
if [ ! -d "$libraries/usr" ]; then
	mkdir -p "$libraries/lists/partial" "$libraries/archives/partial"
	: >"$libraries/status"
	set -- -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status="$libraries/status" \
		-o Dir::State::lists="$libraries/lists" -o Dir::Cache="$libraries" -o APT::Sandbox::User=root
	(cd "$libraries" && apt-get "$@" update && apt-get "$@" download \
		$("$source/quickstart" packages | grep -o '\blib[^ ]*-dev' | grep -v 'cmocka\|random123')) >apt.log 2>&1 ||
		{ tail -n 3 apt.log; echo 'no libraries for ARM'; exit 77; }
	for package in "$libraries"/*.deb; do
		dpkg-deb -x "$package" "$libraries"
	done
fi
ln -s /usr/include/Random123 "$libraries/usr/include/" 2>/dev/null
export PKG_CONFIG_LIBDIR="$libraries/usr/lib/$target/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$libraries"
gives 0 "'$source/configure' --quiet --host=$target --without-mpi CC='${CC:-$target-gcc}' CFLAGS=-O2 \
	CPPFLAGS='-idirafter $libraries/usr/include -idirafter $libraries/usr/include/$target' LDFLAGS=-L$libraries/usr/lib/$target"
[ "$bad" -eq 0 ] || exit 1
gives 0 "make -s -j '$(nproc)' dist-binary"
[ "$bad" -eq 0 ] || exit 1
echo "# $(stat -c '%n: %s bytes' nxn-*-linux.tar.xz)"
tar -xf nxn-*-aarch64-linux.tar.xz
program=$(echo nxn-*-aarch64-linux/bin/nxn)
readelf -h "$program" | grep -q 'Machine: *AArch64' || complain 'not for ARM'
readelf -ld "$program" | grep 'NEEDED\|INTERP' && complain 'the program is not static'
play='compare -b 2x2,3x3,3x5 -a greedy,corners,expectimax:depth=2,mcts:sims=30,ntuple:built-in -g 2 --no-figures'
search='compare -b 4x5 -a expectimax:depth=2,leaf=after,value=strong -g 1 --no-figures'
for command in "$play" "$search"; do
	gives 0 "qemu-aarch64-static $program $command -o there"
	gives 0 "nxn $command -o here"
done
for run in here there; do
	awk -F '\t' '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "seconds") at = i }
		{ $at = ""; print }' $run/games.tsv | sort >games.$run
done
[ "$(wc -l <games.here)" -gt 30 ] || complain 'too few games'
cmp games.here games.there || complain 'other games than those of the built program'
gives 0 "qemu-aarch64-static $program verify --only perft"
exit $bad
