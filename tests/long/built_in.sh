#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# agents/built_in.nxn is what the command in docs/transfer.md makes of it, byte for byte.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

command=$(sed -n 's/^    \(nxn train .* -o built_in\.nxn\)$/\1/p' "$source/docs/transfer.md")
[ -n "$command" ] || complain 'no such command in docs/transfer.md'
gives 0 "$command"
cmp built_in.nxn "$source/agents/built_in.nxn" || complain 'another model'
exit $bad
