#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists of Debian packages agree: that of quickstart is the one for building, debian/control has its libraries, and the
# Containerfile and docs/install.md ask for it; services that build call quickstart.
source=$(cd "${srcdir:-.}" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAILED: $*"; bad=1; }

# words FILE...: the words of lines, one a line.
words() { cat "$@" | tr -s ' \t,\\' '\n' | sed '/^$/d' | sort -u; }

cd "$source" || exit 99
./quickstart packages | words >"$work/quickstart"
[ "$(wc -l <"$work/quickstart")" -ge 12 ] || complain './quickstart packages'
sed -n '/^Build-Depends:/,/^[A-Z]/p' debian/control | sed 's/^Build-Depends://; s/<[^>]*>//; /^[A-Z]/d' | words |
	grep -- '-dev$' >"$work/control"
grep -- '^lib.*-dev$' "$work/quickstart" | diff "$work/control" - >&2 || complain 'debian/control and quickstart differ'
for file in Containerfile docs/install.md; do
	grep -q 'apt-get install .*\$(\(\./\|/\)quickstart packages)' "$file" || complain "$file does not ask quickstart"
done
for file in README.md docs/*.md Containerfile .github/workflows/check.yml .gitlab-ci.yml .ci/run; do
	grep -oE "lib(gsl|yaml|jansson|zstd|xxhash|md|ncurses|random123|cmocka)-dev" "$file" && complain "$file has a list of its own"
done
for file in .github/workflows/check.yml .gitlab-ci.yml; do
	grep -q '\./quickstart check' "$file" || complain "$file does not call quickstart"
done
exit $bad
