#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/fuzz/fuzz.sh with more mutations.
FUZZ_MUTATIONS=20000 exec sh "${srcdir:-.}/tests/fuzz/fuzz.sh"
