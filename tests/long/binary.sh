#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make dist-binary: unpacked where there is nothing but /proc and /dev, not even a C library, the program finds its data,
# plays what the built program plays, shows boards in UTF-8, and lacks gnuplot alone, which it says.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
build=$(dirname "$nxn_path")
sanitized && { echo 'sanitizers cannot be linked statically'; exit 77; }
unshare --mount true 2>/dev/null || { echo 'only root can test this: it makes a root folder'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
# What was tested is what is packed, whatever was committed since.
gives 0 "make -s -C '$build' -o src/cli/built.h AM_MAKEFLAGS='-o src/cli/built.h' dist-binary"
archive=$(echo "$build"/nxn-*-linux.tar.xz)
name=$(basename "$archive" .tar.xz)
echo "# $name: $(stat -c %s "$archive") bytes"
[ "$(stat -c %s "$archive")" -lt 5000000 ] || complain 'the archive is larger than 5 MB'
mkdir -p root/opt root/proc root/dev root/tmp
tar -C root/opt -xf "$archive" || { complain 'cannot be unpacked'; exit 1; }
tree=root/opt/$name
readelf -ld "$tree/bin/nxn" | grep 'NEEDED\|INTERP' && complain 'the program is not static'
grep -q 'GNU GENERAL PUBLIC' "$tree/share/doc/nxn/COPYING" || complain 'no license'
[ -s "$tree/share/man/man1/nxn-compare.1" ] || complain 'no man page'
[ -s "$tree/share/bash-completion/completions/nxn" ] || complain 'no completion'
[ "$(find "$tree" -name '*.so*' -o -name '*.h' -o -name 'nxn-mpi*')" = '' ] || complain 'more than a program needs'

ln -s "$nxn_path" bin/built
cat >bin/there <<END
#!/bin/sh
cd '$work' && exec unshare --mount sh -c 'mount --rbind /proc root/proc && mount --rbind /dev root/dev &&
	exec chroot root /opt/$name/bin/nxn "\$@"' sh "\$@"
END
chmod +x bin/there

# The same games as the built program: what takes no time is the same to the last byte.
for agent in greedy corners expectimax:depth=2 mcts:sims=30 ntuple:built-in; do
	agents=${agents:+$agents,}$agent
done
play="compare -b 3x3,4x4,3x5 -a $agents -g 4 --no-figures"
gives 0 "there $play -o /tmp/run"
[ -s stderr ] && complain 'complaints'
gives 0 "built $play -o run"
for log in run root/tmp/run; do
	awk -F '\t' '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "seconds") at = i }
		{ $at = ""; print }' $log/games.tsv | sort >games
	mv games games.$(echo $log | tr -d /)
done
[ "$(wc -l <games.run)" -gt 60 ] || complain 'too few games'
cmp games.run games.roottmprun || complain 'the program that was unpacked plays other games'
NXN=$work/$tree/bin/nxn sh "$source/tests/src/commands/reference.sh" || complain 'other results than the reference'

# Its data are those beside it.
gives 0 'there info experiments'
has quickstart
gives 0 'there verify --only perft'
fails 1 'tables and logs are there, figures are not; install gnuplot' 'there compare -b 2x2 -a random -g 3 -o /tmp/drawn'
[ -s root/tmp/drawn/tables/means.tsv ] && [ -s root/tmp/drawn/games.tsv ] || complain 'without gnuplot no tables'

# UTF-8 without a locale of the machine, a terminal without a description; ASCII where there is no locale at all.
# viewed LOCALE WANTED: the screen shows WANTED; a character that is not ASCII is shown as ~.
viewed()
{
	printf 'wait score\nscreen\nkeys q\n' | LC_ALL=$1 TERM=xterm-256color "$build/tests/src/play/terminal" 80x24 \
		there play --watch -a greedy -b 2x2 --start 2,4/8,0 --delay 60000 >screen 2>stderr || complain "no screen: $1"
	has "$2" screen
	has 'status 0' screen
	has 'settings same' screen
}
viewed C.UTF-8 '~   2       4   ~'
viewed C '|   2       4   |'
rm -r "$tree/share/nxn/locale"
viewed C.UTF-8 '|   2       4   |'
exit $bad
