#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All runs of tests/src/commands/reference.sh, of which make check makes the quick ones.
exec sh "${srcdir:-.}/tests/src/commands/reference.sh" --all
