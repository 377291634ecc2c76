#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/src/commands/cli_man.sh, with groff for every page.
PAGES="$(cd "$(dirname "$NXN")/man" && echo *.1)" exec sh "${srcdir:-.}/tests/src/commands/cli_man.sh"
