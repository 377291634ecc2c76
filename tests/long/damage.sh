#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A bit of every byte of models, tables and layers; see tests/src/commands/cli_damage.sh.
DAMAGE_STEP=1 exec sh "${srcdir:-.}/tests/src/commands/cli_damage.sh"
