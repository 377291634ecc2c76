#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install: everything is there, works where it was moved to without the source, and goes again.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(dirname "$nxn_path")
[ -f "$build/Makefile" ] || { echo 'no Makefile beside nxn'; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
# The tests run beside: nothing is to be made anew on account of a commit since, or of another
# prefix; what make starts itself has to be told, too.
make_quietly()
{
	gives 0 "make -s -C '$build' -o src/cli/built.h AM_MAKEFLAGS='-o src/cli/built.h' $* DESTDIR='$work/dest'"
}

make_quietly install
program=$(find dest -type f -path '*/bin/nxn')
[ -x "$program" ] || { complain 'nxn is not installed'; exit 1; }
prefix=$(dirname "$(dirname "$program")")
# What counts coverage names its files.
grep -qaF .gcda "$program" || ! grep -qaF "$(cd "$build" && pwd -P)" "$program" ||
	complain 'the program names the folder that it was built in'

# same FOLDER SOURCE PATTERN: the folder has the files of the source, and no others.
same()
{
	(cd "$prefix/$1" && LC_ALL=C ls) >installed
	(cd "$source/$2" && LC_ALL=C ls -d $3) >wanted
	cmp -s wanted installed || {
		diff wanted installed
		complain "$1 is not $2"
	}
	for file in $(cat wanted); do
		diff -qr "$prefix/$1/$file" "$source/$2/$file" >/dev/null || complain "$1/$file differs"
	done
}
same share/nxn/plots plots '*'
same share/nxn/experiments analysis/experiments '*.yaml'
same share/nxn/vectors tests/vectors '*.txt'
same share/doc/nxn/docs docs '*'
same share/doc/nxn/examples/adapters examples/adapters '*'
for file in README.md NEWS.md HACKING.md CONTRIBUTING.md SECURITY.md CITATION.cff; do
	cmp -s "$prefix/share/doc/nxn/$file" "$source/$file" || complain "no $file in share/doc/nxn"
done
"$program" completion bash >wanted
cmp -s wanted "$prefix/share/bash-completion/completions/nxn" || complain 'no completion'
[ -s "$prefix/share/zsh/site-functions/_nxn" ] || complain 'no completion for zsh'
[ -s "$prefix/share/fish/vendor_completions.d/nxn.fish" ] || complain 'no completion for fish'
if [ -f "$build/man/nxn.1" ] || [ -f "$source/man/nxn.1" ]; then
	nxn --help | sed -n '/^Commands:/,/^EXAMPLES/s/^  \([a-z]*\)  .*/nxn-\1.1/p' >wanted
	echo nxn.1 >>wanted
	while read -r page; do
		[ -s "$prefix/share/man/man1/$page" ] || complain "no $page"
	done <wanted
fi

[ ! -x "$build/nxn-mpi" ] || [ -x "$prefix/bin/nxn-mpi" ] || complain 'no nxn-mpi'

# Moved away, with files of its own in all places: it uses those, not those it was built from.
mv "$prefix" moved
own=moved/share/nxn
sed -i '1i # moved' "$own/plots/tiles.gp"
printf 'name: mine\nboards: [2x2]\nagents: [random]\ngames: 3\n' >"$own/experiments/mine.yaml"
sed -i 's/^\(2x2 .*\)[0-9]$/\1x/' "$own/vectors/perft.txt"
rm bin/nxn
PATH=$work/moved/bin:$PATH
gives 0 'nxn compare mine --out out/mine --progress 2>/dev/null'
grep -q '^2x2 .*mean score' stdout && grep -q '^random ' stdout || complain 'no table of the run'
gives 0 'nxn compare -b 2x2 -a random,greedy -g 5 -o out/moved'
[ -s stderr ] && complain 'complaints'
grep -q '^# moved' out/moved/figures/tiles.gp || complain 'the figure is not made by the script that was moved'
grep -q '<svg' out/moved/figures/tiles.svg || complain 'no figure'
gives 0 "nxn __complete 'nxn compare '"
grep -qx mine stdout || complain 'an experiment that was added is not completed'
fails 2 'perft.txt' 'nxn verify --only perft'
has moved/share/nxn/vectors/perft.txt stderr

# Uninstalled: nothing stays.
rm "$own/experiments/mine.yaml"
mv moved "$prefix"
make_quietly uninstall
find dest ! -type d >left
(cd "$prefix" && find . -path '*nxn*') >>left
[ -s left ] && complain "left behind: $(cat left)"

exit $bad
