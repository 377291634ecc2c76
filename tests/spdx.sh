#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file says its licence in its first lines; REUSE.toml says it of all others.
cd "${srcdir:-.}" || exit 99
bad=0
list=$(mktemp) || exit 99
trap 'rm -f "$list"' EXIT

complain()
{
	echo "FAILED: $*"
	bad=1
}

find base boards agents analysis src plots tests man -name '*.[ch]' -o -name '*.sh' -o -name '*.def' -o -name '*.gp' \
	-o -name '*.yaml' -o -name '*.am' -o -name '*.bash' -o -name '*.zsh' -o -name '*.fish' >"$list"
[ "$(wc -l <"$list")" -gt 300 ] || complain 'hardly any sources'
for file in $(cat "$list") configure.ac Makefile.am bootstrap quickstart Containerfile REUSE.toml CITATION.cff; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || complain "$file does not say its licence"
done
cmp -s COPYING LICENSES/GPL-3.0-or-later.txt || complain 'LICENSES/ has another text than COPYING'
grep -q '^path = "\*\*"' REUSE.toml || complain 'REUSE.toml is not about all files'
exit $bad
