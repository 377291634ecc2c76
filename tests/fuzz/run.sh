#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SOURCE BUILD: what make fuzz does. Builds the fuzz targets for libFuzzer in the folder BUILD,
# with clang (CLANG names another), and runs each for FUZZ_SECONDS or FUZZ_RUNS times, whichever
# ends first; FUZZ_DEEP is for fuzz.h, FUZZ_CFLAGS for clang; FUZZ_SANITIZER=memory is for
# MemorySanitizer in place of the others. What it finds worth keeping stays in BUILD/found/NAME, for the
# next time.
set -u
source=$1 build=$2
targets=${FUZZ_TARGETS:?} seconds=${FUZZ_SECONDS:-180} runs=${FUZZ_RUNS:--1}
bad=0

mkdir -p "$build" && cd "$build" || exit 1
case ${FUZZ_SANITIZER:-} in
'') options='--enable-fuzz' optimise=-O2 ;;
memory) options='--enable-fuzz=memory --without-mpi' optimise=-O1 ;;
*) echo "FUZZ_SANITIZER=$FUZZ_SANITIZER: expected memory, or nothing" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086
[ -f Makefile ] || "$source/configure" --quiet $options \
	CC="${CLANG:-clang}" CFLAGS="$optimise -g1 ${FUZZ_CFLAGS:-}" || exit 1
# shellcheck disable=SC2086
make --silent -j "$(nproc)" $targets || exit 1

# A small quarantine and short stacks of allocations: a target makes and frees much, thousands of times a second.
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=4096:quarantine_size_mb=2:malloc_context_size=2}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export ASAN_OPTIONS UBSAN_OPTIONS
for target in $targets; do
	name=${target##*/fuzz_}
	corpus=$source/tests/fuzz/corpus/$name dictionary=$source/tests/fuzz/dictionary/$name
	mkdir -p "found/$name" "crashes"
	set --
	[ ! -f "$dictionary" ] || set -- "-dict=$dictionary"
	[ "$seconds" -le 0 ] || set -- "$@" "-max_total_time=$seconds"
	echo "== $name"
	"./$target" "$@" -runs="$runs" -timeout=20 -rss_limit_mb=2048 -max_len=16384 \
		-print_final_stats=1 -verbosity=0 "-artifact_prefix=crashes/$name-" \
		"found/$name" "$corpus" 2>"found/$name.log" || bad=1
	grep -E '^(stat::|SUMMARY|==|.*ERROR)' "found/$name.log"
done
[ $bad -eq 0 ] || echo "what was found is in $build/crashes"
exit $bad
