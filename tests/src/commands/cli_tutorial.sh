#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/tutorial.md: every `sh` block runs, one after the other in one folder; the lines of a `text` block are in
# the output of the block before it, but for times at their ends. The agent and the value of the tutorial are
# compiled and linked with what is built, where the tutorial configures and builds all again:
# tests/long/tutorial.sh does that.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

build=$(cd "$(dirname "$nxn_path")" && pwd)
skip() { echo "not run: $*"; exit 77; }
[ -f "$build/Makefile" ] || skip 'no Makefile beside nxn'
command -v gnuplot >/dev/null || skip 'no gnuplot'
command -v python3 >/dev/null || skip 'a player is written in Python: no python3'
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p agents/rules agents/values build
cp "$source/agents/agents.def" agents

# value EXPRESSION: what it is in the Makefile of the build.
value()
{
	printf 'include Makefile\nvalue-print:\n\t@echo "%s"\n' "$1" | make --no-print-directory -s -C "$build" -f - value-print
}

# What stands for ./bootstrap and make: a program with the new files, which finds the new agents.def first.
cat >bootstrap <<'END'
#!/bin/sh
END
cat >build/Makefile <<END
all:
	cd '$build' && for file in '$work/agents/values/smooth.c' '$work/agents/rules/roomy.c' \\
		\$\$(grep -l '^#include "agents/agents.def"' '$source'/agents/*.c); do \\
		$(value '$(CC)') -I'$work' $(value '$(DEFS) $(DEFAULT_INCLUDES) $(INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)') -O0 \\
			-c \$\$file -o '$work/build/'\$\$(basename \$\$file .c).o || exit; \\
	done; \\
	$(value '$(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)') -o '$work/build/nxn' '$work'/build/*.o \\
		$(value '$(nxn_OBJECTS) $(nxn_LDADD) $(LIBS)')
END
# Figures are not what the tutorial is about, but for the last, which it draws itself. The new program plays
# as soon as it is there.
printf '#!/bin/sh\nnxn=%s\n[ ! -x %s ] || nxn=%s\nexec "$nxn" "$@"\n' "$nxn_path" "$work/build/nxn" "$work/build/nxn" >bin/newest
chmod +x bin/newest bootstrap
lighter newest

blocks_read "$source/docs/tutorial.md"

# A learner trains and plays little, and a value in Python, of which there is one in cli_external.sh, is left out; so
# other numbers are shown. tests/long/tutorial.sh runs these blocks as they are.
less=
for block in block*; do
	case $block in
	*.sh)
		! grep -q 'smooth\.py\|train: 1000' "$block" || less=$block
		! grep -q 'smooth\.py' "$block" || continue
		sed '/^export PATH=/d; s/train: 1000/train: 50/; s/evaluate: 50/evaluate: 5/; s/games: 200/games: 20/' "$block" >block
		gives 0 "set -e; . ./block"
		[ "$got" -eq 0 ] || { cat build/make.log; exit 1; }
		[ -s stderr ] && complain "complaints: $(cat "$block")"
		;;
	*.text) [ "$less" ] || block_shown "$block"; less= ;;
	esac
done
tutorial_end
exit $bad
