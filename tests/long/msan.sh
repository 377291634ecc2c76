#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every fuzz target with clang's MemorySanitizer, over its corpus, the empty input and some mutations:
# no parser uses memory that nothing has set. FUZZ_RUNS and FUZZ_SECONDS are those of make fuzz.
command -v "${CLANG:-clang}" >/dev/null || { echo 'no clang: nothing to test'; exit 0; }
make -C "$(dirname "${NXN:-$PWD/nxn}")" --no-print-directory fuzz FUZZ_SANITIZER=memory \
	FUZZ_RUNS="${FUZZ_RUNS:-20000}" FUZZ_SECONDS="${FUZZ_SECONDS:-10}"
