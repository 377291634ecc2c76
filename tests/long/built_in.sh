#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command in docs/transfer.md makes the model that is part of the program, byte for byte.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
command=$(sed -n 's/^    \(nxn train .* -o built_in\.nxn\)$/\1/p' "$source/docs/transfer.md")
[ -n "$command" ] || complain 'docs/transfer.md has no command that makes the model'
gives 0 "$command"
cmp built_in.nxn "$source/agents/built_in.nxn" || complain 'docs/transfer.md makes another model than agents/built_in.nxn'
exit $bad
