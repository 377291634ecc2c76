#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file says its licence in its first lines; REUSE.toml says it of all others.
grep -qs '^CFLAGS.*-fsanitize' "$(dirname "${NXN:-/}")/Makefile" && exit 77
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
# shellcheck disable=SC2046
awk 'FNR > 3 { nextfile }
	FNR == 1 { files[FILENAME] }
	/SPDX-License-Identifier: GPL-3.0-or-later/ { delete files[FILENAME] }
	END { for (file in files) print file }' \
	$(cat "$list") configure.ac Makefile.am bootstrap quickstart Containerfile REUSE.toml CITATION.cff >"$list.bare"
[ -s "$list.bare" ] && complain "these do not say their licence: $(cat "$list.bare")"
rm "$list.bare"
cmp -s COPYING LICENSES/GPL-3.0-or-later.txt || complain 'LICENSES/ has another text than COPYING'
grep -q '^path = "\*\*"' REUSE.toml || complain 'REUSE.toml is not about all files'
exit $bad
